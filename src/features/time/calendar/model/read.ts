import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { plainOf } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { decodeCursor, encodeCursor, type PageInfo } from '../../../../kernel/list.ts'
import { labels, taskLabels } from '../../../boards/labels/model/index.ts'
import { projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { onBoards } from '../../../search/filters/model/index.ts'
import { openTasksOfCaller, timeZoneColumn } from '../../../tasks/assignees/model/index.ts'
import { isRepeating, isScheduled } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { type FeedRow, findFeed } from './feeds.ts'
import { repeatOf } from './rules.ts'
import type { Entry } from './schema.ts'
import { calendarFeeds } from './tables.ts'

/** Tasks per page; other requests run in between. */
const PAGE_SIZE = 100
const READ_INTERVAL_MS = 60_000
/** Limits of the text with markup and of the plain text. */
const MAX_MARKUP = 8000
const MAX_TEXT = 2000

/** The next page of a feed's tasks, soonest due first. */
export async function readFeed(ctx: Context, feed_id: string, cursor: string | undefined) {
  const feed = await findFeed(ctx, feed_id)
  if (cursor === undefined) recordRead(ctx, feed)
  const cursorName = `feed ${feed.feed_id}`
  const from = cursor === undefined ? undefined : decodeCursor(cursor, cursorName)
  const found = await scheduledTasks(ctx, feed, from && after(Number(from.value), from.id))
  const pageItems = found.slice(0, PAGE_SIZE)
  const last = pageItems.at(-1)
  const has_more = found.length > PAGE_SIZE
  const before = from?.rowsBefore ?? 0
  const rowsBefore = before + pageItems.length
  const next = {
    digest: cursorName,
    value: last?.due_at?.getTime() ?? 0,
    id: last?.task_id ?? 0,
    rowsBefore,
  }
  const page: PageInfo = {
    total: null,
    limit: PAGE_SIZE,
    offset: before,
    has_more,
    next_cursor: has_more ? encodeCursor(next) : null,
  }
  const ids = pageItems.map(({ task_id }) => task_id)
  return { items: await toEntries(ctx, await loadRows(ctx, ids)), page }
}

/** Records when the feed was last read, at most once a minute. */
function recordRead(ctx: Context, { calendar_feed_id, last_read_at }: FeedRow) {
  const { now } = ctx
  if (last_read_at && now.getTime() - last_read_at.getTime() < READ_INTERVAL_MS) return
  ctx.afterRead(async (tx) => {
    await tx
      .update(calendarFeeds)
      .set({ last_read_at: now })
      .where(eq(calendarFeeds.calendar_feed_id, calendar_feed_id))
  })
}

/** A condition for the tasks after this one in the order of due times. */
export const after = (at: number, task_id: number): SQL =>
  sql`(${tasks.due_at}, ${tasks.task_id}) > (${sql.param(new Date(at), tasks.due_at)}, ${task_id})`

const feedCondition = (ctx: Context, { what }: FeedRow): SQL | undefined =>
  what === 'all'
    ? onBoards(ctx, { teams: [...ctx.caller.teams.keys()] }, tasks)
    : assignedCondition(ctx)

/**
 * Does not name the teams of the tasks, so that the database starts from the assignments, not from
 * the boards.
 */
function assignedCondition(ctx: Context): SQL | undefined {
  const { tx } = ctx
  const assignedIds = openTasksOfCaller(ctx)
  const boards = tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))
  return and(inArray(tasks.task_id, assignedIds), inArray(tasks.project_id, boards))
}

/** Loads only the columns that sorting needs. */
function scheduledTasks(ctx: Context, feed: FeedRow, afterLast: SQL | undefined) {
  const { task_id, due_at, project_id } = tasks
  const { project_ids } = feed
  return ctx.tx
    .select({ task_id, due_at })
    .from(tasks)
    .where(
      and(
        feedCondition(ctx, feed),
        isScheduled(tasks),
        project_ids.length ? inArray(project_id, project_ids) : undefined,
        afterLast,
      ),
    )
    .orderBy(asc(due_at), asc(task_id))
    .limit(PAGE_SIZE + 1)
}

async function loadRows({ tx }: Context, ids: readonly number[]) {
  if (!ids.length) return []
  return tx
    .select({
      team_id: tasks.team_id,
      task_id: tasks.task_id,
      ticket_number: tasks.ticket_number,
      title: tasks.title,
      content_type: tasks.content_type,
      priority: tasks.priority,
      due_date: tasks.due_date,
      due_at: tasks.due_at,
      recurrence: tasks.recurrence,
      repeats_from: tasks.repeats_from,
      updated_at: tasks.updated_at,
      text: sql<string | null>`substr(${tasks.description}, 1, ${sql.raw(String(MAX_MARKUP))})`,
      zone: timeZoneColumn(tx),
    })
    .from(tasks)
    .where(inArray(tasks.task_id, [...ids]))
    .orderBy(asc(tasks.due_at), asc(tasks.task_id))
}

type Row = Awaited<ReturnType<typeof loadRows>>[number]

async function toEntries(ctx: Context, rows: readonly Row[]): Promise<Entry[]> {
  const labelsByTask = await labelsByTaskOf(ctx, rows)
  return rows.map((row) => ({
    task_id: row.task_id,
    ticket_number: row.ticket_number,
    title: row.title,
    text: plainOf((row.text ?? '').slice(0, 2 * MAX_TEXT), row.content_type).slice(0, MAX_TEXT),
    url: `${ctx.server.url}/t/${row.ticket_number}`,
    labels: labelsByTask.get(row.task_id) ?? [],
    priority: row.priority,
    updated_at: row.updated_at.toISOString(),
    due_date: row.due_date!,
    repeat: repeatRule(ctx, row),
  }))
}

type SeriesRow = Pick<Row, 'recurrence' | 'due_date' | 'repeats_from' | 'zone'>

function repeatRule({ caller, now }: Context, row: SeriesRow): Entry['repeat'] {
  const { recurrence: rule, due_date: due, repeats_from: from } = row
  const zone = row.zone ?? caller.time_zone
  return rule === null ? null : repeatOf({ rule, due, from, zone, now, start: null })
}

/** How those of these tasks repeat that do. */
export async function repeatsOf(
  ctx: Context,
  ids: readonly number[],
): Promise<Map<number, Entry['repeat']>> {
  const { task_id, recurrence, due_date, repeats_from } = tasks
  const rows = await ctx.tx
    .select({ task_id, recurrence, due_date, repeats_from, zone: timeZoneColumn(ctx.tx) })
    .from(tasks)
    .where(and(inArray(task_id, [...ids]), isRepeating(tasks)))
  return new Map(rows.map((row) => [row.task_id, repeatRule(ctx, row)]))
}

async function labelsByTaskOf(
  { tx }: Context,
  rows: readonly Row[],
): Promise<Map<number, string[]>> {
  if (!rows.length) return new Map()
  const found = await tx
    .select({ task_id: taskLabels.task_id, name: labels.name })
    .from(taskLabels)
    .innerJoin(labels, eq(labels.label_id, taskLabels.label_id))
    .where(
      and(
        inArray(taskLabels.team_id, [...new Set(rows.map(({ team_id }) => team_id))]),
        inArray(
          taskLabels.task_id,
          rows.map(({ task_id }) => task_id),
        ),
      ),
    )
    .orderBy(asc(labels.name))
  const labelNames = new Map<number, string[]>()
  for (const { task_id, name } of found)
    labelNames.set(task_id, [...(labelNames.get(task_id) ?? []), name])
  return labelNames
}
