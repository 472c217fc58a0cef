import { Type as t } from '@sinclair/typebox'
import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, or, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { DATE_OR_TIME_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { operation } from '../../../../kernel/operation.ts'
import { taskLabels } from '../../../boards/labels/model/index.ts'
import { Id } from '../../../identity/people/model/index.ts'
import { onVisibleTask, tasks } from '../../../tasks/tasks/model/index.ts'
import { resolveFilters } from '../model/filters.ts'
import {
  dayAt,
  isDay,
  minutesOf,
  parseDay,
  parseMoment,
  type Stretch,
  secondsOf,
  startOfDay,
} from '../model/rules.ts'
import { BoardRef, GROUPS, Offset, Report, TaskIdentifier, UserRef } from '../model/schema.ts'
import { type Entry, zoneOf } from '../model/store.ts'
import { type ReportQuery, Sums } from '../model/sums.ts'
import { timeEntries } from '../model/tables.ts'

const MAX_ROWS = 1000
const BATCH_SIZE = 2000
const WEEK_DAYS = 7
/** Years that databases and ISO 8601 agree on: 1 to 9999. */
const CALENDAR_RANGE = [-62_135_596_800, 253_402_300_799] as const

export const report = operation({
  name: 'time.report',
  summary: 'Time spent, by person, task, label or day',
  needs: 'tasks:read',
  dependsOn: ['time', 'label'],
  heavy: true,
  on: {
    rest: 'GET /api/v1/time/report',
    mcp: 'svc_time.report',
    cli: { usage: 'time report', example: '--group-by task --from 2026-11-01' },
  },
  input: t.Object({
    from: t.Optional(
      t.String({
        maxLength: 40,
        description: 'ISO 8601; default 7 days ago',
        ...DATE_OR_TIME_FORMAT,
      }),
    ),
    to: t.Optional(
      t.String({
        maxLength: 40,
        description: 'A date includes that day; default now',
        ...DATE_OR_TIME_FORMAT,
      }),
    ),
    group_by: t.Optional(t.Union(GROUPS.map((group) => t.Literal(group)))),
    user_id: t.Optional(UserRef),
    project_id: t.Optional(BoardRef),
    task_identifier: t.Optional(TaskIdentifier),
    label_id: t.Optional(Id('Id of a label; only tasks that have it')),
    running: t.Optional(t.Boolean({ description: 'Count running timers; default true' })),
    timezone_offset_minutes: t.Optional(Offset),
    format: t.Optional(t.Union([t.Literal('json'), t.Literal('csv')])),
  }),
  output: Report,
  prepare: async ({ format }) =>
    format === 'csv' ? (await import('csv-stringify/sync')).stringify : undefined,
  async run({ from, to, group_by = 'person', running = true, ...input }, ctx, stringify) {
    const zone = zoneOf(ctx, input.timezone_offset_minutes)
    const range = rangeOf(ctx, zone, from, to)
    const query: ReportQuery = { range, zone, group_by, now: ctx.now }
    const sums = await sumEntries(ctx, query, running, await entryFilter(ctx, input))
    const allRows = await sums.rows(ctx)
    // A CSV file must be complete, so its rows are not limited.
    const rows = stringify ? allRows : allRows.slice(0, MAX_ROWS)
    const [begin, end] = range.map((second) => new Date(second * 1000).toISOString())
    const columns = ['key', 'name', 'seconds', 'minutes', 'entries']
    return {
      from: begin!,
      to: end!,
      group_by,
      total_seconds: sums.total,
      total_minutes: minutesOf(sums.total),
      rows_left_off: allRows.length - rows.length,
      ...(stringify
        ? { csv: stringify(rows, { header: true, columns, escape_formulas: true }) }
        : { rows }),
    }
  },
})

function rangeOf(ctx: Context, zone: string, from: string | undefined, to: string | undefined) {
  const today = dayAt(secondsOf(ctx.now), zone)
  const end = to === undefined ? Math.ceil(ctx.now.getTime() / 1000) : parseEdge('to', to, zone)
  const begin =
    from === undefined ? startOfDay(today, zone, 1 - WEEK_DAYS) : parseEdge('from', from, zone)
  // If `to` is a day, it is included, so such a range is never empty.
  if (to !== undefined && isDay(to) ? end > begin : end >= begin) return [begin, end] as Stretch
  const message = 'to is before from'
  const hint =
    from === undefined
      ? 'Also send from; its default is 7 days ago'
      : 'Send the earlier of the two as from'
  throw fault.invalid('to', 'out_of_range', message, to, hint)
}

/** Returns an end of the range in seconds. A day given as `to` is included. */
function parseEdge(field: 'from' | 'to', value: string, zone: string): number {
  const day = parseDay(value)
  if (day !== undefined) {
    const [first, last] = CALENDAR_RANGE
    return Math.min(last, Math.max(first, startOfDay(day, zone, field === 'to' ? 1 : 0)))
  }
  const moment = isDay(value) ? undefined : parseMoment(value, zone)
  if (moment) return secondsOf(moment)
  const hint = 'For example 2026-11-20 or 2026-11-20T09:00:00Z'
  throw fault.invalid(field, 'invalid_format', `${field} is not a date`, value, hint)
}

interface Input {
  user_id?: number | string
  project_id?: number | string
  task_identifier?: number | string
  label_id?: number
}

async function entryFilter(ctx: Context, input: Input): Promise<SQL | undefined> {
  const { user_id, project_id, task_identifier, label_id } = input
  const { actor_id, board, task } = await resolveFilters(ctx, {
    user_id,
    project_id,
    task_identifier,
  })
  const onBoard = board === undefined ? undefined : eq(tasks.project_id, board)
  return and(
    inArray(timeEntries.team_id, [...ctx.caller.teams.keys()]),
    actor_id === undefined ? undefined : eq(timeEntries.actor_id, actor_id),
    task && eq(timeEntries.task_id, task.task_id),
    label_id === undefined
      ? undefined
      : inArray(timeEntries.task_id, tasksWithLabel(ctx, label_id)),
    onVisibleTask(ctx, timeEntries.task_id, onBoard),
  )
}

const tasksWithLabel = ({ tx, caller }: Context, label_id: number) =>
  tx
    .select({ task_id: taskLabels.task_id })
    .from(taskLabels)
    .where(
      and(inArray(taskLabels.team_id, [...caller.teams.keys()]), eq(taskLabels.label_id, label_id)),
    )

/** Reads the entries in batches, so that memory does not grow with the range. */
async function sumEntries(
  ctx: Context,
  query: ReportQuery,
  running: boolean,
  filter: SQL | undefined,
) {
  const sums = new Sums(query)
  const where = and(filter, overlaps(query), running ? undefined : isEnded)
  let lastId = 0
  for (;;) {
    const rows: Entry[] = await ctx.tx
      .select()
      .from(timeEntries)
      .where(and(where, gt(timeEntries.entry_id, lastId)))
      .orderBy(asc(timeEntries.entry_id))
      .limit(BATCH_SIZE)
    await sums.add(ctx, rows)
    if (rows.length < BATCH_SIZE) return sums
    lastId = rows[rows.length - 1]!.entry_id
  }
}

/** Leaves out running timers only. The time of a paused timer is final. */
const isEnded = isNull(timeEntries.running_since)

function overlaps({ range: [begin, end], zone }: ReportQuery): SQL {
  const { kind, day, started_at, ended_at } = timeEntries
  const timers = and(
    eq(kind, 'timer'),
    lt(started_at, new Date(end * 1000)),
    or(isNull(ended_at), gte(ended_at, new Date(begin * 1000))),
  )
  if (begin === end) return timers!
  const days = and(gte(day, dayAt(begin, zone)), lte(day, dayAt(end - 1, zone)))
  return or(timers, and(eq(kind, 'logged'), days))!
}
