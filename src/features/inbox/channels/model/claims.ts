import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { Outcome } from '../../../../kernel/delivery-queue.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { MAX_FAILURES, pauseAfter, retryDelay } from '../../../agents/webhooks/model/index.ts'
import { people } from '../../../identity/people/model/index.ts'
import type { Channel } from './access.ts'
import { isStillWanted } from './relevant.ts'
import {
  heldUntil,
  isGone,
  MAX_DIGEST,
  MAX_FAILING_MS,
  MAX_SINGLE,
  type Schedule,
} from './rules.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import { switchOff } from './store.ts'
import { channels, channelDeliveries as deliveries, notificationSettings } from './tables.ts'

export type Delivery = typeof deliveries.$inferSelect

/** Longer than any delivery takes; after that its process is considered gone. */
const CLAIM_MS = 30_000
/** Due rows that are looked at in one claim. */
const MAX_ROWS = 100
/** The minimum time between two updates of `delivered_at`. */
const NOTE_INTERVAL_MS = 10_000

const isUnclaimed = (now: Date) =>
  or(isNull(deliveries.claimed_until), lte(deliveries.claimed_until, now))

/** The channels that have something to send now. */
export function dueChannels(tx: Tx, now: Date) {
  return tx
    .selectDistinct({ channel_id: channels.channel_id, origin: channels.origin })
    .from(deliveries)
    .innerJoin(channels, eq(channels.channel_id, deliveries.channel_id))
    .where(
      and(
        lte(deliveries.due_at, now),
        isUnclaimed(now),
        eq(channels.active, true),
        or(isNull(channels.resting_until), lte(channels.resting_until, now)),
      ),
    )
}

/** One message that this process has claimed: a single delivery, or several for a digest. */
export interface Claimed {
  channel: Channel
  rows: Delivery[]
}

/** Claims the next messages of a channel. What is no longer wanted is deleted, or waits on. */
export async function claim(
  tx: Tx,
  channel_id: number,
  now: Date,
  limit: number,
): Promise<Claimed[]> {
  const [channel] = await forUpdate(
    tx.select().from(channels).where(eq(channels.channel_id, channel_id)),
  )
  if (!channel?.active || (channel.resting_until && channel.resting_until > now)) return []
  const due = await tx
    .select()
    .from(deliveries)
    .where(
      and(eq(deliveries.channel_id, channel_id), lte(deliveries.due_at, now), isUnclaimed(now)),
    )
    .orderBy(asc(deliveries.delivery_id))
    .limit(MAX_ROWS)
  const ready = await dropObsolete(tx, channel, await postponeQuiet(tx, channel, due, now))
  const most = channel.failures >= MAX_FAILURES ? 1 : limit
  const messages = toMessages(channel, ready).slice(0, most)
  const ids = messages.flat().map(({ delivery_id }) => delivery_id)
  if (!ids.length) return []
  const claimed_until = new Date(now.getTime() + CLAIM_MS)
  await tx
    .update(deliveries)
    .set({ claimed_until, attempts: sql`${deliveries.attempts} + 1` })
    .where(inArray(deliveries.delivery_id, ids))
  const claimed = (row: Delivery) => ({ ...row, claimed_until, attempts: row.attempts + 1 })
  return messages.map((rows) => ({ channel, rows: rows.map(claimed) }))
}

/** What waited becomes one digest, unless it is little. */
function toMessages({ mode }: Channel, rows: readonly Delivery[]): Delivery[][] {
  const held = rows.filter((row) => row.held)
  const isDigest = held.length > (mode === 'daily' ? 1 : MAX_SINGLE)
  if (!isDigest) return rows.map((row) => [row])
  return [held.slice(0, MAX_DIGEST), ...rows.filter((row) => !row.held).map((row) => [row])]
}

/** Returns the rows that may be sent now. Quiet hours may have begun while others were retried. */
async function postponeQuiet(
  tx: Tx,
  channel: Channel,
  rows: readonly Delivery[],
  now: Date,
): Promise<Delivery[]> {
  if (!rows.length) return []
  const schedule = await scheduleOf(tx, channel)
  const ready: Delivery[] = []
  for (const row of rows) {
    const since = schedule.mode === 'daily' ? row.created_at : now
    const until = heldUntil(since, row.urgent, schedule)
    if (!until || until <= now) ready.push(row)
    else
      await tx
        .update(deliveries)
        .set({ due_at: until, held: true, claimed_until: null })
        .where(eq(deliveries.delivery_id, row.delivery_id))
  }
  return ready
}

