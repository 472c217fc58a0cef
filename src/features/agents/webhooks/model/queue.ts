import { and, eq, exists, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { lastSeq } from '../../../../store/log.ts'
import { agentFor } from '../../../identity/callers/model/index.ts'
import { agents } from '../../agents/model/index.ts'
import {
  claimDue,
  gather,
  markDelivered,
  markFailed,
  messagePlaces,
  messages,
  type Sending,
  seqIn,
} from '../../messages/model/index.ts'
import type { WebhookRequest } from './attempt.ts'
import { recordDelivery } from './deliveries.ts'
import { MAX_FAILURES, pauseAfter, retryDelay } from './rules.ts'
import { deleteWebhook, lockWebhook, type Owner, setWebhook, type Webhook } from './store.ts'
import { webhooks } from './tables.ts'

/** Longer than any delivery takes; after that its process is considered gone. */
const CLAIM_MS = 30_000

/** The minimum time between two updates of `delivered_at`. */
const NOTE_INTERVAL_MS = 10_000

const ofAgent = ({ team_id, actor_id }: Owner) =>
  and(eq(messages.team_id, team_id), eq(messages.actor_id, actor_id))

/** An active webhook, and whether it has work. */
export interface ActiveWebhook {
  webhook: Webhook
  isBehind: boolean
  isDue: boolean
}

/** The active webhooks of active agents. */
export async function activeWebhooks(tx: Tx, now: Date): Promise<ActiveWebhook[]> {
  const newest = await lastSeq(tx)
  const dueMessages = tx
    .select({ seq: messages.seq })
    .from(messages)
    .where(
      and(
        eq(messages.team_id, webhooks.team_id),
        eq(messages.actor_id, webhooks.actor_id),
        lte(messages.next_attempt_at, now),
        or(isNull(messages.sending_until), lte(messages.sending_until, now)),
      ),
    )
  const rows = await tx
    .select({ webhook: webhooks, seq: messagePlaces.seq, isDue: sql`${exists(dueMessages)}` })
    .from(webhooks)
    .innerJoin(agents, eq(agents.actor_id, webhooks.actor_id))
    .leftJoin(
      messagePlaces,
      and(
        eq(messagePlaces.team_id, webhooks.team_id),
        eq(messagePlaces.actor_id, webhooks.actor_id),
      ),
    )
    .where(and(eq(webhooks.active, true), eq(agents.state, 'active')))
  return rows.map(({ webhook, seq, isDue }) => ({
    webhook,
    isBehind: (seq ?? 0) < newest,
    isDue: Boolean(isDue) && !isResting(webhook, now),
  }))
}

const isFailing = ({ failures }: Webhook) => failures >= MAX_FAILURES
const isResting = (webhook: Webhook, now: Date) =>
  isFailing(webhook) && webhook.resting_until !== null && webhook.resting_until > now

/** Reads the log for an agent; returns true if there is more to read. */
export async function gatherFor(tx: Tx, owner: Owner, now: Date): Promise<boolean> {
  const webhook = await lockWebhook(tx, owner)
  const caller = await agentFor(tx, owner.actor_id)
  const hasMore = caller !== undefined && (await gather(tx, caller, { now }))
  if (webhook && isFailing(webhook)) await moveAllToPolling(tx, webhook)
  return hasMore
}

/** Lets the agent poll what its failing webhook has not delivered. */
async function moveAllToPolling(tx: Tx, owner: Owner): Promise<void> {
  await tx
    .update(messages)
    .set({ state: 'polling' })
    .where(and(ofAgent(owner), isNotNull(messages.next_attempt_at), eq(messages.state, 'webhook')))
}

/** A message that this process has claimed for sending. */
export interface Claimed extends Sending {
  webhook: Webhook
  request: WebhookRequest
}

/** Claims the next messages of a webhook. A failing webhook gets a single one as a probe. */
export async function claim(tx: Tx, owner: Owner, now: Date, limit: number): Promise<Claimed[]> {
  const webhook = await lockWebhook(tx, owner)
  if (!webhook?.active || isResting(webhook, now)) return []
  const caller = await agentFor(tx, owner.actor_id)
  if (!caller) return []
  const until = new Date(now.getTime() + CLAIM_MS)
  if (isFailing(webhook)) await pause(tx, webhook, webhook.failures, now)
  const due = await claimDue(tx, caller, { now, until, most: isFailing(webhook) ? 1 : limit })
  return due.map((sending) => ({ ...sending, webhook, request: requestOf(sending.message) }))
}

export const requestOf = (message: Sending['message']): WebhookRequest => ({
  id: message.id,
  type: message.type,
  body: JSON.stringify(message),
})

/** Records the outcome of a delivery. */
export async function recordOutcome(
  tx: Tx,
  { webhook: before, seq, attempt, request }: Claimed,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const webhook = await lockWebhook(tx, before)
  const isSame = webhook?.webhook_id === before.webhook_id
  if (outcome.error === null) await markDelivered(tx, before, seq)
  else if (isSame)
    await markFailed(tx, before, seq, new Date(now.getTime() + retryDelay(attempt, Math.random())))
  if (!isSame) return
  await recordDelivery(tx, webhook, { kind: 'message', attempt, request }, outcome)
  await (outcome.error === null ? markAnswered(tx, webhook, now) : markFailing(tx, webhook, now))
}

/** An endpoint that answers again is sent its waiting messages at once. */
export async function markAnswered(tx: Tx, webhook: Webhook, now: Date): Promise<void> {
  const { failures, delivered_at } = webhook
  const isRecent =
    delivered_at !== null && now.getTime() - delivered_at.getTime() < NOTE_INTERVAL_MS
  if (failures || !isRecent)
    await setWebhook(tx, webhook, { failures: 0, resting_until: null, delivered_at: now })
  if (!isFailing(webhook)) return
  await tx
    .update(messages)
    .set({ next_attempt_at: now })
    .where(and(ofAgent(webhook), gt(messages.next_attempt_at, now)))
}

async function markFailing(tx: Tx, webhook: Webhook, now: Date): Promise<void> {
  const failures = webhook.failures + 1
  await pause(tx, webhook, failures, now)
  if (failures === MAX_FAILURES) await moveAllToPolling(tx, webhook)
}

async function pause(tx: Tx, webhook: Webhook, failures: number, now: Date): Promise<void> {
  const ms = pauseAfter(failures)
  const resting_until = ms === undefined ? null : new Date(now.getTime() + ms)
  await setWebhook(tx, webhook, { failures, resting_until })
}

/** A message that arrived in another way is not sent again. */
export async function markArrived(tx: Tx, owner: Owner, message_id: string): Promise<void> {
  const seq = seqIn(message_id, owner.actor_id)
  if (seq !== undefined) await markDelivered(tx, owner, seq)
}

/** Returns a claim without an attempt. */
export async function unclaim(tx: Tx, { webhook, seq }: Claimed): Promise<void> {
  await tx
    .update(messages)
    .set({ sending_until: null, attempts: sql`${messages.attempts} - 1` })
    .where(and(ofAgent(webhook), eq(messages.seq, seq), isNotNull(messages.sending_until)))
}

/**
 * Frees the claims of a server that was killed. Only for a server that is alone on its database.
 */
export async function freeClaims(tx: Tx): Promise<void> {
  await tx
    .update(messages)
    .set({ sending_until: null })
    .where(and(isNotNull(messages.next_attempt_at), isNotNull(messages.sending_until)))
}

/** Deletes the webhooks of archived and deleted agents. */
export async function deleteOrphans(tx: Tx): Promise<void> {
  const expired = await tx
    .select({ webhook: webhooks })
    .from(webhooks)
    .innerJoin(agents, eq(agents.actor_id, webhooks.actor_id))
    .where(inArray(agents.state, ['archived', 'deleted']))
  for (const { webhook } of expired) await deleteWebhook(tx, webhook)
}
