import { randomBytes } from 'node:crypto'
import { and, count, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { lacking } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import { hashOf, parentOf } from '../credentials/index.ts'
import { people } from '../people/index.ts'
import { findProject, nameOf } from '../projects/index.ts'
import { titleOf } from './rules.ts'
import { type Draft, type Feed, MOST_FEEDS } from './schema.ts'
import { calendarFeeds } from './tables.ts'

export type FeedRow = typeof calendarFeeds.$inferSelect

const mine = ({ caller }: Context, feed_id: string) =>
  and(
    eq(calendarFeeds.feed_id, feed_id.trim().toLowerCase()),
    eq(calendarFeeds.actor_id, caller.actor_id),
  )

/** One of the caller's own; others' are not there. */
export async function findFeed(ctx: Context, feed_id: string): Promise<FeedRow> {
  const [feed] = await ctx.tx.select().from(calendarFeeds).where(mine(ctx, feed_id))
  if (feed) return feed
  throw unknown(feed_id)
}

const unknown = (feed_id: string) =>
  fault.notFound(
    'feed_id',
    `You have no calendar feed ${feed_id}`,
    feed_id,
    'List them: GET /api/v1/calendar/feeds',
  )

/** A feed of the caller's, and the secret that its address ends in. */
export async function createFeed(ctx: Context, { title, what = 'mine', project_ids = [] }: Draft) {
  // Whoever has the address reads tasks, so whoever makes it must be allowed to.
  if (!ctx.caller.scopes.has('tasks:read')) throw lacking('tasks:read')
  const boards = [...new Set(project_ids)]
  const seeing: Context = { ...ctx, needs: 'tasks:read' }
  for (const project_id of boards) await findProject(seeing, project_id, 'project_ids')
  await refuseMore(ctx)
  const { parent_id: credential_id, expires_at } = await parentOf(ctx)
  const secret = randomBytes(32).toString('base64url')
  const [feed] = await ctx.tx
    .insert(calendarFeeds)
    .values({
      feed_id: Bun.randomUUIDv7(),
      actor_id: ctx.caller.actor_id,
      title: title === undefined ? titleOf(what) : nameOf('title', title),
      what,
      project_ids: boards,
      hash: hashOf(secret),
      credential_id,
      expires_at,
      created_at: ctx.now,
    })
    .returning()
  tell(ctx, 'created', feed!)
  return { feed: feed!, secret }
}

/** Writers queue for the person's row, so that no two of them both make the last one. */
async function refuseMore({ tx, caller }: Context): Promise<void> {
  const { actor_id } = caller
  await held(
    tx.select({ actor_id: people.actor_id }).from(people).where(eq(people.actor_id, actor_id)),
  )
  const [row] = await tx
    .select({ many: count() })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.actor_id, actor_id))
  if (row!.many >= MOST_FEEDS)
    throw fault.conflict(
      `You have ${MOST_FEEDS} calendar feeds, which is the most`,
      { limit: MOST_FEEDS },
      'Delete one that no calendar reads any more, then make this one',
    )
}

export async function deleteFeed(ctx: Context, feed_id: string): Promise<FeedRow> {
  const [feed] = await ctx.tx.delete(calendarFeeds).where(mine(ctx, feed_id)).returning()
  if (!feed) throw unknown(feed_id)
  tell(ctx, 'deleted', feed)
  return feed
}

/** At no place: what somebody's calendar reads is nobody else's business. */
function tell(ctx: Context, what: string, { feed_id, title }: FeedRow) {
  ctx.emit(`calendar_feed.${what}`, {}, { feed_id, title })
}

/** Without when it was last read, which nothing did of a new one. */
export const shownNew = (feed: FeedRow) => ({
  feed_id: feed.feed_id,
  title: feed.title,
  what: feed.what,
  project_ids: feed.project_ids,
  created_at: feed.created_at.toISOString(),
  expires_at: feed.expires_at?.toISOString() ?? null,
})

export const shownFeed = (feed: FeedRow): Feed => ({
  ...shownNew(feed),
  last_read_at: feed.last_read_at?.toISOString() ?? null,
})
