import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { nextCursor, type Sweep } from '../../../inbox/reminders/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { SYSTEM_ACTOR_ID } from '../../people/model/index.ts'
import { revokeCredentials, withChanges } from './revocation.ts'

const { credential_id, kind, expires_at, revoked_at } = credentials

/** Revokes agent tokens that have expired, so that their agents become inactive. */
export const expiredTokenSweep: Sweep<{ credential_id: number }> = {
  name: 'expired tokens',
  async find(tx, now, limit, from) {
    const rows = await tx
      .select({ credential_id })
      .from(credentials)
      .where(
        and(
          // A literal, because SQLite uses the partial index only for a literal.
          sql`${kind} = 'agent'`,
          isNull(revoked_at),
          lte(expires_at, now),
          from && gt(credential_id, from.credential_id),
        ),
      )
      .orderBy(asc(credential_id))
      .limit(limit)
    return { ids: rows.map((row) => row.credential_id), ...nextCursor(rows, limit) }
  },
  async run(tx, now, ids) {
    const condition = and(eq(kind, 'agent'), inArray(credential_id, [...ids]))
    const by = { actor_id: SYSTEM_ACTOR_ID }
    const revoked = await withChanges(tx, by, now, (writer) => revokeCredentials(writer, condition))
    return revoked.length
  },
}
