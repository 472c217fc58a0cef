import { and, asc, eq, inArray, isNotNull, isNull, ne } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { IssuerIdentity } from '../../../../kernel/issuers.ts'
import { actors, people } from '../../people/model/index.ts'
import { members } from '../../teams/model/index.ts'
import { linkedIdentities } from './tables.ts'

export type LinkedIdentity = typeof linkedIdentities.$inferSelect

type Subject = Pick<IssuerIdentity, 'issuer' | 'subject'>

const isSubject = ({ issuer, subject }: Subject) =>
  and(eq(linkedIdentities.issuer, issuer), eq(linkedIdentities.subject, subject))

export async function findIdentity(tx: Tx, subject: Subject): Promise<LinkedIdentity | undefined> {
  const [row] = await tx.select().from(linkedIdentities).where(isSubject(subject))
  return row
}

export interface NewIdentity extends Subject {
  actor_id: number
  email: string | null
  /** Null if an admin has to approve it. */
  approved_at: Date | null
}

/**
 * Links an identity to a person. Returns undefined if it is linked already, even by a concurrent
 * request.
 */
export async function insertIdentity(tx: Tx, identity: NewIdentity, now: Date) {
  const { issuer, subject, actor_id, email, approved_at } = identity
  const values = { issuer, subject, actor_id, email, approved_at }
  const [row] = await tx
    .insert(linkedIdentities)
    .values({ ...values, created_at: now, managed_team_ids: [] })
    .onConflictDoNothing()
    .returning()
  return row
}

/** Approves a waiting link. Returns false if it is gone or was approved before. */
export async function approveIdentity(tx: Tx, identity_id: number, now: Date): Promise<boolean> {
  const waiting = and(
    eq(linkedIdentities.identity_id, identity_id),
    isNull(linkedIdentities.approved_at),
  )
  const rows = await tx
    .update(linkedIdentities)
    .set({ approved_at: now })
    .where(waiting)
    .returning({ identity_id: linkedIdentities.identity_id })
  return rows.length > 0
}

export async function deleteIdentity(tx: Tx, identity_id: number): Promise<void> {
  await tx.delete(linkedIdentities).where(eq(linkedIdentities.identity_id, identity_id))
}

export async function updateUse(
  tx: Tx,
  { identity_id }: LinkedIdentity,
  changes: Pick<LinkedIdentity, 'last_used_at' | 'managed_team_ids'>,
): Promise<void> {
  await tx
    .update(linkedIdentities)
    .set(changes)
    .where(eq(linkedIdentities.identity_id, identity_id))
}

/** All links of a person, also waiting ones. */
export const identitiesOf = (tx: Tx, actor_id: number): Promise<LinkedIdentity[]> =>
  tx
    .select()
    .from(linkedIdentities)
    .where(eq(linkedIdentities.actor_id, actor_id))
    .orderBy(asc(linkedIdentities.identity_id))

/** Whether a person can sign in through another identity at one of these issuers. */
export async function hasOtherIdentity(
  tx: Tx,
  { actor_id, identity_id }: LinkedIdentity,
  issuers: readonly string[],
): Promise<boolean> {
  if (!issuers.length) return false
  const { approved_at, issuer } = linkedIdentities
  const others = and(
    eq(linkedIdentities.actor_id, actor_id),
    ne(linkedIdentities.identity_id, identity_id),
    isNotNull(approved_at),
    inArray(issuer, [...issuers]),
  )
  return (await tx.select().from(linkedIdentities).where(others).limit(1)).length > 0
}

/** Links of the people of a team that wait for the approval of an admin, with these people. */
export const waitingIdentities = (tx: Tx, team_id: number, identity_id?: number) =>
  tx
    .select({
      identity: linkedIdentities,
      name: actors.name,
      account_email: people.email,
      role: members.role,
    })
    .from(linkedIdentities)
    .innerJoin(members, eq(members.actor_id, linkedIdentities.actor_id))
    .innerJoin(actors, eq(actors.actor_id, linkedIdentities.actor_id))
    .innerJoin(people, eq(people.actor_id, linkedIdentities.actor_id))
    .where(
      and(
        eq(members.team_id, team_id),
        isNull(linkedIdentities.approved_at),
        identity_id === undefined ? undefined : eq(linkedIdentities.identity_id, identity_id),
      ),
    )
    .orderBy(asc(linkedIdentities.identity_id))
