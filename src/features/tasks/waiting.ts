import { type Column, sql } from 'drizzle-orm'

/** Urgent tasks come before all others. Said without parameters, as the index says it. */
export const urgencyOf = (priority: Column) => sql`(case when ${priority} = 1 then 0 else 1 end)`

interface Waiting {
  status: Column
  completed_at: Column
}

export const isWaiting = ({ status, completed_at }: Waiting) =>
  sql`${status} = 'Normal' and ${completed_at} is null`

interface Due extends Waiting {
  reminded: Column
  due_at: Column
}

/** Due at some time, and not all was told of that. */
export const isUnreminded = (task: Due) =>
  sql`${isWaiting(task)} and ${task.reminded} < 2 and ${task.due_at} is not null`

/** Finished, and still shown on its board. */
export const isFinished = ({ status, completed_at }: Waiting) =>
  sql`${status} = 'Normal' and ${completed_at} is not null`

interface Takeable extends Waiting {
  leased_by: Column
}

/** Waiting, and nobody's: what has been taken stands in no queue until its lease has ended. */
export const isUntaken = (task: Takeable) => sql`${isWaiting(task)} and ${task.leased_by} is null`

/** Waiting, and somebody's. */
export const isTaken = (task: Takeable) => sql`${isWaiting(task)} and ${task.leased_by} is not null`

/** Waiting, and due some day. */
export const isComing = (task: Waiting & { due_at: Column }) =>
  sql`${isWaiting(task)} and ${task.due_at} is not null`

/** The same, and again once it is done. */
export const isRepeating = (task: Waiting & { due_at: Column; recurrence: Column }) =>
  sql`${isComing(task)} and ${task.recurrence} is not null`

export const hasPages = (task: { page_count: Column }) => sql`${task.page_count} > 0`
