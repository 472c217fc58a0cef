import { index, int, json, table, text, time } from '../../store/columns.ts'
import type { Kind } from '../notifications/index.ts'
import { actors } from '../people/index.ts'
import type { Mode } from './schema.ts'

/**
 * What somebody wants by mail, and how far that has come. Nothing of a letter is kept: it is
 * written when it goes out, of what is still worth telling then.
 */
export const mailings = table(
  'mailings',
  {
    actor_id: int('actor_id')
      .primaryKey()
      .references(() => actors.actor_id),
    mode: text('mode').$type<Mode>().notNull(),
    /** Null: those that are important, whichever these are. */
    kinds: json<Kind[]>('kinds'),
    /** Of the day, where they live, at which a daily letter goes out. */
    hour: int('hour').notNull(),
    /** The newest notification when a letter was last written. */
    mark: int('mark').notNull(),
    marked_at: time('marked_at').notNull(),
    due_at: time('due_at'),
    attempts: int('attempts').notNull(),
    claimed_until: time('claimed_until'),
    sent_at: time('sent_at'),
    last_error: text('last_error'),
  },
  (t) => [index('mailings_due').on(t.due_at), index('mailings_claimed').on(t.claimed_until)],
)
