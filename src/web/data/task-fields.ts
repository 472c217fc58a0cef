import { TASK_FIELDS } from '../../catalog.ts'

/** The fields of a task that the app edits. Runs at build time, so the app ships only a table. */
export const taskFields = (): typeof TASK_FIELDS => TASK_FIELDS
