import { and, asc, count, desc, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import {
  type Cursor,
  type Direction,
  decodeCursor,
  orderOf,
  type PageInfo,
  type Paging,
  ROWS,
} from '../../kernel/list.ts'
import { bytesOf, cut, fitting, madeFor } from '../../store/cut.ts'
import { complete, pageOf } from '../../store/page.ts'
import { changes } from '../../store/tables.ts'
import { matching } from '../../store/text.ts'
import type { Task } from '../tasks/index.ts'
import { activitiesOf, happenedTo } from './activity.ts'
import { shownComments } from './records.ts'
import type { CommentRecord, TimelineRow } from './schema.ts'
import { type Comment, ofTask } from './store.ts'
import { comments } from './tables.ts'

interface Page {
  items: TimelineRow[]
  page: PageInfo
}

const { text: _, ...withoutText } = getTableColumns(comments)

/** A page of the comments of a task, the oldest first unless asked otherwise. */
export async function talkOn(ctx: Context, task: Task, input: Paging): Promise<Page> {
  const { rows, page } = await pageOf(ctx.tx, input, {
    name: 'comments',
    from: comments,
    columns: withoutText,
    sized: comments.text,
    where: and(ofTask(task), matching(input, [comments.text])),
    sorts: { createdAt: { key: comments.created_at } },
    natural: { key: comments.created_at },
    id: 'comment_id',
  })
  const found = await commentsIn(
    ctx.tx,
    task,
    rows.map(({ comment_id }) => comment_id),
  )
  const byId = new Map(found.map((one) => [one.comment_id, one]))
  // One may have been deleted since its row was found.
  const whole = rows.flatMap(({ comment_id }) => byId.get(comment_id) ?? [])
  const shown = await shownComments(ctx, task, whole)
  const items = shown.map((one): TimelineRow => ({ kind: 'comment', ...one }))
  return complete(ctx, { items, page })
}

/** The newest comments, in the order in which they were made. */
export async function recentComments(
  ctx: Context,
  task: Task,
  most: number,
): Promise<CommentRecord[]> {
  const rows = await ctx.tx
    .select()
    .from(comments)
    .where(ofTask(task))
    .orderBy(desc(comments.created_at), desc(comments.comment_id))
    .limit(most)
  return shownComments(ctx, task, rows.reverse())
}

/** What happened at one moment comes before what was said at it. */
const ACTIVITY = 0
const COMMENT = 1

interface Mark {
  at: Date
  rank: number
  id: number
}

interface Entry extends Mark, Record<string, unknown> {
  /** Of its text. */
  bytes: number
}

/** A page of comments with what happened between them. */
export async function timelineOf(ctx: Context, task: Task, input: Paging): Promise<Page> {
  const { cursor, limit = ROWS, offset = 0 } = input
  const way = wayOf(input)
  const made = madeFor(input, `timeline ${task.task_id}`, way)
  const from = cursor === undefined ? undefined : decodeCursor(cursor, made)
  const source = { caller: ctx.caller, task, input, way }
  const found = await entries(ctx.tx, source, {
    ...{ mark: from && markIn(from), rows: limit + 1, skip: from ? 0 : offset },
  })
  const { rows, page } = await cut(
    ctx.tx,
    { name: 'timeline', from: comments, where: undefined, id: 'rank', total: total(ctx, source) },
    found,
    {
      ...{ made, limit, fits: fitting(found.map(({ bytes }) => Number(bytes))) },
      before: from?.seen ?? offset,
      mark: (row) => [(row as Entry).at.getTime(), (row as Entry).id],
    },
  )
  return complete(ctx, { items: await shown(ctx, task, rows as Entry[]), page })
}

function wayOf(input: Paging): Direction {
  const isSorted = input.sort !== undefined || input.sort_by !== undefined
  return isSorted ? orderOf(input, ['createdAt'])[1] : (input.sort_order ?? 'asc')
}

interface Source extends Pick<Context, 'caller'> {
  task: Task
  input: Paging
  way: Direction
}

const ranked = (rank: number) => sql.raw(String(rank)).mapWith(Number).as('rank')

interface Step {
  mark: Mark | undefined
  rows: number
  skip: number
}

/** Each half walks its own index and no further than the page could need; then they are merged. */
async function entries(tx: Tx, source: Source, { mark, rows, skip }: Step): Promise<Entry[]> {
  const { talk, events } = halves(tx, source, mark)
  const toward = source.way === 'asc' ? asc : desc
  const said = talk
    .orderBy(toward(comments.created_at), toward(comments.comment_id))
    .limit(skip + rows)
    .as('said')
  const happened = events
    .orderBy(toward(changes.created_at), toward(changes.seq))
    .limit(skip + rows)
    .as('happened')
  const order = ['created_at', 'rank', 'comment_id'].map((name) => sql.raw(`${name} ${source.way}`))
  return tx
    .select()
    .from(said)
    .unionAll(tx.select().from(happened) as never)
    .orderBy(...order)
    .limit(rows)
    .offset(skip)
}

function halves(tx: Tx, { caller, task, input, way }: Source, mark?: Mark) {
  const talk = tx
    .select({
      at: comments.created_at,
      rank: ranked(COMMENT),
      id: comments.comment_id,
      bytes: bytesOf(comments.text).as('bytes'),
    })
    .from(comments)
    .where(
      and(
        ofTask(task),
        matching(input, [comments.text]),
        mark && beyond(comments.created_at, comments.comment_id, COMMENT, way, mark),
      ),
    )
  const events = tx
    .select({
      at: changes.created_at,
      rank: ranked(ACTIVITY),
      id: changes.seq,
      bytes: sql`0`.mapWith(Number).as('bytes'),
    })
    .from(changes)
    .where(
      and(
        happenedTo({ caller }, task),
        // Who looks for words looks for what was said.
        input.query || input.search ? sql`1 = 0` : undefined,
        mark && beyond(changes.created_at, changes.seq, ACTIVITY, way, mark),
      ),
    )
  return { talk, events }
}

type Columns = [
  at: typeof comments.created_at | typeof changes.created_at,
  id: typeof comments.comment_id | typeof changes.seq,
]

/** Rows of one half that come after the mark in the order of both. */
function beyond(...[at, id, rank, way, mark]: [...Columns, number, Direction, Mark]): SQL {
  const moment = sql.param(mark.at, comments.created_at)
  const than = sql.raw(way === 'asc' ? '>' : '<')
  if (rank === mark.rank) return sql`(${at}, ${id}) ${than} (${moment}, ${mark.id})`
  const isLater = way === 'asc' ? rank > mark.rank : rank < mark.rank
  return isLater ? sql`${at} ${than}= ${moment}` : sql`${at} ${than} ${moment}`
}

/** What no row could have given is refused before an engine fails at it. */
function markIn({ value, id: rank }: Cursor): Mark {
  const [at, id] = [value].flat()
  const moment = new Date(typeof at === 'number' ? at : Number.NaN)
  if ((rank === ACTIVITY || rank === COMMENT) && Number.isSafeInteger(id))
    if (!Number.isNaN(moment.getTime())) return { at: moment, rank, id: id as number }
  throw fault.invalid('cursor', 'invalid_format', 'cursor is not one that a list gave')
}

/** More than anybody counts. */
const MOST_COUNTED = 10_001

const total =
  ({ tx }: Context, source: Source) =>
  async () => {
    const { talk, events } = halves(tx, source)
    const halved = [talk.limit(MOST_COUNTED).as('said'), events.limit(MOST_COUNTED).as('happened')]
    let all = 0
    for (const half of halved) {
      const [row] = await tx.select({ many: count() }).from(half)
      all += row!.many
    }
    return all
  }

async function shown(ctx: Context, task: Task, entries: readonly Entry[]): Promise<TimelineRow[]> {
  const ids = (rank: number) => entries.filter((one) => one.rank === rank).map(({ id }) => id)
  const said = await shownComments(ctx, task, await commentsIn(ctx.tx, task, ids(COMMENT)))
  const byId = new Map(said.map((one) => [one.comment_id, one]))
  const happened = await activitiesOf(ctx, ids(ACTIVITY))
  return entries.map(({ rank, id }) =>
    rank === COMMENT
      ? { kind: 'comment', ...byId.get(id)! }
      : { kind: 'activity', ...happened.get(id)! },
  )
}

const commentsIn = async (tx: Tx, task: Task, ids: number[]): Promise<Comment[]> =>
  ids.length
    ? tx
        .select()
        .from(comments)
        .where(and(ofTask(task), inArray(comments.comment_id, ids)))
    : []
