import { and, asc, gt, inArray, lt } from 'drizzle-orm'
import { nextCursor, type Sweep } from '../../../inbox/reminders/model/index.ts'
import { accountEmails } from './tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const { email_id, expires_at } = accountEmails

const isOld = (now: Date) => lt(expires_at, new Date(now.getTime() - DAY_MS))

/** Deletes emails a day after they expired, because the limit for an hour still counts them. */
export const oldEmailSweep: Sweep<{ email_id: number }> = {
  name: 'old account emails',
  async find(tx, now, limit, from) {
    const rows = await tx
      .select({ email_id })
      .from(accountEmails)
      .where(and(isOld(now), from && gt(email_id, from.email_id)))
      .orderBy(asc(email_id))
      .limit(limit)
    return { ids: rows.map((row) => row.email_id), ...nextCursor(rows, limit) }
  },
  async run(tx, now, ids) {
    const deleted = await tx
      .delete(accountEmails)
      .where(and(inArray(email_id, [...ids]), isOld(now)))
      .returning({ email_id })
    return deleted.length
  },
}
