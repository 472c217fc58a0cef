import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { findProject, type Project, ProjectId } from '../projects/index.ts'
import { type Section, sectionsOf } from '../sections/index.ts'
import { countsOf } from '../tasks/index.ts'
import { doneOf, goingOn, type Move, movesSince } from './read.ts'
import { dayAt, dayIn, edgesOf, Levels, spreadOf } from './rules.ts'
import { Flow, FlowDay, MOST_DAYS, MOST_NAMED } from './schema.ts'

const USUAL_DAYS = 30
const TABLES = ['days', 'tasks'] as const

export const report = operation({
  name: 'flow.report',
  summary: 'How work flows over a board: what got done, how long it took, what stood where',
  needs: 'tasks:read',
  on: { rest: 'GET /api/v1/projects/:project_id/flow', cli: 'flow report <project_id>' },
  input: t.Object({
    project_id: ProjectId,
    from: t.Optional({ ...FlowDay, description: 'First day; default 29 days before the last' }),
    to: t.Optional({ ...FlowDay, description: 'Last day, in your time zone; default today' }),
    format: t.Optional(t.Union([t.Literal('json'), t.Literal('csv')])),
    table: t.Optional(
      t.Union(
        TABLES.map((table) => t.Literal(table)),
        { description: 'As CSV: a row for each day, or for each task that got done' },
      ),
    ),
  }),
  output: Flow,
  prepare: async ({ format }) =>
    format === 'csv' ? (await import('csv-stringify/sync')).stringify : undefined,
  async run({ project_id, from, to, table = 'days' }, ctx, stringify) {
    const project = await findProject(ctx, project_id)
    const range = rangeOf(ctx, from, to)
    const found = await gathered(ctx, project, range)
    // A file is taken elsewhere, so nothing may be lacking in it.
    const rows = table === 'days' ? dayRows(found) : found.done
    const done = found.done.slice(0, MOST_NAMED)
    return {
      ...{ ...found, done, done_left_off: found.done.length - done.length },
      ...(stringify && { csv: stringify(rows, { header: true, escape_formulas: true }) }),
    }
  },
})

type Range = ReturnType<typeof rangeOf>

function rangeOf({ caller, now }: Context, from: string | undefined, to: string | undefined) {
  const zone = caller.time_zone
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  const asked = to === undefined ? today : day('to', to)
  // Nothing is known of days to come.
  const last = Temporal.PlainDate.compare(asked, today) > 0 ? today : asked
  const first = from === undefined ? last.subtract({ days: USUAL_DAYS - 1 }) : day('from', from)
  const days = first.until(last).days + 1
  if (days < 1)
    throw fault.invalid(
      'from',
      'out_of_range',
      'from lies after to, or is still to come',
      from,
      'Give the earlier day as from',
    )
  if (days > MOST_DAYS)
    throw fault.invalid(
      'from',
      'out_of_range',
      `That is ${days} days, and at most ${MOST_DAYS} are counted at once`,
      from,
      'Ask for a shorter time',
    )
  return { zone, first, last, days, edges: edgesOf(first, days, zone) }
}

function day(field: 'from' | 'to', given: string): Temporal.PlainDate {
  const found = dayIn(given)
  if (found) return found
  const message = `${field} is not a day of the calendar`
  throw fault.invalid(field, 'invalid_format', message, given, 'Write it as in 2026-11-20')
}

async function gathered(ctx: Context, project: Project, range: Range) {
  const { zone, first, last, days, edges } = range
  const levels = new Levels(edges)
  const finishing: Move[] = []
  for await (const move of movesSince(ctx, project, new Date(edges[0]!))) {
    levels.add(move)
    if (move.completes && move.moved_at < edges[days]!) finishing.push(move)
  }
  const counts = await countsOf(ctx.tx, project)
  const columns = await sectionsOf(ctx.tx, project)
  const done = (await doneOf(ctx, project, finishing)).reverse()
  const completed = Array.from({ length: days }, () => 0)
  for (const { at } of done) completed[dayAt(edges, at)]!++
  const shown = levelsOf(columns, levels.ends(counts))
  const working = columns.filter(({ done, role }) => !done && WORK.has(role))
  const going = working.map(({ section_id }) => section_id)
  const cycles = done.flatMap(({ cycle_seconds }) => cycle_seconds ?? [])
  return {
    ...{ project_id: project.project_id, from: first.toString(), to: last.toString() },
    ...{ time_zone: zone, columns: shown.columns },
    days: shown.days.map((tasks, at) => ({
      ...{ day: first.add({ days: at }).toString(), completed: completed[at]!, tasks },
    })),
    completed: done.length,
    cycle: spreadOf(cycles),
    lead: spreadOf(done.map(({ lead_seconds }) => lead_seconds)),
    done: done.map(({ at: _, ...one }) => one),
    going: await goingOn(ctx, project, going, MOST_NAMED),
    going_total: going.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0),
  }
}

const WORK: ReadonlySet<string> = new Set(['building', 'verify'])

/** The columns from left to right, and behind them what stood in those that are gone. */
function levelsOf(columns: readonly Section[], ends: readonly ReadonlyMap<number, number>[]) {
  const here = new Set(columns.map(({ section_id }) => section_id))
  const days = ends.map((level) => {
    const gone = [...level].reduce((sum, [id, tasks]) => sum + (here.has(id) ? 0 : tasks), 0)
    return { tasks: columns.map(({ section_id }) => level.get(section_id) ?? 0), gone }
  })
  const some = days.some(({ gone }) => gone)
  const shown = columns.map(({ section_id, title, role, done }) => ({
    ...{ section_id, title, role, done },
  }))
  const past = { section_id: null, title: 'Deleted columns', role: null, done: false }
  return {
    columns: some ? [...shown, past] : shown,
    days: days.map(({ tasks, gone }) => (some ? [...tasks, gone] : tasks)),
  }
}

type Found = Awaited<ReturnType<typeof gathered>>

function dayRows({ columns, days }: Found): object[] {
  return days.map(({ day, completed, tasks }) => ({
    ...{ day, completed },
    ...Object.fromEntries(columns.map(({ title }, at) => [`in ${title}`, tasks[at]!])),
  }))
}
