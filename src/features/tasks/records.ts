import type { Context, Server } from '../../kernel/caller.ts'
import { asActor } from '../people/index.ts'
import type { Section } from '../sections/index.ts'
import type { Task } from './address.ts'
import { around } from './around.ts'
import { shownFields } from './fields.ts'
import { isOverdue } from './rules.ts'
import type { TaskReceipt, TaskRecord, TaskRow } from './schema.ts'

/** A row without its description, which is read only where it is shown. */
export type Listed = Omit<Task, 'description'> & { description?: string | null }

/** The rows as they are shown, in their order. */
export async function shownTasks(ctx: Context, rows: readonly Listed[]): Promise<TaskRow[]> {
  if (!rows.length) return []
  const near = await around(ctx.tx, rows)
  return rows.map((row) => shown(ctx, row, near))
}

export async function shownRecords(ctx: Context, rows: readonly Task[]): Promise<TaskRecord[]> {
  const records = await shownTasks(ctx, rows)
  return records.map((record, at) => ({ ...record, description: rows[at]!.description }))
}

type Around = Awaited<ReturnType<typeof around>>

function shown({ server, now }: Context, row: Listed, near: Around): TaskRow {
  const { task_id } = row
  const section = near.columns.get(row.section_id)!
  return {
    task_id,
    ticket_number: row.ticket_number,
    unique_index: row.unique_index,
    project_id: row.project_id,
    section_id: row.section_id,
    section: section.title,
    done: section.done,
    title: row.title,
    ...(row.description !== undefined && { description: row.description }),
    content_type: row.content_type,
    description_version: row.description_version,
    ...shownFields(row),
    due_date: row.due_date,
    overdue: isOverdue(row, now),
    labels: (near.labels.get(task_id) ?? []).map(({ label }) => label),
    assignees: (near.assignees.get(task_id) ?? []).map(({ actor }) => asActor(actor)),
    parent_task_id: row.parent_task_id,
    subtask_count: near.children.get(task_id) ?? 0,
    status: row.status,
    created_by: asActor(near.creators.get(row.created_by)!),
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
  description_version: task.description_version,
  updated_at: task.updated_at.toISOString(),
  url: urlOf(server, task),
  changed,
})
