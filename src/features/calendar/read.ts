import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { plainOf } from '../../content/index.ts'
import type { Context } from '../../kernel/caller.ts'
import { decodeCursor, encodeCursor, type PageInfo } from '../../kernel/list.ts'
import { labels } from '../labels/index.ts'
import { projects, visibleProjects } from '../projects/index.ts'
import { heldOpen, isComing, onBoards, taskLabels, tasks, zoneIn } from '../tasks/index.ts'
import { type FeedRow, findFeed } from './feeds.ts'
import { repeatOf } from './rules.ts'
import type { Entry } from './schema.ts'
import { calendarFeeds } from './tables.ts'

/** Tasks that are read at once: between two turns others are answered. */
const AT_ONCE = 100
const READ_EVERY_MS = 60_000
/** Of a text as it was written, tags and all; and of its words. */
const MOST_MARKUP = 8000
const MOST_TEXT = 2000

/** The next tasks of a feed, soonest due first. */
export async function readFeed(ctx: Context, feed_id: string, cursor: string | undefined) {
  const feed = await findFeed(ctx, feed_id)
  if (cursor === undefined) noteReading(ctx, feed)
  const made = `feed ${feed.feed_id}`
  const from = cursor === undefined ? undefined : decodeCursor(cursor, made)
  const found = await coming(ctx, feed, from && after(Number(from.value), from.id))
  const some = found.slice(0, AT_ONCE)
  const last = some.at(-1)
  const has_more = found.length > AT_ONCE
  const before = from?.seen ?? 0
  const seen = before + some.length
  const next = { digest: made, value: last?.due_at?.getTime() ?? 0, id: last?.task_id ?? 0, seen }
  const page: PageInfo = {
    ...{ total: null, limit: AT_ONCE, offset: before, has_more },
    next_cursor: has_more ? encodeCursor(next) : null,
  }
  const ids = some.map(({ task_id }) => task_id)
  return { items: await entriesOf(ctx, await rowsOf(ctx, ids)), page }
}

/** Calendars ask every hour or so; to the minute is enough. */
function noteReading(ctx: Context, { calendar_feed_id, last_read_at }: FeedRow) {
  const { now } = ctx
  if (last_read_at && now.getTime() - last_read_at.getTime() < READ_EVERY_MS) return
  ctx.later(async (tx) => {
    await tx
      .update(calendarFeeds)
      .set({ last_read_at: now })
      .where(eq(calendarFeeds.calendar_feed_id, calendar_feed_id))
  })
}

/** What stands behind a task where they are ordered by when they are due. */
export const after = (at: number, task_id: number): SQL =>
  sql`(${tasks.due_at}, ${tasks.task_id}) > (${sql.param(new Date(at), tasks.due_at)}, ${task_id})`

const shownBy = (ctx: Context, { what }: FeedRow): SQL | undefined =>
  what === 'all' ? onBoards(ctx, { teams: [...ctx.caller.teams.keys()] }, tasks) : assigned(ctx)

/** Without naming the teams of tasks, so that these are found by who has them and not by board. */
function assigned(ctx: Context): SQL | undefined {
  const { tx } = ctx
  const mine = heldOpen(ctx)
  const boards = tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))
  return and(inArray(tasks.task_id, mine), inArray(tasks.project_id, boards))
}

/** As little of each as sorting takes. */
function coming(ctx: Context, feed: FeedRow, beyond: SQL | undefined) {
  const { task_id, due_at, project_id } = tasks
  const { project_ids } = feed
  return ctx.tx
    .select({ task_id, due_at })
    .from(tasks)
    .where(
      and(
        shownBy(ctx, feed),
        isComing(tasks),
        project_ids.length ? inArray(project_id, project_ids) : undefined,
        beyond,
      ),
    )
    .orderBy(asc(due_at), asc(task_id))
    .limit(AT_ONCE + 1)
}

async function rowsOf({ tx }: Context, ids: readonly number[]) {
  if (!ids.length) return []
  return tx
    .select({
      ...{ team_id: tasks.team_id, task_id: tasks.task_id, ticket_number: tasks.ticket_number },
      ...{ title: tasks.title, content_type: tasks.content_type, priority: tasks.priority },
      ...{ due_date: tasks.due_date, due_at: tasks.due_at, recurrence: tasks.recurrence },
      ...{ repeats_from: tasks.repeats_from, updated_at: tasks.updated_at },
      text: sql<string | null>`substr(${tasks.description}, 1, ${sql.raw(String(MOST_MARKUP))})`,
      zone: zoneIn(tx),
    })
    .from(tasks)
    .where(inArray(tasks.task_id, [...ids]))
    .orderBy(asc(tasks.due_at), asc(tasks.task_id))
}

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

async function entriesOf(ctx: Context, rows: readonly Row[]): Promise<Entry[]> {
  const named = await labelsOf(ctx, rows)
  return rows.map((row) => ({
    task_id: row.task_id,
    ticket_number: row.ticket_number,
    title: row.title,
    text: plainOf((row.text ?? '').slice(0, 2 * MOST_TEXT), row.content_type).slice(0, MOST_TEXT),
    url: `${ctx.server.url}/t/${row.ticket_number}`,
    labels: named.get(row.task_id) ?? [],
    priority: row.priority,
    updated_at: row.updated_at.toISOString(),
    due_date: row.due_date!,
    repeat: repeats(ctx, row),
  }))
}

function repeats({ caller, now }: Context, row: Row): Entry['repeat'] {
  const { recurrence: rule, due_date: due, repeats_from: from } = row
  const zone = row.zone ?? caller.time_zone
  return rule && repeatOf({ ...{ rule, due, from, zone, now }, start: null })
}

async function labelsOf({ tx }: Context, rows: readonly Row[]): Promise<Map<number, string[]>> {
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
  const named = new Map<number, string[]>()
  for (const { task_id, name } of found) named.set(task_id, [...(named.get(task_id) ?? []), name])
  return named
}