async function scheduleOf(tx: Tx, channel: Channel): Promise<Schedule> {
  if (channel.owner_id === null) return { ...channel, ...DEFAULT_SETTINGS, time_zone: 'UTC' }
  const [row] = await tx
    .select({ settings: notificationSettings, time_zone: people.time_zone })
    .from(people)
    .leftJoin(notificationSettings, eq(notificationSettings.actor_id, people.actor_id))
    .where(eq(people.actor_id, channel.owner_id))
  const { settings, time_zone = 'UTC' } = row ?? {}
  return { ...channel, ...(settings ?? DEFAULT_SETTINGS), time_zone }
}

async function dropObsolete(tx: Tx, channel: Channel, rows: Delivery[]): Promise<Delivery[]> {
  if (!rows.length) return []
  const wanted = await isStillWanted(tx, channel, rows)
  await remove(
    tx,
    rows.filter((row) => !wanted.has(row.delivery_id)),
  )
  return rows.filter((row) => wanted.has(row.delivery_id))
}

async function remove(tx: Tx, rows: readonly Delivery[]): Promise<void> {
  const ids = rows.map(({ delivery_id }) => delivery_id)
  if (ids.length) await tx.delete(deliveries).where(inArray(deliveries.delivery_id, ids))
}

/** The rows of a message, unless its claim expired and another process has them now. */
const stillClaimed = ({ rows }: Claimed) =>
  and(
    inArray(
      deliveries.delivery_id,
      rows.map(({ delivery_id }) => delivery_id),
    ),
    eq(deliveries.claimed_until, rows[0]!.claimed_until!),
  )

export async function recordOutcome(
  tx: Tx,
  claimed: Claimed,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const { channel_id } = claimed.channel
  const [channel] = await forUpdate(
    tx.select().from(channels).where(eq(channels.channel_id, channel_id)),
  )
  if (!channel) return
  if (outcome.error === null) return recordSuccess(tx, channel, claimed, now)
  if (outcome.retryAfter !== undefined) return pause(tx, channel, claimed, outcome, now)
  await recordFailure(tx, channel, claimed, outcome, now)
}

async function recordSuccess(tx: Tx, channel: Channel, claimed: Claimed, now: Date) {
  await remove(tx, claimed.rows)
  const { channel_id, failures, failing_since, delivered_at } = channel
  const isRecent =
    delivered_at !== null && now.getTime() - delivered_at.getTime() < NOTE_INTERVAL_MS
  if (isRecent && failing_since === null) return
  const working = { failures: 0, failing_since: null, resting_until: null, last_error: null }
  await tx
    .update(channels)
    .set({ ...working, delivered_at: now })
    .where(eq(channels.channel_id, channel_id))
  if (failures < MAX_FAILURES) return
  // The service works again, so what waits for its next attempt need not wait.
  await tx
    .update(deliveries)
    .set({ due_at: now })
    .where(and(eq(deliveries.channel_id, channel_id), isNull(deliveries.claimed_until)))
}

/** A busy service is left alone for as long as it wants. That is no failure. */
async function pause(
  tx: Tx,
  channel: Channel,
  claimed: Claimed,
  { retryAfter = 0 }: Outcome,
  now: Date,
) {
  const until = new Date(now.getTime() + retryAfter)
  await tx
    .update(channels)
    .set({ resting_until: until })
    .where(eq(channels.channel_id, channel.channel_id))
  await tx
    .update(deliveries)
    .set({ due_at: until, claimed_until: null })
    .where(stillClaimed(claimed))
}

async function recordFailure(
  tx: Tx,
  channel: Channel,
  claimed: Claimed,
  { status, error }: Outcome,
  now: Date,
): Promise<void> {
  const failures = channel.failures + 1
  const failing_since = channel.failing_since ?? now
  const isTooLong = now.getTime() - failing_since.getTime() >= MAX_FAILING_MS
  if (isTooLong || isGone(channel.kind, status)) return switchOff(tx, channel, error!, now)
  const rest = pauseAfter(failures)
  const resting_until = rest === undefined ? null : new Date(now.getTime() + rest)
  await tx
    .update(channels)
    .set({ failures, failing_since, last_error: error, resting_until })
    .where(eq(channels.channel_id, channel.channel_id))
  const due_at = new Date(now.getTime() + retryDelay(claimed.rows[0]!.attempts, Math.random()))
  await tx.update(deliveries).set({ due_at, claimed_until: null }).where(stillClaimed(claimed))
}

/** Returns a claim without an attempt. */
export const release = (tx: Tx, claimed: Claimed) =>
  tx
    .update(deliveries)
    .set({ claimed_until: null, attempts: sql`${deliveries.attempts} - 1` })
    .where(stillClaimed(claimed))

/** Frees the claims of a server that was killed. Only for a server that is alone. */
export const freeClaims = (tx: Tx) =>
  tx.update(deliveries).set({ claimed_until: null }).where(isNotNull(deliveries.claimed_until))
