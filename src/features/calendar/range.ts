import { and, asc, count, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { digest } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { decodeCursor, encodeCursor, fieldsOf, type PageInfo, ROWS } from '../../kernel/list.ts'
import { findProject } from '../projects/index.ts'
import { listed, shownTasks, soughtTasks, tasks } from '../tasks/index.ts'
import { type Item, inOrder, type Range, rangeOf } from './days.ts'
import { after } from './read.ts'
import { type Asked, CalendarItem } from './schema.ts'
import { comingAgain } from './series.ts'

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
  const again = await comingAgain(ctx, { where, range, last, most: limit + 1 })
  const items = [
    ...(await dueWithin(ctx, and(where, own, last && after(last.at, last.task_id)), limit + 1)),
    ...again.items,
  ].sort(inOrder)
  const some = items.slice(0, limit)
  const end = some.at(-1)
  const has_more = items.length > limit
  const seen = (from?.seen ?? 0) + some.length
  const next = has_more && end && { digest: made, value: end.at, id: end.task_id, seen }
  const page: PageInfo = {
    ...(await counted(ctx, and(where, own), again.many)),
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
  for (const project_id of boards) await findProject(ctx, project_id, 'project_ids')
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
      and(
        sql`not ${isDay}`,
        gte(tasks.due_at, new Date(begins)),
        lte(tasks.due_at, new Date(ends)),
      ),
    ),
    withDone ? undefined : isNull(tasks.completed_at),
  )!
}

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

async function counted(
  ctx: Context,
  own: SQL | undefined,
  again: number,
): Promise<Pick<PageInfo, 'total' | 'total_at_least'>> {
  const some = ctx.tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(own)
    .limit(MOST_COUNTED + 1)
    .as('some')
  const [row] = await ctx.tx.select({ many: count() }).from(some)
  const total = row!.many + again
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
  // What was deleted between two turns is shown no more.
  return some.flatMap(({ task_id, date, at, occurrence }) => {
    const row = byId.get(task_id)
    return row ? [{ ...row, date, at: new Date(at).toISOString(), occurrence }] : []
  })
}
