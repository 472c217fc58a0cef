import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { createFeed, deleteFeed, toFeed, toNewFeed } from '../model/feeds.ts'
import { listRange } from '../model/range.ts'
import { readFeed } from '../model/read.ts'
import { CalendarItem, draft, Entry, Feed, FeedId, NewFeed, rangeInput } from '../model/schema.ts'
import { calendarFeeds } from '../model/tables.ts'

const FEEDS = '/api/v1/calendar/feeds'

export const range = operation({
  name: 'calendar.list',
  summary: 'Tasks due in a range of days, with future occurrences of repeating tasks',
  needs: 'tasks:read',
  dependsOn: ['task', 'section'],
  on: {
    rest: 'GET /api/v1/calendar',
    cli: { usage: 'calendar show', example: '--from 2026-12-01 --to 2026-12-31 --projects HOM' },
    chat: true,
  },
  input: t.Object(rangeInput),
  output: listOf(CalendarItem),
  run: (input, ctx) => listRange(ctx, input),
})

export const feeds = operation({
  name: 'calendar_feeds.list',
  summary: 'Your calendar feeds, without their addresses',
  needs: 'keys:read',
  dependsOn: ['calendar_feed'],
  on: { rest: `GET ${FEEDS}`, cli: { usage: 'calendar feeds', example: '' } },
  input: listInput({}, ['createdAt', 'title']),
  output: listOf(Feed),
  async run(input, ctx) {
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'calendar_feeds',
      from: calendarFeeds,
      columns: getTableColumns(calendarFeeds),
      where: and(
        eq(calendarFeeds.actor_id, ctx.caller.actor_id),
        matchesSearch(input, [calendarFeeds.title]),
      ),
      sorts: {
        createdAt: { key: calendarFeeds.created_at },
        title: { key: calendarFeeds.title },
      },
      id: 'calendar_feed_id',
    })
    return { items: rows.map(toFeed), page }
  },
})

export const subscribe = operation({
  name: 'calendar_feeds.create',
  summary: 'Create a calendar feed of your tasks; its address is shown only once',
  needs: 'keys:manage',
  creates: true,
  on: {
    rest: `POST ${FEEDS}`,
    cli: { usage: 'calendar subscribe', example: '--what all --projects HOM' },
  },
  input: t.Object(draft),
  output: NewFeed,
  async run(input, ctx) {
    const { feed, secret } = await createFeed(ctx, input)
    return { ...toNewFeed(feed), url: `${ctx.server.url}/calendar/${secret}.ics` }
  },
})

export const unsubscribe = operation({
  name: 'calendar_feeds.delete',
  summary: 'Delete one of your calendar feeds; its address stops working',
  needs: 'keys:manage',
  destroys: true,
  on: {
    rest: `DELETE ${FEEDS}/:feed_id`,
    cli: { usage: 'calendar unsubscribe <feed_id>', example: 'Work' },
  },
  input: t.Object({ feed_id: FeedId }),
  output: t.Object({ feed_id: FeedId, title: t.String() }),
  async run(input, ctx) {
    const { feed_id, title } = await deleteFeed(ctx, input.feed_id)
    return { feed_id, title }
  },
})

/** Used by the feed's URL; the surface there authenticates by the secret. */
export const read = operation({
  name: 'calendar_feeds.read',
  summary: 'Open tasks with a due date, as one of your calendar feeds shows them',
  needs: 'tasks:read',
  dependsOn: ['task'],
  on: {},
  input: t.Object({ feed_id: FeedId, cursor: t.Optional(t.String({ maxLength: 2000 })) }),
  output: listOf(Entry),
  run: ({ feed_id, cursor }, ctx) => readFeed(ctx, feed_id, cursor),
})
