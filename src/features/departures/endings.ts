import { and, eq, inArray, isNull, ne, or, type SQL } from 'drizzle-orm'
import type { Change, Tx, Writer } from '../../kernel/caller.ts'
import type { By } from '../../kernel/dispatch.ts'
import { append } from '../../store/log.ts'
import {
  type Agent,
  agentsOwnedBy,
  differences,
  type NamedAgent,
  namedAgents,
  setAgent,
  tellOfAgent,
  withToken,
} from '../agents/index.ts'
import { calendarFeeds } from '../calendar/index.ts'
import { credentials, type Ended, revokeTree } from '../credentials/index.ts'
import { invitations, placeOfInvitation } from '../invitations/index.ts'
import { letGo } from '../leases/index.ts'
import { placeOf } from '../projects/index.ts'
import { pullRequestReceivers } from '../pull_requests/index.ts'

/**
 * Revokes these credentials and, in the same transaction, all that was minted with them: keys and
 * tokens, tokens of agents, calendar feeds, receivers and open invitations. An agent that is left
 * without a token becomes inactive and can be enabled again.
 */
export async function endCredentials(ctx: Writer, which: SQL | undefined): Promise<Ended[]> {
  const ended = await revokeTree(ctx.tx, ctx.now, which)
  if (!ended.length) return ended
  const ids = ended.map(({ credential_id }) => credential_id)
  for (const { credential_id, kind, name, actor_id } of ended)
    if (kind === 'key' || kind === 'token')
      ctx.emit('credential.revoked', {}, { credential_id, kind, name, user_id: actor_id })
  await endFeeds(ctx, inArray(calendarFeeds.credential_id, ids))
  await endReceivers(ctx, inArray(pullRequestReceivers.credential_id, ids))
  await withdraw(ctx, inArray(invitations.credential_id, ids))
  const actors = ended.filter(({ kind }) => kind === 'agent').map(({ actor_id }) => actor_id)
  await stopTokenless(ctx, [...new Set(actors)])
  return ended
}

/** Ends the tokens of an agent at once, and says which those were. */
export async function endTokens(ctx: Writer, { actor_id }: Agent, which?: SQL): Promise<number[]> {
  const theirs = and(eq(credentials.actor_id, actor_id), eq(credentials.kind, 'agent'), which)
  const ended = await endCredentials(ctx, theirs)
  return ended.filter((one) => one.actor_id === actor_id).map(({ credential_id }) => credential_id)
}

/** Ends what a person holds or minted, sessions aside; says how many that was. */
export async function endAll(ctx: Writer, actor_id: number): Promise<number> {
  const theirs = or(eq(credentials.actor_id, actor_id), eq(credentials.minted_by, actor_id))
  const ended = await endCredentials(ctx, and(theirs, ne(credentials.kind, 'session')))
  const feeds = await endFeeds(ctx, eq(calendarFeeds.actor_id, actor_id))
  return ended.length + feeds
}

/** Deletes calendar feeds, so that their addresses show nothing any more. */
async function endFeeds({ tx, emit }: Writer, which: SQL): Promise<number> {
  const feeds = await tx.delete(calendarFeeds).where(which).returning()
  for (const { feed_id, title, actor_id } of feeds)
    emit('calendar_feed.deleted', {}, { feed_id, title, user_id: actor_id })
  return feeds.length
}

async function endReceivers({ tx, emit }: Writer, which: SQL): Promise<void> {
  const rows = await tx.delete(pullRequestReceivers).where(which).returning()
  for (const { receiver_id, host, ...row } of rows)
    emit('pull_request_receiver.deleted', placeOf(row), { receiver_id, host })
}

async function withdraw({ tx, now, emit }: Writer, which: SQL): Promise<void> {
  const open = and(which, isNull(invitations.accepted_at), isNull(invitations.revoked_at))
  const rows = await tx.update(invitations).set({ revoked_at: now }).where(open).returning()
  for (const row of rows)
    emit('invitation.revoked', placeOfInvitation(row), { invitation_id: row.invitation_id })
}

async function stopTokenless(ctx: Writer, actor_ids: readonly number[]): Promise<void> {
  const found = await namedAgents(ctx.tx, actor_ids)
  const tokens = await withToken(ctx, found)
  for (const agent of found)
    if (agent.state === 'active' && !tokens.has(agent.actor_id)) await deactivate(ctx, agent)
}

/** Stops what works in the name of a person: their agents, native ones too, and receivers. */
export async function stopWorkOf(ctx: Writer, owner_id: number): Promise<void> {
  await endReceivers(ctx, eq(pullRequestReceivers.created_by, owner_id))
  for (const agent of await agentsOwnedBy(ctx.tx, owner_id))
    if (agent.state === 'active') await deactivate(ctx, agent)
}

/** Makes an agent inactive: it gives back what it holds, and others stop assigning to it. */
async function deactivate(ctx: Writer, agent: NamedAgent): Promise<void> {
  const next = await setAgent(ctx.tx, agent, { state: 'inactive' })
  await letGo(ctx, next)
  const changed = differences<Pick<NamedAgent, 'state'>>(agent, { state: next.state })
  tellOfAgent(ctx, 'deactivated', next, { changed })
}

/** The same outside of an operation: for the operator, and for what time brings about. */
export async function ending<T>(
  tx: Tx,
  by: By,
  now: Date,
  job: (writer: Writer) => Promise<T>,
): Promise<T> {
  const changes: Change[] = []
  const emit: Writer['emit'] = (type, place, data) => void changes.push({ type, place, data })
  const made = await job({ tx, now, caller: by, emit })
  await append(tx, by, now, changes)
  return made
}
