import { and, eq, isNull, lt, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { callerFor } from '../../callers/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { revokeCredentials, withChanges } from '../../departures/model/index.ts'
import { people, SYSTEM_ACTOR_ID } from '../../people/model/index.ts'
import { grants } from './tables.ts'

export type Grant = Awaited<ReturnType<typeof findGrants>>[number]

/** Grants with their credentials, and with the agent or person that they act as. */
export const findGrants = (tx: Tx, condition: SQL | undefined) =>
  tx
    .select({ grant: grants, credential: credentials, agent: agents, person: people })
    .from(grants)
    .innerJoin(credentials, eq(credentials.credential_id, grants.credential_id))
    .innerJoin(people, eq(people.actor_id, grants.person_id))
    .leftJoin(agents, eq(agents.actor_id, credentials.actor_id))
    .where(condition)

export async function findGrant(tx: Tx, condition: SQL | undefined): Promise<Grant | undefined> {
  const [found] = await findGrants(tx, condition)
  return found
}

/** Whether a grant still gives access. */
export function isLive({ credential, agent, person }: Grant, now: Date): boolean {
  const { revoked_at, expires_at } = credential
  const isActive = agent ? agent.state === 'active' : true
  return !revoked_at && !(expires_at && expires_at <= now) && !person.deactivated_at && isActive
}

/** Revokes a grant because somebody misused one of its secrets, in the name of its person. */
export async function revokeMisused(tx: Tx, { grant }: Grant, now: Date): Promise<void> {
  const author = await callerFor(tx, grant.person_id)
  await revokeGrants(tx, author, grant.credential_id, now)
}

const revokeGrants = (
  tx: Tx,
  by: Parameters<typeof withChanges>[1],
  credential_id: number,
  now: Date,
) =>
  withChanges(tx, by, now, (writer) =>
    revokeCredentials(
      writer,
      and(eq(credentials.credential_id, credential_id), isNull(credentials.revoked_at)),
    ),
  )

/** Revokes a grant that has expired or was never used, in the name of the system. */
export const expireGrant = (tx: Tx, credential_id: number, now: Date) =>
  revokeGrants(tx, { actor_id: SYSTEM_ACTOR_ID }, credential_id, now)

const DAY_MS = 24 * 60 * 60_000

/** Deletes access tokens that expired a day ago: every client gets a new one each hour. */
export async function deleteExpired(tx: Tx, grant_id: number, now: Date): Promise<void> {
  const { parent_id, kind, expires_at } = credentials
  const ofGrant = and(eq(parent_id, grant_id), eq(kind, 'access'))
  const before = new Date(now.getTime() - DAY_MS)
  await tx.delete(credentials).where(and(ofGrant, lt(expires_at, before)))
}
