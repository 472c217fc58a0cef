import { index, int, json, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { Kind } from '../../notifications/model/index.ts'
import type { Mode } from './schema.ts'

/**
 * Email preferences and the schedule of each person. Emails are not stored: they are composed when
 * they are sent, from the notifications that are still unread then.
 */
export const mailings = table(
  'mailings',
  { exported: 'email settings apply to one server' },
  {
    actor_id: int('actor_id')
      .primaryKey()
      .references(() => actors.actor_id),
    mode: text('mode').$type<Mode>().notNull(),
    /** Null for the important kinds. */
    kinds: json<Kind[]>('kinds'),
    /** Hour of the daily email, in the person's time zone. */
    hour: int('hour').notNull(),
    /** The newest notification when the last email was composed. */
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
