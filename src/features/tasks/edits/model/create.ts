import { getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { findLabels, type Label, replaceLabels } from '../../../boards/labels/model/index.ts'
import {
  cleanName,
  nextTicketNumber,
  type Project,
  placeOf,
} from '../../../boards/projects/model/index.ts'
import {
  findSection,
  firstOpenSection,
  type Section,
} from '../../../boards/sections/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { recordMove } from '../../../reports/flow/model/index.ts'
import { indexTask } from '../../../search/text_index/model/index.ts'
import {
  autoAssignees,
  dueTime,
  emitAssigneeChanges,
  replaceAssignees,
  resolveAssignees,
  uniqueActors,
} from '../../assignees/model/index.ts'
import {
  type DescriptionDraft,
  type DescriptionInput,
  notifyMentioned,
  saveVersion,
} from '../../descriptions/model/index.ts'
import { initialFields, parseDueDate } from '../../fields/model/index.ts'
import { type Task, tasks, updateCounts } from '../../tasks/model/index.ts'
import { checkParent } from './hierarchy.ts'
import type { Draft } from './schema.ts'
import { rankAtEnd } from './sections.ts'

const insertTask = prepared((tx) => {
  const { task_id: _, ...columns } = getTableColumns(tasks)
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, param(name)]))
  return tx
    .insert(tasks)
    .values(values as never)
    .returning({ task_id: tasks.task_id })
    .prepare('task_insert')
})

export type NewTask = Omit<Draft, keyof DescriptionDraft | 'assignee_ids'> & {
  described?: DescriptionInput
  /** `me` is the caller, be it a person or an agent; another agent is named by its UUID. */
  assignee_ids?: readonly (number | string)[]
  /** Set by callers that have loaded the section already. */
  section?: Section
}

/** Creates a task on a board, in its first open section unless the draft names one. */
export async function createTask(
  ctx: Context,
  project: Project,
  draft: NewTask,
): Promise<{ task: Task; section: Section }> {
  const { tx } = ctx
  const section = draft.section ?? (await findTargetSection(ctx, project, draft.section_id))
  if (typeof draft.parent_task_id === 'number') await checkParent(tx, project, draft.parent_task_id)
  const labels = await findLabels(ctx, project, draft.labels ?? [])
  const assignees = uniqueActors(
    await resolveAssignees(ctx, project, draft.assignee_ids ?? []),
    await autoAssignees(ctx, project, section),
  )
  const due_date = parseDueDate(ctx, draft.due_date ?? null)
  const fields = { ...draftFields(ctx, draft), due_date, repeats_from: null, starts_from: null }
  const task = await writeTask(ctx, project, section, { fields, labels, assignees })
  await notifyMentioned(ctx, project, task, draft, [])
  return { task, section }
}

type Placement = Awaited<ReturnType<typeof placementFields>>

interface TaskContents {
  fields: Omit<Task, 'task_id' | 'due_at' | 'assigned' | keyof Placement>
  labels: readonly Label[]
  assignees: readonly ActorRow[]
}

/** Inserts a task from resolved values and emits `task.created`. */
export async function writeTask(
  ctx: Context,
  project: Project,
  section: Section,
  { fields, labels, assignees }: TaskContents,
): Promise<Task> {
  const { tx } = ctx
  const row = {
    ...fields,
    due_at: await dueTime(ctx, fields.due_date, assignees),
    assigned: assignees.length > 0,
    ...(await placementFields(ctx, project, section)),
  }
  const [inserted] = await insertTask(tx).execute(row)
  const task = { ...row, ...inserted! }
  await updateCounts(tx, undefined, task)
  await recordMove(tx, ctx.now, undefined, task)
  await indexTask(tx, task)
  await saveVersion(ctx, task)
  await replaceLabels(tx, task, [], labels)
  const assigneeChanges = await replaceAssignees(tx, task, [], assignees)
  const { task_id, ticket_number, title, section_id, parent_task_id } = task
  const data = {
    ticket_number,
    title,
    section_id,
    section: section.title,
    ...(parent_task_id !== null && { parent_task_id }),
  }
  ctx.emit('task.created', { ...placeOf(project), task_id }, data)
  emitAssigneeChanges(ctx, task, assigneeChanges)
  return task
}

const findTargetSection = (ctx: Context, project: Project, section_id: number | undefined) =>
  section_id === undefined
    ? firstOpenSection(ctx.tx, project)
    : findSection(ctx, project, section_id)

/** The columns that follow from the draft alone. */
const draftFields = (ctx: Context, draft: NewTask) => ({
  title: cleanName('title', draft.title),
  ...descriptionFields(draft.described),
  ...initialFields(ctx, draft),
  parent_task_id: draft.parent_task_id ?? null,
})

const descriptionFields = (described: DescriptionInput | undefined) => ({
  description: described && 'text' in described ? described.text : null,
  content_type: described?.type ?? 'html',
  description_version: described && 'text' in described ? 1 : 0,
})

/**
 * `nextTicketNumber` locks the board's row, so the rank that is read after it, in the order in which
 * the statements are sent, is still the last one.
 */
async function placementFields({ tx, caller, now }: Context, project: Project, section: Section) {
  const { team_id, project_id, key } = project
  const [unique_index, rank] = await Promise.all([
    nextTicketNumber(tx, project_id),
    rankAtEnd(tx, section),
  ])
  return {
    team_id,
    project_id,
    section_id: section.section_id,
    unique_index,
    ticket_number: `${key}-${unique_index}`,
    status: 'Normal' as const,
    rank,
    created_by: caller.actor_id,
    created_at: now,
    updated_at: now,
    completed_at: section.done ? now : null,
    section_changed_at: now,
    snoozed_until: null,
    reminded: 0 as const,
    comment_count: 0,
    last_comment_at: null,
    attachment_count: 0,
    page_count: 0,
    pr_badge: null,
    leased_by: null,
  }
}
