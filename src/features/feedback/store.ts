import { eq, lt, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { dayOf, hourOf, MOST, wait } from './rules.ts'
import { feedbackCounts, feedbackReports } from './tables.ts'

export type Report = typeof feedbackReports.$inferSelect
type Same = Pick<Report, 'tool' | 'status' | 'error_code' | 'category'>

/**
 * The same report again only counts. One statement does either, so that of many who report one
 * thing at once all are counted.
 */
export async function keep({ tx, now }: Context, same: Same): Promise<Report> {
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

/** Counts towards the hour of whoever reports, and refuses what is too much: nothing is kept then. */
export async function countTowards(ctx: Context, isNew: boolean): Promise<void> {
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
  if (row![kind] <= MOST[kind]) return
  const what = isNew ? 'new reports' : 'repeated reports'
  throw new Fault(
    'rate_limited',
    `More than ${MOST[kind]} ${what} in an hour from one account`,
    { retry_after: wait(now) },
    `Try again in ${wait(now)} s; what you met before is known already`,
  )
}

export const remember = ({ tx }: Context, { feedback_report_id }: Report, task_id: number) =>
  tx
    .update(feedbackReports)
    .set({ task_id })
    .where(eq(feedbackReports.feedback_report_id, feedback_report_id))
