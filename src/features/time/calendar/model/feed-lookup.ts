import { eq } from 'drizzle-orm'
import type { Caller, Clock } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import { hashOf } from '../../../identity/credentials/model/index.ts'
import { calendarFeeds } from './tables.ts'

/** The owner of a feed as a caller, and the feed's title. */
export interface FeedReader {
  caller: Caller
  feed_id: string
  title: string
}

/** Finds feeds by their secret, which keeps this out of the HTTP surface. */
export function calendarFeedLookup({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /**
     * Undefined if there is no such feed, it has expired, or its owner may no longer read tasks.
     */
    find: (secret: string): Promise<FeedReader | undefined> =>
      store.read(async (tx) => {
        const [feed] = await tx
          .select()
          .from(calendarFeeds)
          .where(eq(calendarFeeds.hash, hashOf(secret)))
        if (!feed || (feed.expires_at && feed.expires_at <= clock())) return undefined
        const caller = await callerFor(tx, feed.actor_id)
        if (!caller.scopes.has('tasks:read')) return undefined
        const { feed_id, title } = feed
        const credential = `calendar:${feed.calendar_feed_id}`
        return {
          caller: { ...caller, scopes: new Set(['tasks:read'] as const), credential },
          feed_id,
          title,
        }
      }),
  }
}
