import { and, count, eq, ne } from 'drizzle-orm'
import type { Context, Place, Server, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { append, lastSeq } from '../../../../store/log.ts'
import { type Channel, type Owner, ofOwner } from './access.ts'
import {
  addressOf,
  type ChannelConfig,
  changeConfig,
  hashOfAddress,
  newConfig,
  openConfig,
  rotateSecret,
  sealConfig,
} from './config.ts'
import { type ChannelEvent, DEFAULT_EVENTS, PERSONAL_EVENTS, SHARED_EVENTS } from './rules.ts'
import {
  type ChannelChanges,
  type ChannelRow,
  CONFIG_FIELDS,
  type ConfigInput,
  type NewChannelInput,
} from './schema.ts'
import { channelDeliveries, channels } from './tables.ts'

const MAX_CHANNELS = 20

const NAMES = {
  push: 'Browser',
  ntfy: 'ntfy',
  slack: 'Slack',
  discord: 'Discord',
  mattermost: 'Mattermost',
  webhook: 'Webhook',
  apprise: 'Apprise',
} as const

const DEFAULT_HOUR = 8
const WORKING = { failures: 0, failing_since: null, resting_until: null, last_error: null }

export function toChannelRow(server: Pick<Server, 'decrypt'>, channel: Channel): ChannelRow {
  const config = openConfig(server, channel)
  const iso = (moment: Date | null) => moment?.toISOString() ?? null
  return {
    channel_id: channel.channel_id,
    kind: channel.kind,
    title: channel.title,
    project_id: channel.project_id,
    team_id: channel.team_id,
    address: addressOf(channel.kind, config),
    address_hash: channel.kind === 'push' ? channel.address_hash : null,
    events: channel.events,
    mode: channel.mode,
    hour: channel.hour,
    active: channel.active,
    has_token: config.token !== undefined,
    has_signing_secret: config.signing_secret !== undefined,
    last_error: channel.last_error,
    failing_since: iso(channel.failing_since),
    failed_at: iso(channel.failed_at),
    last_delivered_at: iso(channel.delivered_at),
    created_at: channel.created_at.toISOString(),
    updated_at: channel.updated_at.toISOString(),
  }
}

/** The place of the changes of a channel. Those of a person have none, so only they see them. */
export const placeOfChannel = ({ team_id, project_id }: Owner): Place => ({
  ...(team_id !== null && { team_id }),
  ...(project_id !== null && { project_id }),
})

export async function createChannel(ctx: Context, owner: Owner, input: NewChannelInput) {
  const { tx, server, now } = ctx
  const { kind, title = NAMES[kind], mode = 'now', hour = DEFAULT_HOUR, active = true } = input
  if (kind === 'push' && owner.owner_id === null)
    throw fault.invalid('kind', 'conflict', 'A browser only gets the notifications of its person')
  const config = newConfig(kind, pickConfig(input))
  if (kind === 'push') await replaceBrowser(tx, config)
  await checkLimit(tx, owner)
  const events = input.events ?? DEFAULT_EVENTS[owner.owner_id === null ? 'shared' : 'personal']
  const [channel] = await tx
    .insert(channels)
    .values({
      ...owner,
      ...{ kind, title: title.trim(), mode, hour, active, ...WORKING },
      ...addressColumns(server, config),
      events: checkEvents(owner, events),
      after_seq: await lastSeq(tx),
      created_by: ctx.caller.actor_id,
      created_at: now,
      updated_at: now,
    })
    .returning()
  return { channel: channel!, secret: config.secret }
}

const addressColumns = (server: Pick<Server, 'encrypt'>, config: ChannelConfig) => ({
  config: sealConfig(server, config),
  origin: new URL(config.url).origin,
  address_hash: hashOfAddress(config),
})

const pickConfig = (input: ConfigInput): ConfigInput =>
  Object.fromEntries(
    CONFIG_FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
  )

/** A browser shows the notifications of the person who subscribed last, and of nobody else. */
async function replaceBrowser(tx: Tx, config: ChannelConfig): Promise<void> {
  const [old] = await tx
    .select()
    .from(channels)
    .where(and(eq(channels.kind, 'push'), eq(channels.address_hash, hashOfAddress(config))))
  if (old) await removeChannel(tx, old)
}

async function checkLimit(tx: Tx, owner: Owner): Promise<void> {
  const [row] = await tx.select({ total: count() }).from(channels).where(ofOwner(owner))
  if (row!.total < MAX_CHANNELS) return
  throw fault.conflict(
    `There are already ${MAX_CHANNELS} channels`,
    { field: 'kind', limit: MAX_CHANNELS },
    'Delete one first',
  )
}

function checkEvents(owner: Owner, events: readonly ChannelEvent[]): ChannelEvent[] {
  const known: readonly string[] =
    owner.owner_id === null ? SHARED_EVENTS : Object.keys(PERSONAL_EVENTS)
  const at = events.findIndex((event) => !known.includes(event))
  if (at < 0) return [...new Set(events)]
  throw fault.invalid(
    `events.${at}`,
    'out_of_range',
    `This channel has no event ${events[at]}`,
    events[at],
    `Use ${known.join(', ')}`,
  )
}

/** Returns the names of the fields that were given. */
export async function updateChannel(
  ctx: Pick<Context, 'tx' | 'server' | 'now'>,
  channel: Channel,
  { channel_id: _, ...input }: ChannelChanges,
): Promise<{ channel: Channel; fields: string[] }> {
  const fields = Object.keys(input)
  if (!fields.length) return { channel, fields }
  const { tx, server, now } = ctx
  const { title, events, mode, hour, active } = input
  const configInput = pickConfig(input)
  const isReadressed = Object.keys(configInput).length > 0
  const config = isReadressed
    ? changeConfig(channel.kind, openConfig(server, channel), configInput)
    : undefined
  const isRestarted = isReadressed || (active === true && !channel.active)
  const [saved] = await tx
    .update(channels)
    .set({
      ...(title !== undefined && { title: title.trim() }),
      ...(events && { events: checkEvents(channel, events) }),
      ...(mode !== undefined && { mode }),
      ...(hour !== undefined && { hour }),
      ...(active !== undefined && { active }),
      ...(config && addressColumns(server, config)),
      ...(isRestarted && { ...WORKING, failed_at: null }),
      updated_at: now,
    })
    .where(eq(channels.channel_id, channel.channel_id))
    .returning()
  if (active === false) await clearQueue(tx, channel)
  else if (mode === 'now' || isRestarted) await releaseHeld(tx, [channel.channel_id], now)
  return { channel: saved!, fields }
}

/** Gives a webhook a new secret. */
export async function rotateChannel(
  { tx, server, now }: Pick<Context, 'tx' | 'server' | 'now'>,
  channel: Channel,
) {
  const config = rotateSecret(openConfig(server, channel), now)
  await tx
    .update(channels)
    .set({ config: sealConfig(server, config), updated_at: now })
    .where(eq(channels.channel_id, channel.channel_id))
  return { secret: config.secret, old_secret_until: config.old.until }
}

export async function removeChannel(tx: Tx, channel: Channel): Promise<void> {
  await clearQueue(tx, channel)
  await tx.delete(channels).where(eq(channels.channel_id, channel.channel_id))
}

const clearQueue = (tx: Tx, { channel_id }: Channel) =>
  tx.delete(channelDeliveries).where(eq(channelDeliveries.channel_id, channel_id))

/** Lets what waits be looked at again. What still has to wait waits on. */
export async function releaseHeld(tx: Tx, channelIds: readonly number[], now: Date) {
  for (const channel_id of channelIds)
    await tx
      .update(channelDeliveries)
      .set({ due_at: now })
      .where(eq(channelDeliveries.channel_id, channel_id))
}

/** Switches off a channel that can no longer be reached, and lets its people know. */
export async function switchOff(tx: Tx, channel: Channel, error: string, now: Date): Promise<void> {
  const { channel_id, owner_id, created_by, kind, title } = channel
  const failed = { active: false, failed_at: now, last_error: error, resting_until: null }
  const changed = await tx
    .update(channels)
    .set({ ...failed, updated_at: now })
    .where(and(eq(channels.channel_id, channel_id), ne(channels.active, false)))
    .returning({ channel_id: channels.channel_id })
  if (!changed.length) return
  await clearQueue(tx, channel)
  const data = { channel_id, kind, title, error }
  await append(tx, { actor_id: owner_id ?? created_by }, now, [
    { type: 'channel.failed', place: placeOfChannel(channel), data },
  ])
}

/** The owner and the signing secret of a Slack channel of a person, for its buttons. */
export async function slackChannel(
  tx: Tx,
  server: Pick<Server, 'decrypt'>,
  channel_id: number,
): Promise<{ owner_id: number; signing_secret: string } | undefined> {
  const [channel] = await tx
    .select()
    .from(channels)
    .where(and(eq(channels.channel_id, channel_id), eq(channels.kind, 'slack')))
  if (!channel?.active || channel.owner_id === null) return undefined
  const { signing_secret } = openConfig(server, channel)
  return signing_secret === undefined ? undefined : { owner_id: channel.owner_id, signing_secret }
}
