import { sql } from 'drizzle-orm'
import {
  bool,
  id,
  index,
  int,
  json,
  long,
  longId,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { teams } from '../../../identity/teams/model/index.ts'
import type { BoardLevel, ChannelEvent, ChannelKind, SharedEvent } from './rules.ts'

const reason = { exported: 'their addresses are secrets of one server', unstaged: 'not imported' }

/** Where notifications of a person go, or what happens on a board or in a team. */
export const channels = table(
  'channels',
  reason,
  {
    channel_id: id('channel_id'),
    /** The person whose notifications it gets; null for a shared channel. */
    owner_id: int('owner_id').references(() => actors.actor_id),
    team_id: int('team_id').references(() => teams.team_id),
    /** Null with a team: all boards that the whole team sees. */
    project_id: int('project_id').references(() => projects.project_id),
    kind: text('kind').$type<ChannelKind>().notNull(),
    title: text('title').notNull(),
    /** Its address and secrets, as JSON that is encrypted with the key of the installation. */
    config: text('config').notNull(),
    /** The part of the address that is no secret, and that shares the slots of a host. */
    origin: text('origin').notNull(),
    /** Digest of the address, by which a browser finds its channel. */
    address_hash: text('address_hash').notNull(),
    events: json<ChannelEvent[]>('events').notNull(),
    mode: text('mode').$type<'now' | 'daily'>().notNull(),
    /** Hour of the daily digest, in the time zone of the person. */
    hour: int('hour').notNull(),
    active: bool('active').notNull(),
    /** Consecutive failures. */
    failures: int('failures').notNull(),
    failing_since: time('failing_since'),
    /** Nothing is sent before this moment. */
    resting_until: time('resting_until'),
    last_error: text('last_error'),
    /** When it was switched off because it failed. */
    failed_at: time('failed_at'),
    delivered_at: time('delivered_at'),
    /** It reports changes with higher numbers in the change log. */
    after_seq: long('after_seq').notNull(),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    index('channels_owner').on(t.owner_id, t.created_at, t.channel_id),
    index('channels_board').on(t.team_id, t.project_id, t.created_at, t.channel_id),
    uniqueIndex('channels_browser').on(t.address_hash).where(sql`kind = 'push'`),
  ],
)

/** A change that a shared channel reports. */
export interface SharedChange {
  event: SharedEvent
  actor_id: number
  task_id: number
  snippet?: string
  /** The column that a task moved to. */
  column?: string
}

/** What is still to be sent. A row is deleted once it is sent, or no longer needed. */
export const channelDeliveries = table(
  'channel_deliveries',
  { exported: 'the outbox of one server' },
  {
    delivery_id: longId('delivery_id'),
    channel_id: int('channel_id')
      .notNull()
      .references(() => channels.channel_id),
    /** The notification of the person, which may be deleted before; null for a shared channel. */
    notification_id: int('notification_id'),
    change: json<SharedChange>('change'),
    urgent: bool('urgent').notNull(),
    /** It waited for the end of quiet hours or for the daily digest. */
    held: bool('held').notNull(),
    due_at: time('due_at').notNull(),
    claimed_until: time('claimed_until'),
    attempts: int('attempts').notNull(),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    index('channel_deliveries_due').on(t.due_at),
    index('channel_deliveries_channel').on(t.channel_id, t.delivery_id),
    index('channel_deliveries_claimed').on(t.claimed_until).where(sql`claimed_until is not null`),
  ],
)

/** The choices of a person that apply to all of their channels. */
export const notificationSettings = table(
  'notification_settings',
  { exported: 'their channels belong to one server' },
  {
    actor_id: int('actor_id')
      .primaryKey()
      .references(() => actors.actor_id),
    quiet_from: text('quiet_from'),
    quiet_to: text('quiet_to'),
    quiet_exceptions: bool('quiet_exceptions').notNull(),
    /** By the id of the board. */
    boards: json<Record<string, BoardLevel>>('boards').notNull(),
  },
)
