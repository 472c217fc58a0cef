import { and, asc, eq, gt, inArray, isNull, lt, lte, or } from 'drizzle-orm'
import { nextCursor, type Sweep } from '../../../inbox/reminders/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { expireGrant } from './store.ts'
import { deviceRequests, grants } from './tables.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * Revokes grants that have expired, and grants whose code was never exchanged, so that their agents
 * become inactive.
 */
export const expiredGrantSweep: Sweep<{ credential_id: number }> = {
  name: 'expired grants',
  async find(tx, now, limit, from) {
    const isUnused = and(eq(grants.generation, 0), lte(grants.code_expires_at, now))
    const rows = await tx
      .select({ credential_id: grants.credential_id })
      .from(grants)
      .innerJoin(credentials, eq(credentials.credential_id, grants.credential_id))
      .where(
        and(
          isNull(credentials.revoked_at),
          or(lte(credentials.expires_at, now), isUnused),
          from && gt(grants.credential_id, from.credential_id),
        ),
      )
      .orderBy(asc(grants.credential_id))
      .limit(limit)
    return { ids: rows.map((row) => row.credential_id), ...nextCursor(rows, limit) }
  },
  async run(tx, now, ids) {
    for (const id of ids) await expireGrant(tx, id, now)
    return ids.length
  },
}

/** Deletes requests of devices a day after they have expired. */
export const deviceRequestSweep: Sweep<{ request_id: number }> = {
  name: 'expired device requests',
  async find(tx, now, limit, from) {
    const { request_id, expires_at } = deviceRequests
    const rows = await tx
      .select({ request_id })
      .from(deviceRequests)
      .where(
        and(
          lt(expires_at, new Date(now.getTime() - DAY_MS)),
          from && gt(request_id, from.request_id),
        ),
      )
      .orderBy(asc(request_id))
      .limit(limit)
    return { ids: rows.map((row) => row.request_id), ...nextCursor(rows, limit) }
  },
  async run(tx, _, ids) {
    await tx.delete(deviceRequests).where(inArray(deviceRequests.request_id, [...ids]))
    return ids.length
  },
}
