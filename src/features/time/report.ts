import { Type as t } from '@sinclair/typebox'
import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, or, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { AS_DATE } from '../../kernel/documented.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { Id } from '../people/index.ts'
import { aboutSeenTask, taskLabels, tasks } from '../tasks/index.ts'
import { chosen } from './chosen.ts'
import {
  dayAt,
  dayIn,
  isDay,
  minutesOf,
  momentIn,
  type Stretch,
  secondsOf,
  startOf,
} from './rules.ts'
import { BoardRef, GROUPS, Offset, Report, TaskIdentifier, UserRef } from './schema.ts'
import { type Entry, zoneOf } from './store.ts'
import { type Asked, Sums } from './sums.ts'
import { timeEntries } from './tables.ts'

const MOST_ROWS = 1000
const BATCH = 2000
const WEEK = 7
/** Years that databases and ISO 8601 agree on: 1 to 9999. */
const CALENDAR = [-62_135_596_800, 253_402_300_799] as const

export const report = operation({
  name: 'time.report',
  summary: 'Time spent, by person, task, label or day',
  needs: 'tasks:read',
  on: { rest: 'GET /api/v1/time/report', mcp: 'svc_time.report', cli: 'time report' },
  input: t.Object({
    from: t.Optional(
      t.String({ maxLength: 40, description: 'ISO 8601; default 7 days ago', ...AS_DATE }),
    ),
    to: t.Optional(
      t.String({ maxLength: 40, description: 'A day is included; default now', ...AS_DATE }),
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
    const asked: Asked = { range, zone, group_by, now: ctx.now }
    const sums = await summed(ctx, asked, running, await wantedOf(ctx, input))
    const all = await sums.rows(ctx)
    // A file is taken elsewhere, so nothing may be lacking in it.
    const rows = stringify ? all : all.slice(0, MOST_ROWS)
    const [begin, end] = range.map((second) => new Date(second * 1000).toISOString())
    const columns = ['key', 'name', 'seconds', 'minutes', 'entries']
    return {
      ...{ from: begin!, to: end!, group_by },
      ...{ total_seconds: sums.total, total_minutes: minutesOf(sums.total) },
      rows_left_off: all.length - rows.length,
      ...(stringify
        ? { csv: stringify(rows, { header: true, columns, escape_formulas: true }) }
        : { rows }),
    }
  },
})

function rangeOf(ctx: Context, zone: string, from: string | undefined, to: string | undefined) {
  const today = dayAt(secondsOf(ctx.now), zone)
  const end = to === undefined ? Math.ceil(ctx.now.getTime() / 1000) : edge('to', to, zone)
  const begin = from === undefined ? startOf(today, zone, 1 - WEEK) : edge('from', from, zone)
  // The day that a range ends with belongs to it, so such a range is never empty.
  if (to !== undefined && isDay(to) ? end > begin : end >= begin) return [begin, end] as Stretch
  const message = 'to lies before from'
  const hint =
    from === undefined
      ? 'Give from as well; it is 7 days ago by default'
      : 'Give the earlier of both as from'
  throw fault.invalid('to', 'out_of_range', message, to, hint)
}

/** In seconds. The last day that is named belongs to the range. */
function edge(field: 'from' | 'to', given: string, zone: string): number {
  const day = dayIn(given)
  if (day !== undefined) {
    const [first, last] = CALENDAR
    return Math.min(last, Math.max(first, startOf(day, zone, field === 'to' ? 1 : 0)))
  }
  const moment = isDay(given) ? undefined : momentIn(given, zone)
  if (moment) return secondsOf(moment)
  const hint = 'Write it as in 2026-11-20 or 2026-11-20T09:00:00Z'
  throw fault.invalid(field, 'invalid_format', `${field} is not a date`, given, hint)
}

interface Input {
  user_id?: number | string
  project_id?: number | string
  task_identifier?: number | string
  label_id?: number
}

async function wantedOf(ctx: Context, input: Input): Promise<SQL | undefined> {
  const { user_id, project_id, task_identifier, label_id } = input
  const { actor_id, board, task } = await chosen(ctx, { user_id, project_id, task_identifier })
  const onBoard = board === undefined ? undefined : eq(tasks.project_id, board)
  return and(
    inArray(timeEntries.team_id, [...ctx.caller.teams.keys()]),
    actor_id === undefined ? undefined : eq(timeEntries.actor_id, actor_id),
    task && eq(timeEntries.task_id, task.task_id),
    label_id === undefined ? undefined : inArray(timeEntries.task_id, labelled(ctx, label_id)),
    aboutSeenTask(ctx, timeEntries.task_id, onBoard),
  )
}

const labelled = ({ tx, caller }: Context, label_id: number) =>
  tx
    .select({ task_id: taskLabels.task_id })
    .from(taskLabels)
    .where(
      and(inArray(taskLabels.team_id, [...caller.teams.keys()]), eq(taskLabels.label_id, label_id)),
    )

/** Read piece by piece, so that a long range needs no more room than a short one. */
async function summed(ctx: Context, asked: Asked, running: boolean, wanted: SQL | undefined) {
  const sums = new Sums(asked)
  const where = and(wanted, overlapping(asked), running ? undefined : isEnded)
  let last = 0
  for (;;) {
    const rows: Entry[] = await ctx.tx
      .select()
      .from(timeEntries)
      .where(and(where, gt(timeEntries.entry_id, last)))
      .orderBy(asc(timeEntries.entry_id))
      .limit(BATCH)
    await sums.add(ctx, rows)
    if (rows.length < BATCH) return sums
    last = rows[rows.length - 1]!.entry_id
  }
}

/** Paused timers have counted what they have, so only those that run are left out. */
const isEnded = isNull(timeEntries.running_since)

function overlapping({ range: [begin, end], zone }: Asked): SQL {
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
