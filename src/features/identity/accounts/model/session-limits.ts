import { and, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { credentials, earliest } from '../../credentials/model/index.ts'
import { signIns } from '../../sign_ins/model/index.ts'
import { daysAfter, sessionLimit } from '../../team_policy/model/index.ts'
import { members } from '../../teams/model/index.ts'

const LIFETIME_DAYS = 30

/** When a session that begins now ends, by the rules of this product and of the person's teams. */
export async function sessionExpiry(
  tx: Tx,
  { user_id, sign_in_id }: { user_id: number; sign_in_id: number | null },
  now: Date,
): Promise<Date> {
  const [signIn] =
    sign_in_id === null
      ? []
      : await tx
          .select({ created_at: signIns.created_at })
          .from(signIns)
          .where(eq(signIns.sign_in_id, sign_in_id))
  const limit = await sessionLimit(tx, user_id, signIn?.created_at ?? now)
  return earliest(daysAfter(now, LIFETIME_DAYS), limit)!
}

/**
 * Applies a shorter limit to the sessions that people of a team have already. Those of younger
 * sign-ins get their exact end when they are rotated, which happens every day that they are used.
 */
export async function limitSessions(tx: Tx, team_id: number, days: number, now: Date) {
  const people = tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .where(eq(members.team_id, team_id))
  const sessions = and(
    eq(credentials.kind, 'session'),
    isNull(credentials.revoked_at),
    inArray(credentials.actor_id, people),
  )
  const expire = (expires_at: Date, condition?: ReturnType<typeof and>) =>
    tx
      .update(credentials)
      .set({ expires_at })
      .where(and(sessions, gt(credentials.expires_at, expires_at), condition))
  const oldSignIns = tx
    .select({ sign_in_id: signIns.sign_in_id })
    .from(signIns)
    .where(and(inArray(signIns.actor_id, people), lte(signIns.created_at, daysAfter(now, -days))))
  await expire(now, inArray(credentials.sign_in_id, oldSignIns))
  await expire(daysAfter(now, days))
}
