import { getTableColumns } from 'drizzle-orm'
import type { Task } from './address.ts'
import { tasks } from './tables.ts'

const { description: _, ...withoutText } = getTableColumns(tasks)

/** All columns except the description, which is loaded only where it is shown. */
export const summaryColumns = withoutText

export type TaskSummary = Omit<Task, 'description'> & { description?: string | null }
