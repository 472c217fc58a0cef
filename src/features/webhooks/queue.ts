import { and, eq, exists, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import { lastSeq } from '../../store/log.ts'
import { agents } from '../agents/index.ts'
import { agentFor } from '../callers/index.ts'
import {
  claimDue,
  gather,
  markDelivered,
  markFailed,
  messagePlaces,
  messages,
  type Sending,
  seqIn,
} from '../messages/index.ts'
import type { Letter, Outcome } from './attempt.ts'
import { note } from './deliveries.ts'
import { MOST_FAILURES, restOf, spacing } from './rules.ts'
import { dropWebhook, heldWebhook, type Owner, setWebhook, type Webhook } from './store.ts'
import { webhooks } from './tables.ts'

/** Longer than any delivery takes: by then whoever was at it is gone. */
const SENDING_MS = 30_000

/** Of many deliveries in a row one is noted down so often. */
const TOLD_MS = 10_000

const ofAgent = ({ team_id, actor_id }: Owner) =>
  and(eq(messages.team_id, team_id), eq(messages.actor_id, actor_id))

/** A webhook at work, and what there is to do for it. */
export interface Live {
  webhook: Webhook
  isBehind: boolean
  isDue: boolean
}

/** The webhooks of agents that work, each with whether anything waits for it. */
export async function liveWebhooks(tx: Tx, now: Date): Promise<Live[]> {
  const newest = await lastSeq(tx)
  const waits = tx
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
    .select({ webhook: webhooks, seq: messagePlaces.seq, isDue: sql`${exists(waits)}` })
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

const isFailing = ({ failures }: Webhook) => failures >= MOST_FAILURES
const isResting = (webhook: Webhook, now: Date) =>
  isFailing(webhook) && webhook.resting_until !== null && webhook.resting_until > now

/** Reads the log for an agent; true while there is more to read. */
export async function gatherFor(tx: Tx, owner: Owner, now: Date): Promise<boolean> {
  const webhook = await heldWebhook(tx, owner)
  const caller = await agentFor(tx, owner.actor_id)
  const more = caller !== undefined && (await gather(tx, caller, { now }))
  if (webhook && isFailing(webhook)) await showAll(tx, webhook)
  return more
}

/** What an endpoint that keeps failing is yet to be brought can be polled meanwhile. */
async function showAll(tx: Tx, owner: Owner): Promise<void> {
  await tx
    .update(messages)
    .set({ state: 'polling' })
    .where(and(ofAgent(owner), isNotNull(messages.next_attempt_at), eq(messages.state, 'webhook')))
}

/** A message that this process is to send, and nobody else meanwhile. */
export interface Claimed extends Sending {
  webhook: Webhook
  letter: Letter
}

/** The next messages of a webhook; of one that keeps failing a single one, to see whether it does. */
export async function claim(tx: Tx, owner: Owner, now: Date, most: number): Promise<Claimed[]> {
  const webhook = await heldWebhook(tx, owner)
  if (!webhook?.active || isResting(webhook, now)) return []
  const caller = await agentFor(tx, owner.actor_id)
  if (!caller) return []
  const until = new Date(now.getTime() + SENDING_MS)
  if (isFailing(webhook)) await rest(tx, webhook, webhook.failures, now)
  const due = await claimDue(tx, caller, { now, until, most: isFailing(webhook) ? 1 : most })
  return due.map((sending) => ({ ...sending, webhook, letter: letterOf(sending.message) }))
}

export const letterOf = (message: Sending['message']): Letter => ({
  id: message.id,
  type: message.type,
  body: JSON.stringify(message),
})

/** Keeps what came of a delivery. */
export async function settle(
  tx: Tx,
  { webhook: before, seq, attempt, letter }: Claimed,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const webhook = await heldWebhook(tx, before)
  const isSame = webhook?.webhook_id === before.webhook_id
  if (outcome.error === null) await markDelivered(tx, before, seq)
  else if (isSame)
    await markFailed(tx, before, seq, new Date(now.getTime() + spacing(attempt, Math.random())))
  if (!isSame) return
  await note(tx, webhook, { kind: 'message', attempt, letter }, outcome)
  await (outcome.error === null ? answered(tx, webhook, now) : failed(tx, webhook, now))
}

/** An endpoint that answers again is brought what waits for it at once. */
export async function answered(tx: Tx, webhook: Webhook, now: Date): Promise<void> {
  const { failures, delivered_at } = webhook
  const isTold = delivered_at !== null && now.getTime() - delivered_at.getTime() < TOLD_MS
  if (failures || !isTold)
    await setWebhook(tx, webhook, { failures: 0, resting_until: null, delivered_at: now })
  if (!isFailing(webhook)) return
  await tx
    .update(messages)
    .set({ next_attempt_at: now })
    .where(and(ofAgent(webhook), gt(messages.next_attempt_at, now)))
}

async function failed(tx: Tx, webhook: Webhook, now: Date): Promise<void> {
  const failures = webhook.failures + 1
  await rest(tx, webhook, failures, now)
  if (failures === MOST_FAILURES) await showAll(tx, webhook)
}

async function rest(tx: Tx, webhook: Webhook, failures: number, now: Date): Promise<void> {
  const ms = restOf(failures)
  const resting_until = ms === undefined ? null : new Date(now.getTime() + ms)
  await setWebhook(tx, webhook, { failures, resting_until })
}

/** A message that arrived in another way need not be sent. */
export async function arrived(tx: Tx, owner: Owner, message_id: string): Promise<void> {
  const seq = seqIn(message_id, owner.actor_id)
  if (seq !== undefined) await markDelivered(tx, owner, seq)
}

/** Given back without an attempt, for whoever comes next. */
export async function giveBack(tx: Tx, { webhook, seq }: Claimed): Promise<void> {
  await tx
    .update(messages)
    .set({ sending_until: null, attempts: sql`${messages.attempts} - 1` })
    .where(and(ofAgent(webhook), eq(messages.seq, seq), isNotNull(messages.sending_until)))
}

/** What a server had taken that was killed, where there can be no other that is at it. */
export async function freeClaims(tx: Tx): Promise<void> {
  await tx
    .update(messages)
    .set({ sending_until: null })
    .where(and(isNotNull(messages.next_attempt_at), isNotNull(messages.sending_until)))
}

/** Of agents that will not come back. */
export async function dropOrphans(tx: Tx): Promise<void> {
  const gone = await tx
    .select({ webhook: webhooks })
    .from(webhooks)
    .innerJoin(agents, eq(agents.actor_id, webhooks.actor_id))
    .where(inArray(agents.state, ['archived', 'deleted']))
  for (const { webhook } of gone) await dropWebhook(tx, webhook)
}
