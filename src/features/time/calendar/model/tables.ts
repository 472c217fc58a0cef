import { id, index, int, json, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { mintedWith } from '../../../identity/credentials/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { What } from './rules.ts'

/** URLs at which calendar apps read tasks. They belong to an account and to no team. */
export const calendarFeeds = table(
  'calendar_feeds',
  { exported: 'their URLs belong to the server that created them' },
  {
    calendar_feed_id: id('calendar_feed_id'),
    /** The public id, a UUID. */
    feed_id: text('feed_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    title: text('title').notNull(),
    what: text('what').$type<What>().notNull(),
    /** Empty for all boards. */
    project_ids: json<number[]>('project_ids').notNull(),
    /** The hash of the secret in its URL. */
    hash: text('hash').notNull(),
    ...mintedWith,
    created_at: time('created_at').notNull(),
    last_read_at: time('last_read_at'),
  },
  (t) => [
    uniqueIndex('calendar_feeds_public').on(t.feed_id),
    uniqueIndex('calendar_feeds_hash').on(t.hash),
    index('calendar_feeds_actor').on(t.actor_id, t.title),
    index('calendar_feeds_credential').on(t.credential_id),
  ],
)
