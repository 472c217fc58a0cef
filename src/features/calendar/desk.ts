import { eq } from 'drizzle-orm'
import type { Caller, Clock } from '../../kernel/caller.ts'
import type { Store } from '../../kernel/dispatch.ts'
import { callerFor } from '../callers/index.ts'
import { hashOf } from '../credentials/index.ts'
import { calendarFeeds } from './tables.ts'

/** Who reads when a feed is read, and what it is called. */
export interface Reading {
  caller: Caller
  feed_id: string
  title: string
}

/** Knows the feeds by their secrets, so that the surface need not. */
export function calendarDesk({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** Nothing where there is none, or where its owner may not read tasks any more. */
    find: (secret: string): Promise<Reading | undefined> =>
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
          ...{ feed_id, title },
        }
      }),
  }
}
