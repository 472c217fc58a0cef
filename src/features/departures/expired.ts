import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { credentials } from '../credentials/index.ts'
import { HOUSE } from '../people/index.ts'
import { onward, type Sweep } from '../reminders/index.ts'
import { endCredentials, ending } from './endings.ts'

const { credential_id, kind, expires_at, revoked_at } = credentials

/** Revokes agent tokens that have expired, so that their agents become inactive. */
export const expiring: Sweep<{ credential_id: number }> = {
  name: 'expired tokens',
  async look(tx, now, most, from) {
    const rows = await tx
      .select({ credential_id })
      .from(credentials)
      .where(
        and(
          // A literal, so that SQLite sees that the partial index serves.
          sql`${kind} = 'agent'`,
          isNull(revoked_at),
          lte(expires_at, now),
          from && gt(credential_id, from.credential_id),
        ),
      )
      .orderBy(asc(credential_id))
      .limit(most)
    return { ids: rows.map((row) => row.credential_id), ...onward(rows, most) }
  },
  async act(tx, now, ids) {
    const which = and(eq(kind, 'agent'), inArray(credential_id, [...ids]))
    const by = { actor_id: HOUSE }
    const ended = await ending(tx, by, now, (writer) => endCredentials(writer, which))
    return ended.length
  },
}
