import { and, asc, count, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { digest } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { decodeCursor, encodeCursor, fieldsOf, type PageInfo, ROWS } from '../../kernel/list.ts'
import { findProject } from '../projects/index.ts'
import {
  comingDates,
  isRepeating,
  listed,
  shownTasks,
  soughtTasks,
  tasks,
  zoneIn,
} from '../tasks/index.ts'
import { atOf, type Item, inOrder, type Range, rangeOf, resumed } from './days.ts'
import { type Asked, CalendarItem } from './schema.ts'

/** As far as other lists are counted. */
const MOST_COUNTED = 10_000

/** A page of what is due in the days asked for, and of what comes again in them. */
export async function listRange(ctx: Context, input: Asked) {
  const { cursor, limit = ROWS, fields, ...asked } = input
  const range = rangeOf(ctx, asked)
  const made = digest('calendar', asked).slice(0, 12)
  const from = cursor === undefined ? undefined : decodeCursor(cursor, made)
  const last = from && { at: Number(from.value), task_id: from.id }
  if (last && !(last.at >= range.least && last.at <= range.most)) throw torn(cursor)
  const where = await chosen(ctx, asked)
  const own = inRange(range, asked.include_done)
  const series = await repeating(ctx, and(where, lte(tasks.due_at, new Date(range.most))))
  const items = [
    ...(await dueWithin(ctx, and(where, own, last && beyond(last)), limit + 1)),
    ...series.flatMap((one) => comingOf(ctx, one, resumed(range, last), last, limit + 1)),
  ].sort(inOrder)
  const some = items.slice(0, limit)
  const end = some.at(-1)
  const has_more = items.length > limit
  const seen = (from?.seen ?? 0) + some.length
  const next = has_more && end && { digest: made, value: end.at, id: end.task_id, seen }
  const page: PageInfo = {
    ...(await counted(ctx, and(where, own), series, range)),
    ...{ limit, offset: from?.seen ?? 0, has_more },
    next_cursor: next ? encodeCursor(next) : null,
  }
  return { items: await shown(ctx, some, fields), page }
}

const torn = (cursor: string | undefined) =>
  fault.invalid('cursor', 'invalid_format', 'cursor is not one that a list gave', cursor)

/** The tasks of the boards asked for, and of the people. */
async function chosen(ctx: Context, { project_ids = [], assigned_to }: Asked) {
  const boards = [...new Set(project_ids)]
  for (const project_id of boards) await findProject(ctx, project_id)
  const [one] = boards
  const { where } = await soughtTasks(ctx, {
    ...(boards.length === 1 && { project_id: one }),
    ...(assigned_to !== undefined && { assigned_to }),
  })
  return and(where, boards.length > 1 ? inArray(tasks.project_id, boards) : undefined)
}

/** A day is one of the days asked for wherever its assignee lives; a moment by the caller's clock. */
function inRange({ from, to, begins, ends, least, most }: Range, withDone = false): SQL {
  const isDay = sql`length(${tasks.due_date}) = 10`
  return and(
    gte(tasks.due_at, new Date(least)),
    lte(tasks.due_at, new Date(most)),
    or(
      and(isDay, gte(tasks.due_date, from), lte(tasks.due_date, to)),
      and(sql`not ${isDay}`, gte(tasks.due_at, begins), lte(tasks.due_at, ends)),
    ),
    withDone ? undefined : isNull(tasks.completed_at),
  )!
}

const beyond = ({ at, task_id }: Pick<Item, 'at' | 'task_id'>): SQL =>
  sql`(${tasks.due_at}, ${tasks.task_id}) > (${sql.param(new Date(at), tasks.due_at)}, ${task_id})`

async function dueWithin(ctx: Context, where: SQL | undefined, most: number): Promise<Item[]> {
  const { task_id, due_date, due_at } = tasks
  const rows = await ctx.tx
    .select({ task_id, due_date, due_at })
    .from(tasks)
    .where(where)
    .orderBy(asc(due_at), asc(task_id))
    .limit(most)
  return rows.map((row) => ({
    task_id: row.task_id,
    ...{ date: row.due_date!, at: row.due_at!.getTime(), occurrence: false },
  }))
}

type Repeating = Awaited<ReturnType<typeof repeating>>[number]

function repeating({ tx }: Context, where: SQL | undefined) {
  const { task_id, due_date, recurrence, repeats_from } = tasks
  return tx
    .select({ task_id, due_date, recurrence, repeats_from, zone: zoneIn(tx) })
    .from(tasks)
    .where(and(where, isRepeating(tasks)))
}

/** When one of them comes again in the days asked for, after the last that was given. */
function comingOf(
  { caller, now }: Context,
  { task_id, due_date: due, recurrence, repeats_from: from, zone: theirs }: Repeating,
  { eve, includes, most: end }: Range,
  last: Pick<Item, 'at' | 'task_id'> | undefined,
  most: number,
): Item[] {
  const zone = theirs ?? caller.time_zone
  const since = now.getTime() > eve ? now : new Date(eve)
  const found: Item[] = []
  const series = { ...{ due, from, zone, rule: recurrence! }, start: null, now: since }
  for (const date of comingDates(series)) {
    const item = { task_id, date, at: atOf(date, zone), occurrence: true }
    if (item.at > end || found.length === most) break
    if (includes(date) && !(last && inOrder(item, last) <= 0)) found.push(item)
  }
  return found
}

async function counted(
  ctx: Context,
  own: SQL | undefined,
  series: readonly Repeating[],
  range: Range,
): Promise<Pick<PageInfo, 'total' | 'total_at_least'>> {
  const some = ctx.tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(own)
    .limit(MOST_COUNTED + 1)
    .as('some')
  const [row] = await ctx.tx.select({ many: count() }).from(some)
  let total = row!.many
  for (const one of series) {
    if (total > MOST_COUNTED) break
    total += comingOf(ctx, one, range, undefined, MOST_COUNTED).length
  }
  return total > MOST_COUNTED ? { total: null, total_at_least: MOST_COUNTED } : { total }
}

async function shown(ctx: Context, some: readonly Item[], fields: Asked['fields']) {
  const ids = [...new Set(some.map(({ task_id }) => task_id))]
  if (!ids.length) return []
  const wanted = fields === undefined ? undefined : fieldsOf({ fields }, CalendarItem)
  const withText = wanted?.includes('description')
  const rows = await ctx.tx
    .select(withText ? { ...listed, description: tasks.description } : listed)
    .from(tasks)
    .where(inArray(tasks.task_id, ids))
  const byId = new Map((await shownTasks(ctx, rows)).map((row) => [row.task_id, row]))
  return some.map(({ task_id, date, at, occurrence }) => ({
    ...byId.get(task_id)!,
    ...{ date, at: new Date(at).toISOString(), occurrence },
  }))
}
