import { eq, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { dayOf, HOURLY_LIMITS, hourOf, secondsToNextHour } from './rules.ts'
import { feedbackCounts, feedbackReports } from './tables.ts'

export type Report = typeof feedbackReports.$inferSelect
type Same = Pick<Report, 'tool' | 'status' | 'error_code' | 'category'>

/**
 * A repeated report only increments the count. A single statement inserts or increments, so that
 * concurrent reports are all counted.
 */
export async function recordReport({ tx, now }: Context, same: Same): Promise<Report> {
  const day = dayOf(now)
  const { tool, status, error_code, category } = feedbackReports
  const [report] = await tx
    .insert(feedbackReports)
    .values({ ...same, count: 1, first_day: day, last_day: day })
    .onConflictDoUpdate({
      target: [tool, status, error_code, category],
      set: { count: sql`${feedbackReports.count} + 1`, last_day: day },
    })
    .returning()
  return report!
}

/**
 * Counts a report towards the hourly limit of the account, and throws if it is exceeded; then
 * nothing is stored.
 */
export async function countTowardsLimit(ctx: Context, isNew: boolean): Promise<void> {
  const { tx, now, caller } = ctx
  const hour = hourOf(now)
  await tx.delete(feedbackCounts).where(lt(feedbackCounts.hour, hour))
  const kind = isNew ? 'fresh' : 'bumps'
  const [row] = await tx
    .insert(feedbackCounts)
    .values({ actor_id: caller.person_id, hour, fresh: 0, bumps: 0, [kind]: 1 })
    .onConflictDoUpdate({
      target: [feedbackCounts.hour, feedbackCounts.actor_id],
      set: { [kind]: sql`${feedbackCounts[kind]} + 1` },
    })
    .returning()
  if (row![kind] <= HOURLY_LIMITS[kind]) return
  const what = isNew ? 'new reports' : 'repeated reports'
  throw new Fault(
    'rate_limited',
    `More than ${HOURLY_LIMITS[kind]} ${what} in an hour from one account`,
    { retry_after: secondsToNextHour(now) },
    `Try again in ${secondsToNextHour(now)} s; problems reported before are already known`,
  )
}

export const remember = ({ tx }: Context, { feedback_report_id }: Report, task_id: number) =>
  tx
    .update(feedbackReports)
    .set({ task_id })
    .where(eq(feedbackReports.feedback_report_id, feedback_report_id))
