import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { labelsOn } from '../../../boards/labels/model/index.ts'
import { type Project, placeOf } from '../../../boards/projects/model/index.ts'
import { type Section, sectionsOf } from '../../../boards/sections/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { type NextDates as Dates, nextDates, nextRule } from '../../../time/repeats/model/index.ts'
import {
  assigneesOf,
  autoAssignees,
  timeZoneOf,
  uniqueActors,
  withBoardAccess,
} from '../../assignees/model/index.ts'
import { taskMentions } from '../../descriptions/model/index.ts'
import { emptyFields, pickFields } from '../../fields/model/index.ts'
import type { TaskReceipt } from '../../records/model/index.ts'
import { relations } from '../../relations/model/index.ts'
import type { Task } from '../../tasks/model/index.ts'
import { writeTask } from './create.ts'
import type { Edit } from './edit.ts'

export interface NextTask extends Dates {
  rule: Task['recurrence']
  section: Section
}

/**
 * Plans the next occurrence of a repeating task that this edit completes, and removes the rule from
 * the completed task, so that the series continues only once. `section` and `assignees` are those
 * after the edit. No occurrence opens in `leaving`, a section about to be deleted.
 */
export async function planNext(
  edit: Edit,
  section: Section,
  assignees: readonly ActorRow[],
  leaving?: Section,
): Promise<NextTask | undefined> {
  const { ctx, task, set } = edit
  const restartsDates = set.due_date !== undefined || set.recurrence !== undefined
  if (restartsDates && task.repeats_from !== null) set.repeats_from = null
  const restartsStart = set.start_date !== undefined || set.recurrence !== undefined
  if (restartsStart && task.starts_from !== null) set.starts_from = null
  const after = { ...task, ...set }
  const { recurrence: rule, due_date: due, start_date: start, repeats_from: from } = after
  if (rule === null || !isCompletion(task, after)) return undefined
  const target = await openSection(ctx, section, leaving)
  const zone = await timeZoneOf(ctx, assignees)
  const dates =
    target &&
    nextDates({ rule, due, start, localStart: after.starts_from, from, zone, now: ctx.now })
  if (!dates) return undefined
  edit.put('recurrence', null)
  if (task.repeats_from !== null) set.repeats_from = null
  if (task.starts_from !== null) set.starts_from = null
  return { ...dates, rule: nextRule(rule), section: target }
}

/**
 * Completed in its section or archived. A move to a done section of another board does not count.
 */
function isCompletion(before: Task, after: Task): boolean {
  if (before.project_id !== after.project_id || before.completed_at) return false
  if (after.status === 'Archive') return before.status === 'Normal'
  return after.status === 'Normal' && after.completed_at !== null
}

/** The section for the next occurrence; undefined if every section of the board counts as done. */
async function openSection(
  ctx: Context,
  section: Section,
  leaving: Section | undefined,
): Promise<Section | undefined> {
  if (!section.done) return section
  const open = (await sectionsOf(ctx.tx, section)).filter(
    ({ done, section_id }) => !done && section_id !== leaving?.section_id,
  )
  return open.find(({ hidden }) => !hidden) ?? open[0]
}

/** Creates the next task of a series and relates it to the completed one. */
export async function createNext(
  ctx: Context,
  project: Project,
  completed: Task,
  { rule, section, ...dates }: NextTask,
): Promise<NonNullable<TaskReceipt['next_occurrence']>> {
  const { tx } = ctx
  const assignees = uniqueActors(
    await withBoardAccess(ctx, project, await assigneesOf(tx, completed)),
    await autoAssignees(ctx, project, section),
  )
  const task = await writeTask(ctx, project, section, {
    fields: {
      title: completed.title,
      description: completed.description,
      content_type: completed.content_type,
      description_version: completed.description === null ? 0 : 1,
      ...emptyFields,
      ...pickFields('next_occurrence', completed),
      recurrence: rule,
      parent_task_id: completed.parent_task_id,
      ...dates,
    },
    labels: await labelsOn(tx, completed),
    assignees,
  })
  await copyMentions(ctx, completed, task)
  await linkTasks(ctx, completed, task)
  const { task_id, ticket_number, due_date, start_date } = task
  return { task_id, ticket_number, due_date, start_date: start_date?.toISOString() ?? null }
}

/** Copies the mentions, so that a later edit does not notify the same actors again. */
async function copyMentions({ tx }: Context, completed: Task, { team_id, task_id }: Task) {
  const mentioned = await tx
    .select({ actor_id: taskMentions.actor_id })
    .from(taskMentions)
    .where(and(eq(taskMentions.team_id, team_id), eq(taskMentions.task_id, completed.task_id)))
  if (!mentioned.length) return
  await tx
    .insert(taskMentions)
    .values(mentioned.map(({ actor_id }) => ({ team_id, task_id, actor_id })))
}

/** The new task has the higher id, so it is the second of the relation. */
async function linkTasks(ctx: Context, completed: Task, next: Task) {
  const { tx, caller, now } = ctx
  const [relation] = await tx
    .insert(relations)
    .values({
      team_id: completed.team_id,
      kind: 'related',
      first_id: completed.task_id,
      second_id: next.task_id,
      created_by: caller.actor_id,
      created_at: now,
    })
    .returning({ relation_id: relations.relation_id })
  const data = { ...relation!, relation_type: 'RelatedTo' }
  for (const [task, other] of [
    [completed, next],
    [next, completed],
  ] as const)
    ctx.emit(
      'relation.created',
      { ...placeOf(task), task_id: task.task_id },
      { ...data, ticket_number: task.ticket_number, other_ticket_number: other.ticket_number },
    )
}
