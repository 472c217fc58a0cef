import { sql } from 'drizzle-orm'
import { index, int, json, long, primaryKey, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { EventName } from './rules.ts'

/**
 * How far each agent has read the change log. Earlier messages that are unacknowledged have a row
 * in `messages`; later ones are read from the log.
 */
export const messagePlaces = table(
  'message_places',
  { exported: 'positions in the change log of their server' },
  {
    team_id: int('team_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    seq: long('seq').notNull(),
    /**
     * The events that the webhook selects, for changes after `wanted_from`; null without an active
     * webhook.
     */
    wanted: json<EventName[] | null>('wanted'),
    wanted_from: long('wanted_from'),
    /** Null: of every board. */
    wanted_project_id: int('wanted_project_id'),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.actor_id] })],
)

/**
 * Unacknowledged messages before the agent's position, and messages that its webhook has yet to
 * deliver.
 */
export const messages = table(
  'messages',
  { exported: 'created from the change log of their server' },
  {
    team_id: int('team_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    /** The change in the log. */
    seq: long('seq').notNull(),
    type: text('type').$type<EventName>().notNull(),
    project_id: int('project_id'),
    /** Messages in state `webhook` are hidden from polling until a delivery has failed. */
    state: text('state').$type<'polling' | 'webhook'>().notNull(),
    attempts: int('attempts').notNull(),
    /** Null if no webhook delivers it. */
    next_attempt_at: time('next_attempt_at'),
    /** A process is sending it until then. */
    sending_until: time('sending_until'),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.actor_id, t.seq] }),
    index('messages_polling').on(t.team_id, t.actor_id, t.seq).where(sql`state = 'polling'`),
    index('messages_due')
      .on(t.team_id, t.actor_id, t.next_attempt_at, t.seq)
      .where(sql`next_attempt_at is not null`),
  ],
)
