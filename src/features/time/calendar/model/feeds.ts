import { randomBytes } from 'node:crypto'
import { and, count, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { cleanName, findProject } from '../../../boards/projects/model/index.ts'
import { hashOf, parentOf } from '../../../identity/credentials/model/index.ts'
import { people } from '../../../identity/people/model/index.ts'
import { titleOf } from './rules.ts'
import { type Draft, type Feed, MAX_FEEDS } from './schema.ts'
import { calendarFeeds } from './tables.ts'

export type FeedRow = typeof calendarFeeds.$inferSelect

const isMine = ({ caller }: Context, feed_id: string) =>
  and(
    eq(calendarFeeds.feed_id, feed_id.trim().toLowerCase()),
    eq(calendarFeeds.actor_id, caller.actor_id),
  )

/** Finds a feed of the caller; feeds of others are not_found. */
export async function findFeed(ctx: Context, feed_id: string): Promise<FeedRow> {
  const [feed] = await ctx.tx.select().from(calendarFeeds).where(isMine(ctx, feed_id))
  if (feed) return feed
  throw feedNotFound(feed_id)
}

const feedNotFound = (feed_id: string) =>
  fault.notFound(
    'feed_id',
    `You have no calendar feed ${feed_id}`,
    feed_id,
    'List them: GET /api/v1/calendar/feeds',
  )

/** Creates a feed and returns it with the secret of its URL. */
export async function createFeed(ctx: Context, { title, what = 'mine', project_ids = [] }: Draft) {
  // The URL grants reading tasks, so its creator needs that scope.
  if (!ctx.caller.scopes.has('tasks:read')) throw missingScope('tasks:read')
  const boards = [...new Set(project_ids)]
  const readContext: Context = { ...ctx, needs: 'tasks:read' }
  for (const project_id of boards) await findProject(readContext, project_id, 'project_ids')
  await checkLimit(ctx)
  const { parent_id: credential_id, expires_at } = await parentOf(ctx)
  const secret = randomBytes(32).toString('base64url')
  const [feed] = await ctx.tx
    .insert(calendarFeeds)
    .values({
      feed_id: Bun.randomUUIDv7(),
      actor_id: ctx.caller.actor_id,
      title: title === undefined ? titleOf(what) : cleanName('title', title),
      what,
      project_ids: boards,
      hash: hashOf(secret),
      credential_id,
      expires_at,
      created_at: ctx.now,
    })
    .returning()
  emitFeedChange(ctx, 'created', feed!)
  return { feed: feed!, secret }
}

/** Locks the person's row, so that two concurrent requests cannot both create the last feed. */
async function checkLimit({ tx, caller }: Context): Promise<void> {
  const { actor_id } = caller
  await forUpdate(
    tx.select({ actor_id: people.actor_id }).from(people).where(eq(people.actor_id, actor_id)),
  )
  const [row] = await tx
    .select({ many: count() })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.actor_id, actor_id))
  if (row!.many >= MAX_FEEDS)
    throw fault.conflict(
      `You already have ${MAX_FEEDS} calendar feeds, which is the maximum`,
      { limit: MAX_FEEDS },
      'Delete one that you no longer use, then create this one',
    )
}

export async function deleteFeed(ctx: Context, feed_id: string): Promise<FeedRow> {
  const [feed] = await ctx.tx.delete(calendarFeeds).where(isMine(ctx, feed_id)).returning()
  if (!feed) throw feedNotFound(feed_id)
  emitFeedChange(ctx, 'deleted', feed)
  return feed
}

/** Emitted without a board: a feed is private to its owner. */
function emitFeedChange(
  ctx: Context,
  verb: ChangeVerb<'calendar_feed'>,
  { feed_id, title }: FeedRow,
) {
  ctx.emit(`calendar_feed.${verb}`, {}, { feed_id, title })
}

/** The output of a new feed, which nothing has read yet. */
export const toNewFeed = (feed: FeedRow) => ({
  feed_id: feed.feed_id,
  title: feed.title,
  what: feed.what,
  project_ids: feed.project_ids,
  created_at: feed.created_at.toISOString(),
  expires_at: feed.expires_at?.toISOString() ?? null,
})

export const toFeed = (feed: FeedRow): Feed => ({
  ...toNewFeed(feed),
  last_read_at: feed.last_read_at?.toISOString() ?? null,
})
