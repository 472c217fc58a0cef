import type { Task } from './address.ts'

/** The board and the status of a task, which the rows of its labels and assignees copy. */
export type TaskPlace = Pick<Task, 'project_id' | 'status'>

export const hasNewPlace = (before: TaskPlace, after: TaskPlace): boolean =>
  before.project_id !== after.project_id || before.status !== after.status
