import { and, eq } from 'drizzle-orm'
import { plainOf } from '../../../../content/index.ts'
import type { Placeholder } from '../../../../kernel/board-rules.ts'
import type { Context } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { comments } from '../../../conversation/comments/model/index.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { assigneesOf } from '../../../tasks/assignees/model/index.ts'
import { priorityName } from '../../../tasks/fields/model/index.ts'
import { type Task, tasks } from '../../../tasks/tasks/model/index.ts'
import type { Project } from '../../projects/model/index.ts'
import { savedConditions } from '../../views/model/index.ts'
import { type Call, callFor } from './actions.ts'
import type { BoardNames } from './names.ts'
import type { Definition } from './schema.ts'
import { actionInWords } from './sentence.ts'

/** What is known of the change that starts a rule; a preview of a task has none. */
export type Cause = Pick<LoggedChange, 'actor_id' | 'data'> | undefined

export interface Planned {
  definition: Definition
  rule_id: string
  project: Project
  names: BoardNames
  task: Task
  cause: Cause
}

export interface Step extends Call {
  do: string
  /** What it does, in words. */
  text: string
}

/** Whether the task matches the conditions of the rule now. */
export async function matchesConditions(
  ctx: Context,
  { definition, project, task }: Planned,
): Promise<boolean> {
  const { team_id, project_id } = project
  const scope = { teams: [team_id], project_id }
  // A condition that refers to something deleted matches no task, and needs no warning here.
  const silent = { ...ctx, warn: () => undefined }
  const filters = definition.conditions ?? { groups: [] }
  const conditions = await savedConditions(silent, scope, filters)
  const [found] = await ctx.tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(and(eq(tasks.task_id, task.task_id), ...conditions))
  return found !== undefined
}

/** The calls that carry out the rule on a task. */
export async function stepsOf(ctx: Context, planned: Planned): Promise<Step[]> {
  const { definition, names, task, rule_id } = planned
  const placeholders = await placeholdersOf(ctx, planned)
  const context = { task, names, placeholders, rule_id, dayIn: (days: number) => dayIn(ctx, days) }
  return definition.actions.map((action) => ({
    ...callFor(action, context),
    do: action.do,
    text: actionInWords(action, names),
  }))
}

const dayIn = ({ now, caller }: Context, days: number): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(caller.time_zone)
    .toPlainDate()
    .add({ days })
    .toString()

async function placeholdersOf(
  ctx: Context,
  { project, names, task, cause }: Planned,
): Promise<Record<Placeholder, string>> {
  const assignees = await assigneesOf(ctx.tx, task)
  const actor = cause && (await actorsOf(ctx.tx, [cause.actor_id])).get(cause.actor_id)
  return {
    'task.title': task.title,
    'task.key': task.ticket_number,
    'task.url': `${ctx.server.url}/t/${task.ticket_number}`,
    'task.column': names.sections.get(task.section_id)?.title ?? '',
    'task.priority': priorityName(task.priority),
    'task.due_date': task.due_date ?? '',
    'task.assignees': assignees.map(({ name }) => name).join(', '),
    'actor.name': actor?.name ?? '',
    'comment.text': await commentText(ctx, cause),
    'board.title': project.title,
  }
}

const MAX_COMMENT = 2000

async function commentText({ tx }: Context, cause: Cause): Promise<string> {
  const comment_id = cause?.data.comment_id
  if (typeof comment_id !== 'number') return ''
  const [comment] = await tx.select().from(comments).where(eq(comments.comment_id, comment_id))
  return comment
    ? plainOf(comment.text, comment.content_type).slice(0, MAX_COMMENT).toWellFormed()
    : ''
}
