import { and, eq, inArray, isNull, lte, or, type SQL } from 'drizzle-orm'
import type { Caller, Tx } from '../../../../kernel/caller.ts'
import type { LogoutRequest } from '../../../../kernel/issuers.ts'
import { callerFor } from '../../callers/model/index.ts'
import { credentialIdOf, credentials } from '../../credentials/model/index.ts'
import { signIns } from '../../sign_ins/model/index.ts'
import type { AccountServices } from './services.ts'
import { endSessions } from './sessions.ts'

/** How far the clocks of this server and of an issuer may differ. */
const TOLERANCE_MS = 60_000

/** The issuer through which the person of this session signed in, with their ID token. */
export async function issuerSessionOf({ store, server }: AccountServices, caller: Caller) {
  const [row] = await store.read((tx) =>
    tx
      .select({ issuer: signIns.issuer, id_token: signIns.id_token })
      .from(credentials)
      .innerJoin(signIns, eq(signIns.sign_in_id, credentials.sign_in_id))
      .where(eq(credentials.credential_id, credentialIdOf(caller.credential))),
  )
  if (!row?.issuer || !row.id_token) return undefined
  return { issuer: row.issuer, idToken: server.decrypt(ID_TOKEN, row.id_token) }
}

/** The purpose with which ID tokens are encrypted. */
export const ID_TOKEN = 'id token'

/**
 * Ends the sessions that an issuer has ended. Sessions that were opened after the request stay, so a
 * repeated request cannot sign anybody out again. Returns the number of ended sessions.
 */
export const endIssuerSessions = (
  { store, clock }: AccountServices,
  request: LogoutRequest,
  address: string,
): Promise<number> =>
  store.write(async (tx) => {
    const now = clock()
    const bySignIn = await matchingSignIns(tx, request)
    let total = 0
    for (const [actor_id, sign_in_ids] of bySignIn) {
      const ended = await endSessions(
        tx,
        actor_id,
        now,
        inArray(credentials.sign_in_id, sign_in_ids),
      )
      total += ended
      if (!ended) continue
      const { teams } = await callerFor(tx, actor_id)
      await store.append(tx, { actor_id, teams, address }, now, [
        { type: 'session.closed', place: {}, data: { ended } },
      ])
    }
    return total
  })

/** The sign-ins with a live session, by person. */
async function matchingSignIns(tx: Tx, { issuer, subject, session, sentAt }: LogoutRequest) {
  const matches: (SQL | undefined)[] = [
    session ? eq(signIns.issuer_session, session) : undefined,
    // A request with a session ends only that one.
    subject && !session ? eq(signIns.subject, subject) : undefined,
  ]
  const latest = new Date(sentAt.getTime() + TOLERANCE_MS)
  const rows = await tx
    .select({ sign_in_id: signIns.sign_in_id, actor_id: signIns.actor_id })
    .from(signIns)
    .innerJoin(credentials, eq(credentials.sign_in_id, signIns.sign_in_id))
    .where(
      and(
        eq(signIns.issuer, issuer),
        or(...matches),
        lte(signIns.created_at, latest),
        isNull(credentials.revoked_at),
      ),
    )
  const grouped = Map.groupBy(rows, ({ actor_id }) => actor_id)
  return [...grouped].map(
    ([actor_id, found]) => [actor_id, found.map(({ sign_in_id }) => sign_in_id)] as const,
  )
}
