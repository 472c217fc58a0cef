import { type Column, sql } from 'drizzle-orm'

/** Urgent tasks come before all others. Said without parameters, as the index says it. */
export const urgencyOf = (priority: Column) => sql`(case when ${priority} = 1 then 0 else 1 end)`

interface Waiting {
  status: Column
  completed_at: Column
}

export const isWaiting = ({ status, completed_at }: Waiting) =>
  sql`${status} = 'Normal' and ${completed_at} is null`

interface Takeable extends Waiting {
  leased_by: Column
}

/** Waiting, and nobody's: what has been taken stands in no queue until its lease has ended. */
export const isUntaken = (task: Takeable) => sql`${isWaiting(task)} and ${task.leased_by} is null`

/** Waiting, and somebody's. */
export const isTaken = (task: Takeable) => sql`${isWaiting(task)} and ${task.leased_by} is not null`

export const hasPages = (task: { page_count: Column }) => sql`${task.page_count} > 0`
