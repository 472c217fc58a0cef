import { and, asc, count, desc, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import {
  type Cursor,
  DEFAULT_ROWS,
  type Direction,
  decodeCursor,
  orderOf,
  type PageInfo,
  type Paging,
} from '../../../../kernel/list.ts'
import { pageOf, warnIfShortened } from '../../../../store/page.ts'
import { byteLength, countThatFits, digestFor, paginate } from '../../../../store/paginate.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { changes } from '../../../../store/tables.ts'
import { matchesSearch } from '../../../../store/text.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { activitiesBySeq, activityCondition, mayReadPages } from './activity.ts'
import { toCommentRecords } from './records.ts'
import type { CommentRecord, TimelineRow } from './schema.ts'
import { type Comment, ofTask } from './store.ts'
import { comments } from './tables.ts'

interface Page {
  items: TimelineRow[]
  page: PageInfo
}

const { text: _, ...withoutText } = getTableColumns(comments)

/** Returns a page of the comments of a task, oldest first by default. */
export async function listComments(ctx: Context, task: Task, input: Paging): Promise<Page> {
  const { rows, page } = await pageOf(ctx.tx, input, {
    name: 'comments',
    from: comments,
    columns: withoutText,
    largeText: comments.text,
    where: and(ofTask(task), matchesSearch(input, [comments.text])),
    sorts: { createdAt: { key: comments.created_at } },
    manualSort: { key: comments.created_at },
    id: 'comment_id',
  })
  const ids = rows.map(({ comment_id }) => comment_id)
  const found = await commentsByIds(ctx.tx, task, ids)
  const byId = new Map(found.map((comment) => [comment.comment_id, comment]))
  // A comment may have been deleted since its row was selected.
  const existing = rows.flatMap(({ comment_id }) => byId.get(comment_id) ?? [])
  const records = await toCommentRecords(ctx, task, existing)
  const items = records.map((record): TimelineRow => ({ kind: 'comment', ...record }))
  return warnIfShortened(ctx, { items, page })
}

const selectRecent = prepared((tx) =>
  tx
    .select()
    .from(comments)
    .where(ofTask({ team_id: param('team_id'), task_id: param('task_id') }))
    .orderBy(desc(comments.created_at), desc(comments.comment_id))
    .limit(param('limit'))
    .prepare('comments_recent'),
)

/** Returns the newest comments, oldest first. */
export async function recentComments(
  ctx: Context,
  task: Task,
  limit: number,
): Promise<CommentRecord[]> {
  const { team_id, task_id } = task
  const rows = await selectRecent(ctx.tx).execute({ team_id, task_id, limit })
  return toCommentRecords(ctx, task, rows.reverse())
}

/** Activity sorts before comments of the same moment. */
const ACTIVITY = 0
const COMMENT = 1

interface Position {
  at: Date
  rank: number
  id: number
}

interface Entry extends Position, Record<string, unknown> {
  /** Size of the text. */
  bytes: number
}

/** Returns a page of comments and activity, merged by time. */
export async function listTimeline(ctx: Context, task: Task, input: Paging): Promise<Page> {
  const { cursor, limit = DEFAULT_ROWS, offset = 0 } = input
  const direction = directionOf(input)
  const queryDigest = digestFor(input, `timeline ${task.task_id}`, direction)
  const from = cursor === undefined ? undefined : decodeCursor(cursor, queryDigest)
  const source = { caller: ctx.caller, task, input, direction }
  const found = await selectEntries(ctx.tx, source, {
    after: from && positionOf(from),
    rows: limit + 1,
    skip: from ? 0 : offset,
  })
  const total = totalCounter(ctx, source)
  const { rows, page } = await paginate(
    ctx.tx,
    { name: 'timeline', from: comments, where: undefined, id: 'rank', total },
    found,
    {
      queryDigest,
      limit,
      maxRows: countThatFits(found.map(({ bytes }) => Number(bytes))),
      offset: from?.rowsBefore ?? offset,
      cursorValue: (row) => [(row as Entry).at.getTime(), (row as Entry).id],
    },
  )
  return warnIfShortened(ctx, { items: await toTimelineRows(ctx, task, rows as Entry[]), page })
}

function directionOf(input: Paging): Direction {
  const isSorted = input.sort !== undefined || input.sort_by !== undefined
  return isSorted ? orderOf(input, ['createdAt'])[1] : (input.sort_order ?? 'asc')
}

interface Source extends Pick<Context, 'caller'> {
  task: Task
  input: Paging
  direction: Direction
}

const rankColumn = (rank: number) => sql.raw(String(rank)).mapWith(Number).as('rank')

interface Slice {
  after: Position | undefined
  rows: number
  skip: number
}

/** Each source scans its own index for no more rows than the page can need. Then they are merged. */
async function selectEntries(tx: Tx, source: Source, slice: Slice): Promise<Entry[]> {
  const { after, rows, skip } = slice
  const { commentQuery, activityQuery } = sourceQueries(tx, source, after)
  const { direction } = source
  const sort = direction === 'asc' ? asc : desc
  const commentRows = commentQuery
    .orderBy(sort(comments.created_at), sort(comments.comment_id))
    .limit(skip + rows)
    .as('said')
  const activityRows = activityQuery
    .orderBy(sort(changes.created_at), sort(changes.seq))
    .limit(skip + rows)
    .as('happened')
  const order = ['created_at', 'rank', 'comment_id'].map((name) => sql.raw(`${name} ${direction}`))
  return tx
    .select()
    .from(commentRows)
    .unionAll(tx.select().from(activityRows) as never)
    .orderBy(...order)
    .limit(rows)
    .offset(skip)
}

function sourceQueries(tx: Tx, { caller, task, input, direction }: Source, after?: Position) {
  const commentQuery = tx
    .select({
      at: comments.created_at,
      rank: rankColumn(COMMENT),
      id: comments.comment_id,
      bytes: byteLength(comments.text).as('bytes'),
    })
    .from(comments)
    .where(
      and(
        ofTask(task),
        matchesSearch(input, [comments.text]),
        after && isAfter(comments.created_at, comments.comment_id, COMMENT, direction, after),
      ),
    )
  const activityQuery = tx
    .select({
      at: changes.created_at,
      rank: rankColumn(ACTIVITY),
      id: changes.seq,
      bytes: sql`0`.mapWith(Number).as('bytes'),
    })
    .from(changes)
    .where(
      and(
        activityCondition(mayReadPages({ caller }), task),
        // A text search matches comments only.
        input.query || input.search ? sql`1 = 0` : undefined,
        after && isAfter(changes.created_at, changes.seq, ACTIVITY, direction, after),
      ),
    )
  return { commentQuery, activityQuery }
}

type Columns = [
  at: typeof comments.created_at | typeof changes.created_at,
  id: typeof comments.comment_id | typeof changes.seq,
]

/** Selects the rows of one source that come after the position in the merged order. */
function isAfter(...[at, id, rank, order, start]: [...Columns, number, Direction, Position]): SQL {
  const moment = sql.param(start.at, comments.created_at)
  const operator = sql.raw(order === 'asc' ? '>' : '<')
  if (rank === start.rank) return sql`(${at}, ${id}) ${operator} (${moment}, ${start.id})`
  const isLater = order === 'asc' ? rank > start.rank : rank < start.rank
  return isLater ? sql`${at} ${operator}= ${moment}` : sql`${at} ${operator} ${moment}`
}

/** Refuses cursor values that no row can have before they reach the database. */
function positionOf({ value, id: rank }: Cursor): Position {
  const [at, id] = [value].flat()
  const moment = new Date(typeof at === 'number' ? at : Number.NaN)
  if ((rank === ACTIVITY || rank === COMMENT) && Number.isSafeInteger(id))
    if (!Number.isNaN(moment.getTime())) return { at: moment, rank, id: id as number }
  throw fault.invalid('cursor', 'invalid_format', 'cursor must be the next_cursor of a list')
}

/** One more than the largest total that a list reports. */
const LIMIT = 10_001

const totalCounter =
  ({ tx }: Context, source: Source) =>
  async () => {
    const { commentQuery, activityQuery } = sourceQueries(tx, source)
    const queries = [
      commentQuery.limit(LIMIT).as('said'),
      activityQuery.limit(LIMIT).as('happened'),
    ]
    let total = 0
    for (const query of queries) {
      const [row] = await tx.select({ rows: count() }).from(query)
      total += row!.rows
    }
    return total
  }

async function toTimelineRows(ctx: Context, task: Task, entries: readonly Entry[]) {
  const ids = (rank: number) => entries.filter((row) => row.rank === rank).map(({ id }) => id)
  const found = await commentsByIds(ctx.tx, task, ids(COMMENT))
  const records = await toCommentRecords(ctx, task, found)
  const byId = new Map(records.map((record) => [record.comment_id, record]))
  const activities = await activitiesBySeq(ctx, ids(ACTIVITY))
  return entries.map(
    ({ rank, id }): TimelineRow =>
      rank === COMMENT
        ? { kind: 'comment', ...byId.get(id)! }
        : { kind: 'activity', ...activities.get(id)! },
  )
}

const commentsByIds = async (tx: Tx, task: Task, ids: number[]): Promise<Comment[]> =>
  ids.length
    ? tx
        .select()
        .from(comments)
        .where(and(ofTask(task), inArray(comments.comment_id, ids)))
    : []
