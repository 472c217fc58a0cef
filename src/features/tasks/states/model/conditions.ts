import { type Column, sql } from 'drizzle-orm'

interface OpenColumns {
  status: Column
  completed_at: Column
}

export const isOpenTask = ({ status, completed_at }: OpenColumns) =>
  sql`${status} = 'Normal' and ${completed_at} is null`

interface ReminderColumns extends OpenColumns {
  reminded: Column
  due_at: Column
}

/** Open, with a due date, and with reminders still to be sent. */
export const needsReminder = (task: ReminderColumns) =>
  sql`${isOpenTask(task)} and ${task.reminded} < 2 and ${task.due_at} is not null`

/** Completed and not archived. */
export const isFinished = ({ status, completed_at }: OpenColumns) =>
  sql`${status} = 'Normal' and ${completed_at} is not null`

interface LeaseColumns extends OpenColumns {
  leased_by: Column
}

/** Open and without a lease. A task stays out of the queues until its lease has ended. */
export const isUnleased = (task: LeaseColumns) =>
  sql`${isOpenTask(task)} and ${task.leased_by} is null`

/** Queues have urgent tasks first. Both are constants, like the conditions of their indexes. */
export const isUrgent = (task: { priority: Column }) => sql`${task.priority} = 1`
export const isLessUrgent = (task: { priority: Column }) => sql`${task.priority} <> 1`

/** Open and leased. */
export const isLeased = (task: LeaseColumns) =>
  sql`${isOpenTask(task)} and ${task.leased_by} is not null`

/** Open and with a due date. */
export const isScheduled = (task: OpenColumns & { due_at: Column }) =>
  sql`${isOpenTask(task)} and ${task.due_at} is not null`

/** Open, with a due date and a repeat rule. */
export const isRepeating = (task: OpenColumns & { due_at: Column; recurrence: Column }) =>
  sql`${isScheduled(task)} and ${task.recurrence} is not null`

/** Constants, because an index on a condition serves no query with parameters. */
export const hasComments = (task: { comment_count: Column }) => sql`${task.comment_count} > 0`
export const hasPages = (task: { page_count: Column }) => sql`${task.page_count} > 0`
