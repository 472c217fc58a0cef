import { and, eq, inArray, isNull, ne, or, type SQL } from 'drizzle-orm'
import type { Change, Tx, WriteContext } from '../../../../kernel/caller.ts'
import type { ChangeAuthor } from '../../../../kernel/dispatch.ts'
import { append } from '../../../../store/log.ts'
import {
  type Agent,
  agentsOwnedBy,
  differences,
  emitAgent,
  type NamedAgent,
  namedAgents,
  setAgent,
  withToken,
} from '../../../agents/agents/model/index.ts'
import { releaseAllOf } from '../../../agents/leases/model/index.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import { pullRequestReceivers } from '../../../tasks/pull_requests/model/index.ts'
import { calendarFeeds } from '../../../time/calendar/model/index.ts'
import { credentials, type Ended, revokeTree } from '../../credentials/model/index.ts'
import { invitations, placeOfInvitation } from '../../invitations/model/index.ts'

/**
 * Revokes these credentials and, in the same transaction, everything minted with them: keys, tokens,
 * agent tokens, calendar feeds, pull request receivers and open invitations. An agent left without a
 * token becomes inactive and can be enabled again.
 */
export async function revokeCredentials(
  ctx: WriteContext,
  condition: SQL | undefined,
): Promise<Ended[]> {
  const revoked = await revokeTree(ctx.tx, ctx.now, condition)
  if (!revoked.length) return revoked
  const ids = revoked.map(({ credential_id }) => credential_id)
  for (const credential of revoked) emitRevoked(ctx, credential)
  await deleteFeeds(ctx, inArray(calendarFeeds.credential_id, ids))
  await deleteReceivers(ctx, inArray(pullRequestReceivers.credential_id, ids))
  await revokeInvitations(ctx, inArray(invitations.credential_id, ids))
  const actors = revoked.filter(({ kind }) => kind !== 'session').map(({ actor_id }) => actor_id)
  await deactivateTokenless(ctx, [...new Set(actors)])
  return revoked
}

function emitRevoked(ctx: WriteContext, { credential_id, kind, name, ...ended }: Ended) {
  if (kind === 'key' || kind === 'token')
    ctx.emit('credential.revoked', {}, { credential_id, kind, name, user_id: ended.actor_id })
  if (kind === 'grant')
    ctx.emit('grant.revoked', {}, { grant_id: credential_id, name, user_id: ended.minted_by })
}

/** Revokes the tokens and grants of an agent and returns their ids. */
export async function revokeAgentTokens(
  ctx: WriteContext,
  { actor_id }: Agent,
  condition?: SQL,
): Promise<number[]> {
  const tokensOfAgent = and(
    eq(credentials.actor_id, actor_id),
    inArray(credentials.kind, ['agent', 'grant']),
    condition,
  )
  const revoked = await revokeCredentials(ctx, tokensOfAgent)
  return revoked
    .filter((credential) => credential.actor_id === actor_id)
    .map(({ credential_id }) => credential_id)
}

/** Revokes everything a person holds or minted, except sessions. Returns the number. */
export async function revokeAllOf(ctx: WriteContext, actor_id: number): Promise<number> {
  const heldOrMinted = or(eq(credentials.actor_id, actor_id), eq(credentials.minted_by, actor_id))
  const revoked = await revokeCredentials(ctx, and(heldOrMinted, ne(credentials.kind, 'session')))
  const feeds = await deleteFeeds(ctx, eq(calendarFeeds.actor_id, actor_id))
  return revoked.length + feeds
}

/** Deletes calendar feeds, so that their addresses stop working. */
async function deleteFeeds({ tx, emit }: WriteContext, condition: SQL): Promise<number> {
  const feeds = await tx.delete(calendarFeeds).where(condition).returning()
  for (const { feed_id, title, actor_id } of feeds)
    emit('calendar_feed.deleted', {}, { feed_id, title, user_id: actor_id })
  return feeds.length
}

async function deleteReceivers({ tx, emit }: WriteContext, condition: SQL): Promise<void> {
  const rows = await tx.delete(pullRequestReceivers).where(condition).returning()
  for (const { receiver_id, host, ...row } of rows)
    emit('pull_request_receiver.deleted', placeOf(row), { receiver_id, host })
}

async function revokeInvitations({ tx, now, emit }: WriteContext, condition: SQL): Promise<void> {
  const open = and(condition, isNull(invitations.accepted_at), isNull(invitations.revoked_at))
  const rows = await tx.update(invitations).set({ revoked_at: now }).where(open).returning()
  for (const row of rows)
    emit('invitation.revoked', placeOfInvitation(row), { invitation_id: row.invitation_id })
}

async function deactivateTokenless(ctx: WriteContext, actor_ids: readonly number[]): Promise<void> {
  const agents = await namedAgents(ctx.tx, actor_ids)
  const tokens = await withToken(ctx, agents)
  for (const agent of agents)
    if (agent.state === 'active' && !tokens.has(agent.actor_id)) await deactivate(ctx, agent)
}

/** Stops everything that works for a person: their agents, including native ones, and receivers. */
export async function stopAutomationOf(ctx: WriteContext, owner_id: number): Promise<void> {
  await deleteReceivers(ctx, eq(pullRequestReceivers.created_by, owner_id))
  for (const agent of await agentsOwnedBy(ctx.tx, owner_id))
    if (agent.state === 'active') await deactivate(ctx, agent)
}

/** Makes an agent inactive, which releases its leases and stops further assignments. */
async function deactivate(ctx: WriteContext, agent: NamedAgent): Promise<void> {
  const next = await setAgent(ctx.tx, agent, { state: 'inactive' })
  await releaseAllOf(ctx, next)
  const changed = differences<Pick<NamedAgent, 'state'>>(agent, { state: next.state })
  emitAgent(ctx, 'deactivated', next, { changed })
}

/** Runs a task outside of an operation, for CLI commands and sweeps, and writes its changes. */
export async function withChanges<T>(
  tx: Tx,
  by: ChangeAuthor,
  now: Date,
  task: (writer: WriteContext) => Promise<T>,
): Promise<T> {
  const changes: Change[] = []
  const emit: WriteContext['emit'] = (type, place, data) => void changes.push({ type, place, data })
  const result = await task({ tx, now, caller: by, emit })
  await append(tx, by, now, changes)
  return result
}
