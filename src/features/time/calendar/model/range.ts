import { and, asc, count, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { digest } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import {
  DEFAULT_ROWS,
  decodeCursor,
  encodeCursor,
  type PageInfo,
  requestedFields,
} from '../../../../kernel/list.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { searchTasks } from '../../../search/filters/model/index.ts'
import { taskRows } from '../../../tasks/records/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { byTime, type Item, parseRange, type Range } from './days.ts'
import { after } from './read.ts'
import { CalendarItem, type RangeInput } from './schema.ts'
import { soonestOccurrences } from './series.ts'

/** Counting stops here, as in other lists. */
const MAX_COUNTED = 10_000

/** A page of the tasks due in the requested days, and of later occurrences of repeating tasks. */
export async function listRange(ctx: Context, input: RangeInput) {
  const { cursor, limit = DEFAULT_ROWS, fields, ...request } = input
  const range = parseRange(ctx, request)
  const fingerprint = digest('calendar', request).slice(0, 12)
  const from = cursor === undefined ? undefined : decodeCursor(cursor, fingerprint)
  const last = from && { at: Number(from.value), task_id: from.id }
  if (last && !(last.at >= range.least && last.at <= range.most)) throw invalidCursor(cursor)
  const where = await taskCondition(ctx, request)
  const isInRange = rangeCondition(range, request.include_done)
  const occurrences = await soonestOccurrences(ctx, { where, range, last, most: limit + 1 })
  const items = [
    ...(await dueTasks(
      ctx,
      and(where, isInRange, last && after(last.at, last.task_id)),
      limit + 1,
    )),
    ...occurrences.items,
  ].sort(byTime)
  const pageItems = items.slice(0, limit)
  const lastItem = pageItems.at(-1)
  const has_more = items.length > limit
  const rowsBefore = (from?.rowsBefore ?? 0) + pageItems.length
  const next = has_more &&
    lastItem && { digest: fingerprint, value: lastItem.at, id: lastItem.task_id, rowsBefore }
  const page: PageInfo = {
    ...(await countTotal(ctx, and(where, isInRange), occurrences.count)),
    limit,
    offset: from?.rowsBefore ?? 0,
    has_more,
    next_cursor: next ? encodeCursor(next) : null,
  }
  return { items: await toCalendarItems(ctx, pageItems, fields), page }
}

const invalidCursor = (cursor: string | undefined) =>
  fault.invalid('cursor', 'invalid_format', 'cursor must be the next_cursor of a list', cursor)

/** The condition for the requested boards and assignees. */
async function taskCondition(ctx: Context, { project_ids = [], assigned_to }: RangeInput) {
  const boards = [...new Set(project_ids)]
  for (const project_id of boards) await findProject(ctx, project_id, 'project_ids')
  const [project_id] = boards
  const { where } = await searchTasks(ctx, {
    ...(boards.length === 1 && { project_id }),
    ...(assigned_to !== undefined && { assigned_to }),
  })
  return and(where, boards.length > 1 ? inArray(tasks.project_id, boards) : undefined)
}

/**
 * A due day counts by its date, whatever the assignee's zone; a due moment counts in the caller's
 * zone.
 */
function rangeCondition({ from, to, begins, ends, least, most }: Range, withDone = false): SQL {
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

async function dueTasks(ctx: Context, where: SQL | undefined, limit: number): Promise<Item[]> {
  const { task_id, due_date, due_at } = tasks
  const rows = await ctx.tx
    .select({ task_id, due_date, due_at })
    .from(tasks)
    .where(where)
    .orderBy(asc(due_at), asc(task_id))
    .limit(limit)
  return rows.map((row) => ({
    task_id: row.task_id,
    date: row.due_date!,
    at: row.due_at!.getTime(),
    occurrence: false,
  }))
}

async function countTotal(
  ctx: Context,
  own: SQL | undefined,
  occurrenceCount: number,
): Promise<Pick<PageInfo, 'total' | 'total_at_least'>> {
  const limited = ctx.tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(own)
    .limit(MAX_COUNTED + 1)
    .as('some')
  const [row] = await ctx.tx.select({ many: count() }).from(limited)
  const total = row!.many + occurrenceCount
  return total > MAX_COUNTED ? { total: null, total_at_least: MAX_COUNTED } : { total }
}

async function toCalendarItems(ctx: Context, items: readonly Item[], fields: RangeInput['fields']) {
  const ids = [...new Set(items.map(({ task_id }) => task_id))]
  if (!ids.length) return []
  const requested = fields === undefined ? undefined : requestedFields({ fields }, CalendarItem)
  const withText = requested?.includes('description')
  const rows = await taskRows(ctx, ids, { withText })
  const byId = new Map(rows.map((row) => [row.task_id, row]))
  // A task deleted since the first query is left out.
  return items.flatMap(({ task_id, date, at, occurrence }) => {
    const row = byId.get(task_id)
    return row ? [{ ...row, date, at: new Date(at).toISOString(), occurrence }] : []
  })
}
