import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import type { ActorRow } from '../../people/index.ts'
import { type Project, placeOf } from '../../projects/index.ts'
import { type Section, sectionsOf } from '../../sections/index.ts'
import type { Task } from '../address.ts'
import { among, assigneesOf, handedTo, together, zoneOf } from '../assignees.ts'
import { writeTask } from '../create.ts'
import type { Edit } from '../edit.ts'
import { labelsOn } from '../labels.ts'
import type { TaskReceipt } from '../schema.ts'
import { relations, taskMentions } from '../tables.ts'
import { type Next as Dates, nextDates } from './rules.ts'

export interface Next extends Dates {
  rule: Task['recurrence']
  section: Section
}

/**
 * What follows on a task that this edit completes; the edit takes its rule off then, so that a
 * series goes on once. `section` is the column it is in now, `assignees` those who have it now;
 * nothing opens in the column `leaving`, which is about to go.
 */
export async function upcoming(
  edit: Edit,
  section: Section,
  assignees: readonly ActorRow[],
  leaving?: Section,
): Promise<Next | undefined> {
  const { ctx, task, set } = edit
  const isAnew = set.due_date !== undefined || set.recurrence !== undefined
  if (isAnew && task.repeats_from !== null) set.repeats_from = null
  const startsAnew = set.start_date !== undefined || set.recurrence !== undefined
  if (startsAnew && task.starts_from !== null) set.starts_from = null
  const after = { ...task, ...set }
  const { recurrence: rule, due_date: due, start_date: start, repeats_from: from } = after
  if (rule === null || !isCompletion(task, after)) return undefined
  const opens = await opening(ctx, section, leaving)
  const zone = await zoneOf(ctx, assignees)
  const dates =
    opens && nextDates({ rule, due, start, meant: after.starts_from, from, zone, now: ctx.now })
  if (!dates) return undefined
  edit.put('recurrence', null)
  if (task.repeats_from !== null) set.repeats_from = null
  if (task.starts_from !== null) set.starts_from = null
  return { ...dates, rule, section: opens }
}

/** Done where it stands, or put away by somebody; on another board it is only moved. */
function isCompletion(before: Task, after: Task): boolean {
  if (before.project_id !== after.project_id || before.completed_at) return false
  if (after.status === 'Archive') return before.status === 'Normal'
  return after.status === 'Normal' && after.completed_at !== null
}

/** Where the next one waits; nowhere on a board where every column counts as done. */
async function opening(
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

/** Opens the next task of a series, and ties it to the one that is done. */
export async function occur(
  ctx: Context,
  project: Project,
  done: Task,
  { rule, section, ...dates }: Next,
): Promise<NonNullable<TaskReceipt['next_occurrence']>> {
  const { tx } = ctx
  const assignees = together(
    await among(ctx, project, await assigneesOf(tx, done)),
    await handedTo(ctx, project, section),
  )
  const task = await writeTask(ctx, project, section, {
    fields: {
      ...{ title: done.title, description: done.description, content_type: done.content_type },
      description_version: done.description === null ? 0 : 1,
      ...{ priority: done.priority, estimate: done.estimate, recurrence: rule },
      parent_task_id: done.parent_task_id,
      ...dates,
    },
    labels: await labelsOn(tx, done),
    assignees,
  })
  await keepMentions(ctx, done, task)
  await tie(ctx, done, task)
  const { task_id, ticket_number, due_date, start_date } = task
  return { task_id, ticket_number, due_date, start_date: start_date?.toISOString() ?? null }
}

/** Whom the text names has been told of it. */
async function keepMentions({ tx }: Context, done: Task, { team_id, task_id }: Task) {
  const named = await tx
    .select({ actor_id: taskMentions.actor_id })
    .from(taskMentions)
    .where(and(eq(taskMentions.team_id, team_id), eq(taskMentions.task_id, done.task_id)))
  if (!named.length) return
  await tx
    .insert(taskMentions)
    .values(named.map(({ actor_id }) => ({ team_id, task_id, actor_id })))
}

/** A new task has the higher number, so it is the second of the two. */
async function tie(ctx: Context, done: Task, next: Task) {
  const { tx, caller, now } = ctx
  const [made] = await tx
    .insert(relations)
    .values({
      ...{ team_id: done.team_id, kind: 'related', first_id: done.task_id },
      ...{ second_id: next.task_id, created_by: caller.actor_id, created_at: now },
    })
    .returning({ relation_id: relations.relation_id })
  const told = { ...made!, relation_type: 'RelatedTo' }
  for (const [task, other] of [
    [done, next],
    [next, done],
  ] as const)
    ctx.emit(
      'relation.created',
      { ...placeOf(task), task_id: task.task_id },
      { ...told, ticket_number: task.ticket_number, other_ticket_number: other.ticket_number },
    )
}
