import type { Context, Server } from '../../../../kernel/caller.ts'
import { currentLease } from '../../../agents/leases/model/index.ts'
import { outputValue, valuesOn } from '../../../boards/custom_fields/model/index.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { outputFields } from '../../fields/model/index.ts'
import { openAmong } from '../../relations/model/index.ts'
import { isOverdue, isSnoozed } from '../../states/model/index.ts'
import type { Task, TaskSummary } from '../../tasks/model/index.ts'
import { type TaskDetails, taskDetails } from './details.ts'
import type { TaskReceipt, TaskRecord, TaskRow } from './schema.ts'

/** Converts rows to their output form, in the same order. */
export async function toTaskRows(ctx: Context, rows: readonly TaskSummary[]): Promise<TaskRow[]> {
  const detailsByTask = await taskDetails.getMany(ctx.tx, rows)
  const blockers = [...detailsByTask.values()].flatMap((details) => details.blockers)
  const open = await openAmong(ctx.tx, blockers)
  return rows.map((row) => toTaskRow(ctx, row, detailsByTask.get(row.task_id)!, open))
}

/** Converts a task to its output form with description and lease. */
export async function toTaskRecord(ctx: Context, row: Task): Promise<TaskRecord> {
  const details = (await taskDetails.get(ctx.tx, row))!
  const open = await openAmong(ctx.tx, details.blockers)
  const isClipped = details.custom_fields.some(({ clipped }) => clipped)
  const custom_fields = isClipped
    ? (await valuesOn(ctx.tx, row)).map((value) => outputValue(value))
    : details.custom_fields
  const record = toTaskRow(ctx, row, { ...details, custom_fields }, open)
  return { ...record, description: row.description, lease: await currentLease(ctx, row) }
}

export function toTaskRow(
  { server, now }: Pick<Context, 'server' | 'now'>,
  row: TaskSummary,
  details: TaskDetails,
  open: ReadonlySet<number>,
): TaskRow {
  return {
    task_id: row.task_id,
    ticket_number: row.ticket_number,
    unique_index: row.unique_index,
    project_id: row.project_id,
    section_id: row.section_id,
    section: details.section,
    done: details.done,
    title: row.title,
    ...(row.description !== undefined && { description: row.description }),
    content_type: row.content_type,
    description_version: row.description_version,
    ...outputFields(row),
    due_date: row.due_date,
    ...currentState({ now, open }, row, details.blockers),
    labels: details.labels,
    assignees: details.assignees,
    parent_task_id: row.parent_task_id,
    subtask_count: details.subtask_count,
    comment_count: row.comment_count,
    attachment_count: row.attachment_count,
    page_count: row.page_count,
    custom_fields: details.custom_fields,
    pr_badge: row.pr_badge,
    status: row.status,
    created_by: details.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    url: urlOf(server, row),
  }
}

/** What changes without a write to the task: by time, or because another task was completed. */
export const currentState = (
  { now, open }: { now: Date; open: ReadonlySet<number> },
  task: Pick<TaskSummary, 'due_at' | 'completed_at' | 'status' | 'snoozed_until'>,
  blockers: readonly number[],
) => ({
  overdue: isOverdue(task, now),
  snoozed_until: isSnoozed(task, now) ? task.snoozed_until!.toISOString() : null,
  blocked: !task.completed_at && blockers.some((task_id) => open.has(task_id)),
})

const urlOf = ({ url }: Server, { ticket_number }: TaskSummary) => `${url}/t/${ticket_number}`

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
