import type { Output } from '../../data/client.ts'

/** The task fields that the list requests. */
export const FIELDS = [
  ...(['task_id', 'ticket_number', 'project_id', 'section_id', 'title', 'done', 'group'] as const),
  ...(['due_date', 'overdue', 'priority', 'recurrence', 'snoozed_until'] as const),
  ...(['blocked', 'labels', 'assignees', 'subtask_count'] as const),
] as const
export type MyTask = Pick<Output<'my_tasks.list'>['items'][number], (typeof FIELDS)[number]>
export type Group = Output<'my_tasks.groups'>['groups'][number]
export type MyView = Output<'my_views.list'>['items'][number]

/** A row of the list: a group header or a task. */
export type Row =
  | { kind: 'group'; key: string; group: Group }
  | { kind: 'task'; key: number; task: MyTask }
