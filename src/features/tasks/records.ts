import type { Context, Server } from '../../kernel/caller.ts'
import type { Section } from '../sections/index.ts'
import type { Task } from './address.ts'
import { type Around, around } from './around.ts'
import { shownValue, valuesOn } from './custom/values.ts'
import { shownFields } from './fields.ts'
import { openAmong } from './find/blocked.ts'
import { takenBy } from './lease/held.ts'
import { isOverdue, isSnoozed } from './rules.ts'
import type { TaskReceipt, TaskRecord, TaskRow } from './schema.ts'

/** A row without its description, which is read only where it is shown. */
export type Listed = Omit<Task, 'description'> & { description?: string | null }

/** The rows as they are shown, in their order. */
export async function shownTasks(ctx: Context, rows: readonly Listed[]): Promise<TaskRow[]> {
  const near = await around.many(ctx.tx, rows)
  const blockers = [...near.values()].flatMap((one) => one.blockers)
  const open = await openAmong(ctx.tx, blockers)
  return rows.map((row) => shown(ctx, row, near.get(row.task_id)!, open))
}

/** A task with its description. */
export async function shownRecord(ctx: Context, row: Task): Promise<TaskRecord> {
  const near = (await around.one(ctx.tx, row))!
  const open = await openAmong(ctx.tx, near.blockers)
  const isClipped = near.custom_fields.some(({ clipped }) => clipped)
  const custom_fields = isClipped
    ? (await valuesOn(ctx.tx, row)).map((value) => shownValue(value))
    : near.custom_fields
  const record = shown(ctx, row, { ...near, custom_fields }, open)
  return { ...record, description: row.description, lease: await takenBy(ctx, row) }
}

function shown(
  { server, now }: Context,
  row: Listed,
  near: Around,
  open: ReadonlySet<number>,
): TaskRow {
  return {
    task_id: row.task_id,
    ticket_number: row.ticket_number,
    unique_index: row.unique_index,
    project_id: row.project_id,
    section_id: row.section_id,
    section: near.section,
    done: near.done,
    title: row.title,
    ...(row.description !== undefined && { description: row.description }),
    content_type: row.content_type,
    description_version: row.description_version,
    ...shownFields(row),
    due_date: row.due_date,
    overdue: isOverdue(row, now),
    snoozed_until: isSnoozed(row, now) ? row.snoozed_until!.toISOString() : null,
    blocked: !row.completed_at && near.blockers.some((task_id) => open.has(task_id)),
    labels: near.labels,
    assignees: near.assignees,
    parent_task_id: row.parent_task_id,
    subtask_count: near.subtask_count,
    comment_count: row.comment_count,
    attachment_count: row.attachment_count,
    page_count: row.page_count,
    custom_fields: near.custom_fields,
    pr_badge: row.pr_badge,
    status: row.status,
    created_by: near.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    url: urlOf(server, row),
  }
}

const urlOf = ({ url }: Server, { ticket_number }: Listed) => `${url}/t/${ticket_number}`

export const receiptOf = (
  { server }: Context,
  task: Task,
  section: Section,
  changed: string[],
): TaskReceipt => ({
  task_id: task.task_id,
  ticket_number: task.ticket_number,
  title: task.title,
  project_id: task.project_id,
  section_id: task.section_id,
  section: section.title,
  status: task.status,
  ...(task.description !== null && { content_type: task.content_type }),
  description_version: task.description_version,
  updated_at: task.updated_at.toISOString(),
  url: urlOf(server, task),
  changed,
})
