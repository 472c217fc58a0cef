import { inArray } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { sectionsById } from '../../../boards/sections/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { notifications } from '../../notifications/model/index.ts'
import type { NotificationRow } from './schema.ts'

export type Notification = typeof notifications.$inferSelect

/** Turns rows of the table into API records, in the same order. */
export async function toNotificationRows(
  tx: Tx,
  rows: readonly Notification[],
): Promise<NotificationRow[]> {
  if (!rows.length) return []
  const tasksById = await loadTasks(tx, rows)
  const actors = await actorsOf(
    tx,
    rows.map(({ by_id }) => by_id),
  )
  return rows.map((row) => ({
    notification_id: row.notification_id,
    kind: row.kind,
    important: row.important,
    folder: row.archived_at && ('Archive' as const),
    priority: row.priority,
    task: tasksById.get(row.task_id)!,
    actor: asActor(actors.get(row.by_id)!),
    ...(row.comment_id !== null && { comment_id: row.comment_id }),
    ...(row.decision_request_id !== null && { decision_request_id: row.decision_request_id }),
    ...(row.escalation_id !== null && { escalation_id: row.escalation_id }),
    ...(row.run_id !== null && { run_id: row.run_id }),
    snippet: row.snippet,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
    archived_at: row.archived_at?.toISOString() ?? null,
  }))
}

/** Loads the tasks of notifications, each with the title of its section and whether it is done. */
async function loadTasks(tx: Tx, rows: readonly Notification[]) {
  const taskRows = await tx
    .select({
      task_id: tasks.task_id,
      ticket_number: tasks.ticket_number,
      title: tasks.title,
      project_id: tasks.project_id,
      section_id: tasks.section_id,
    })
    .from(tasks)
    .where(
      inArray(
        tasks.task_id,
        rows.map(({ task_id }) => task_id),
      ),
    )
  const columns = await sectionsById(
    tx,
    taskRows.map(({ section_id }) => section_id),
  )
  return new Map(
    taskRows.map(({ section_id, ...task }) => {
      const { title: section, done } = columns.get(section_id)!
      return [task.task_id, { ...task, section, done }]
    }),
  )
}
