import { and, asc, eq, exists, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { forUpdateSkipLocked } from '../../../../store/columns.ts'
import { MAX_FAILURES, pauseAfter, retryDelay } from '../../../agents/webhooks/model/index.ts'
import { activePersonFor } from '../../../identity/callers/model/index.ts'
import { findVisibleProject } from '../../projects/model/index.ts'
import { recordDelivery } from './deliveries.ts'
import { deleteMessages } from './messages.ts'
import { lockWebhook, setWebhook, type Webhook } from './store.ts'
import { boardWebhookMessages as messages, boardWebhooks as webhooks } from './tables.ts'

/** Longer than any delivery takes; after that its process is considered gone. */
const CLAIM_MS = 30_000

const isFailing = ({ failures }: Webhook) => failures >= MAX_FAILURES
const isResting = (webhook: Webhook, now: Date) =>
  isFailing(webhook) && webhook.resting_until !== null && webhook.resting_until > now

const isClaimable = (now: Date) =>
  and(
    lte(messages.next_attempt_at, now),
    or(isNull(messages.sending_until), lte(messages.sending_until, now)),
  )

/** The active webhooks with something to send. */
export async function dueWebhooks(tx: Tx, now: Date): Promise<Webhook[]> {
  const due = tx
    .select({ row_id: messages.row_id })
    .from(messages)
    .where(and(eq(messages.webhook_id, webhooks.webhook_id), isClaimable(now)))
  const rows = await tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.active, true), exists(due)))
  return rows.filter((webhook) => !isResting(webhook, now))
}

export type Message = typeof messages.$inferSelect
export interface Claimed {
  webhook: Webhook
  message: Message
}

/**
 * Claims the next messages of a webhook; a failing one gets a single message as a probe. What its
 * creator can no longer see is deleted.
 */
export async function claim(
  tx: Tx,
  { webhook_id }: Webhook,
  now: Date,
  limit: number,
): Promise<Claimed[]> {
  const webhook = await lockWebhook(tx, webhook_id)
  if (!webhook?.active || isResting(webhook, now)) return []
  const rows = await forUpdateSkipLocked(
    tx
      .select()
      .from(messages)
      .where(and(eq(messages.webhook_id, webhook_id), isClaimable(now)))
      .orderBy(asc(messages.next_attempt_at), asc(messages.row_id))
      .limit(isFailing(webhook) ? 1 : limit),
  )
  const visible = await visibleMessages(tx, webhook, rows)
  if (isFailing(webhook)) await rest(tx, webhook, webhook.failures, now)
  const sending_until = new Date(now.getTime() + CLAIM_MS)
  const claimed: Claimed[] = []
  for (const message of visible) {
    const attempts = message.attempts + 1
    await tx
      .update(messages)
      .set({ sending_until, attempts })
      .where(eq(messages.row_id, message.row_id))
    claimed.push({ webhook, message: { ...message, sending_until, attempts } })
  }
  return claimed
}

async function visibleMessages(tx: Tx, webhook: Webhook, rows: readonly Message[]) {
  const caller = await activePersonFor(tx, webhook.created_by)
  if (!caller?.teams.has(webhook.team_id)) {
    const paused_reason = 'Its creator has no access to this place any more'
    await setWebhook(tx, webhook, { active: false, paused_reason })
    return []
  }
  const visible: Message[] = []
  const hidden: number[] = []
  for (const row of rows)
    if (await findVisibleProject({ tx, caller }, row.project_id)) visible.push(row)
    else hidden.push(row.row_id)
  await deleteMessages(tx, hidden)
  return visible
}

export async function recordOutcome(
  tx: Tx,
  { webhook: before, message }: Claimed,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const webhook = await lockWebhook(tx, before.webhook_id)
  if (!webhook) return
  const { message_id: id, type, body, project_id, attempts } = message
  if (outcome.error === null) await deleteMessages(tx, [message.row_id])
  else
    await tx
      .update(messages)
      .set({
        sending_until: null,
        next_attempt_at: new Date(now.getTime() + retryDelay(attempts, Math.random())),
      })
      .where(eq(messages.row_id, message.row_id))
  const sent = {
    kind: 'message',
    attempt: attempts,
    project_id,
    request: { id, type, body },
  } as const
  await recordDelivery(tx, webhook, sent, outcome)
  await (outcome.error === null
    ? markAnswered(tx, webhook, now)
    : rest(tx, webhook, webhook.failures + 1, now))
}

/** An endpoint that answers again is sent what waits for it at once. */
export async function markAnswered(tx: Tx, webhook: Webhook, now: Date): Promise<void> {
  await setWebhook(tx, webhook, { failures: 0, resting_until: null, delivered_at: now })
  if (!isFailing(webhook)) return
  await tx
    .update(messages)
    .set({ next_attempt_at: now })
    .where(and(eq(messages.webhook_id, webhook.webhook_id), gt(messages.next_attempt_at, now)))
}

async function rest(tx: Tx, webhook: Webhook, failures: number, now: Date): Promise<void> {
  const ms = pauseAfter(failures)
  const resting_until = ms === undefined ? null : new Date(now.getTime() + ms)
  await setWebhook(tx, webhook, { failures, resting_until })
}

/** Returns a claim without an attempt. */
export async function unclaim(tx: Tx, { message }: Claimed): Promise<void> {
  await tx
    .update(messages)
    .set({ sending_until: null, attempts: sql`${messages.attempts} - 1` })
    .where(and(eq(messages.row_id, message.row_id), isNotNull(messages.sending_until)))
}

export const freeClaims = async (tx: Tx) => {
  await tx.update(messages).set({ sending_until: null }).where(isNotNull(messages.sending_until))
}

/** Removes a message from the queue, because it arrived in another way. */
export const takeOut = (tx: Tx, { webhook_id }: Webhook, message_id: string) =>
  tx
    .delete(messages)
    .where(and(eq(messages.webhook_id, webhook_id), eq(messages.message_id, message_id)))
