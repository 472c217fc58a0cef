import { getTableColumns } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { param, prepared } from '../../store/prepared.ts'
import { findLabels, type Label } from '../labels/index.ts'
import type { ActorRow } from '../people/index.ts'
import { nameOf, type Project, placeOf, takeNumber } from '../projects/index.ts'
import { findSection, firstOpenSection, type Section } from '../sections/index.ts'
import type { Task } from './address.ts'
import { assignTo, deadline, emitHandover, handedTo, peopleOn, together } from './assignees.ts'
import { rankAtEnd } from './columns.ts'
import { tally } from './counts.ts'
import { type Described, keepVersion, type Sent } from './description/descriptions.ts'
import { tellMentioned } from './description/mentions.ts'
import { checkParent } from './family.ts'
import { kept } from './fields.ts'
import { keepMove } from './flow/moves.ts'
import { replaceLabels } from './labels.ts'
import type { Draft } from './schema.ts'
import { tasks } from './tables.ts'
import { keepText } from './texts.ts'
import { dueIn } from './values.ts'

const inserts = prepared((tx) => {
  const { task_id: _, ...columns } = getTableColumns(tasks)
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, param(name)]))
  return tx
    .insert(tasks)
    .values(values as never)
    .returning({ task_id: tasks.task_id })
    .prepare('task_insert')
})

export type NewTask = Omit<Draft, keyof Sent | 'assignee_ids'> & {
  described?: Described
  /** `me` is whoever asks, an agent too; another agent is named by its UUID. */
  assignee_ids?: readonly (number | string)[]
  /** Saves looking up what the caller has in hand. */
  section?: Section
}

/** A task as it is first written. */
export async function createTask(
  ctx: Context,
  project: Project,
  draft: NewTask,
): Promise<{ task: Task; section: Section }> {
  const { tx } = ctx
  const section = draft.section ?? (await columnFor(ctx, project, draft.section_id))
  if (typeof draft.parent_task_id === 'number') await checkParent(tx, project, draft.parent_task_id)
  const labels = await findLabels(ctx, project, draft.labels ?? [])
  const assignees = together(
    await peopleOn(ctx, project, draft.assignee_ids ?? []),
    await handedTo(ctx, project, section),
  )
  const due_date = dueIn(ctx, draft.due_date ?? null)
  const fields = { ...fieldsOf(ctx, draft), due_date, repeats_from: null, starts_from: null }
  const task = await writeTask(ctx, project, section, { fields, labels, assignees })
  await tellMentioned(ctx, project, task, draft, [])
  return { task, section }
}

type Placed = Awaited<ReturnType<typeof placed>>

interface Written {
  fields: Omit<Task, 'task_id' | 'due_at' | keyof Placed>
  labels: readonly Label[]
  assignees: readonly ActorRow[]
}

/** Writes and tells of a task of which everything has been looked up. */
export async function writeTask(
  ctx: Context,
  project: Project,
  section: Section,
  { fields, labels, assignees }: Written,
): Promise<Task> {
  const { tx } = ctx
  const row = {
    ...fields,
    due_at: await deadline(ctx, fields.due_date, assignees),
    ...(await placed(ctx, project, section)),
  }
  const [made] = await inserts(tx).execute(row)
  const task = { ...row, ...made! }
  await tally(tx, undefined, task)
  await keepMove(tx, ctx.now, undefined, task)
  await keepText(tx, task)
  await keepVersion(ctx, task)
  await replaceLabels(tx, task, [], labels)
  const handover = await assignTo(tx, task, [], assignees)
  const { task_id, ticket_number, title, section_id, parent_task_id } = task
  const created = {
    ...{ ticket_number, title, section_id, section: section.title },
    ...(parent_task_id !== null && { parent_task_id }),
  }
  ctx.emit('task.created', { ...placeOf(project), task_id }, created)
  emitHandover(ctx, task, handover)
  return task
}

const columnFor = (ctx: Context, project: Project, section_id: number | undefined) =>
  section_id === undefined
    ? firstOpenSection(ctx.tx, project)
    : findSection(ctx, project, section_id)

/** What does not depend on anything but the draft. */
const fieldsOf = (ctx: Context, draft: NewTask) => ({
  title: nameOf('title', draft.title),
  ...textOf(draft.described),
  ...kept(ctx, draft),
  parent_task_id: draft.parent_task_id ?? null,
})

const textOf = (described: Described | undefined) => ({
  description: described && 'text' in described ? described.text : null,
  content_type: described?.type ?? 'html',
  description_version: described && 'text' in described ? 1 : 0,
})

/** Taking the number locks the board's row, so that the rank read after it is still the last. */
async function placed({ tx, caller, now }: Context, project: Project, section: Section) {
  const { team_id, project_id, key } = project
  const unique_index = await takeNumber(tx, project_id)
  return {
    team_id,
    project_id,
    section_id: section.section_id,
    unique_index,
    ticket_number: `${key}-${unique_index}`,
    status: 'Normal' as const,
    rank: await rankAtEnd(tx, section),
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
