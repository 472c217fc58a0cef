import { sql } from 'drizzle-orm'
import { index, int, json, long, primaryKey, table, text, time } from '../../store/columns.ts'
import { actors } from '../people/index.ts'
import type { EventName } from './rules.ts'

/**
 * How far each agent has come in the change log. What lies behind that it was told, unless there is
 * a row of `messages` for it; what lies before it is told from the log itself.
 */
export const messagePlaces = table(
  'message_places',
  {
    team_id: int('team_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    seq: long('seq').notNull(),
    /** What its webhook wants, of changes after `wanted_from`; null where it has none at work. */
    wanted: json<EventName[] | null>('wanted'),
    wanted_from: long('wanted_from'),
    /** Null: of every board. */
    wanted_project_id: int('wanted_project_id'),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.actor_id] })],
)

/** What an agent left unacknowledged behind its place, and what its webhook is yet to bring. */
export const messages = table(
  'messages',
  {
    team_id: int('team_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    /** The change of the log that it tells of. */
    seq: long('seq').notNull(),
    type: text('type').$type<EventName>().notNull(),
    project_id: int('project_id'),
    /** A webhook's own are not shown to whoever polls until it has failed to bring them. */
    state: text('state').$type<'polling' | 'webhook'>().notNull(),
    attempts: int('attempts').notNull(),
    /** Null where no webhook is to bring it. */
    next_attempt_at: time('next_attempt_at'),
    /** Until then some process is at it. */
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
