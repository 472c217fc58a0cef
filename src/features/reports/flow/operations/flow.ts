import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { findProject, type Project, ProjectId } from '../../../boards/projects/model/index.ts'
import { type Section, sectionsOf } from '../../../boards/sections/model/index.ts'
import { countsOf } from '../../../tasks/tasks/model/index.ts'
import { completedTasks, type Move, movesSince, tasksInProgress } from '../model/queries.ts'
import { ColumnCounts, dayEdges, dayIndex, parseDay, percentilesOf } from '../model/rules.ts'
import { Flow, FlowDay, MAX_DAYS, MAX_NAMED } from '../model/schema.ts'

const DEFAULT_DAYS = 30
const TABLES = ['days', 'tasks'] as const

export const report = operation({
  name: 'flow.report',
  summary: 'Flow of a board: completed tasks, cycle and lead times, tasks per column',
  needs: 'tasks:read',
  dependsOn: ['task', 'section'],
  heavy: true,
  on: {
    rest: 'GET /api/v1/projects/:project_id/flow',
    cli: { usage: 'flow report <project_id>', example: 'HOM --from 2026-11-01' },
  },
  input: t.Object({
    project_id: ProjectId,
    from: t.Optional({ ...FlowDay, description: 'First day; default 29 days before the last' }),
    to: t.Optional({ ...FlowDay, description: 'Last day, in your time zone; default today' }),
    format: t.Optional(t.Union([t.Literal('json'), t.Literal('csv')])),
    table: t.Optional(
      t.Union(
        TABLES.map((table) => t.Literal(table)),
        { description: 'For CSV: one row per day, or one per completed task' },
      ),
    ),
  }),
  output: Flow,
  prepare: async ({ format }) =>
    format === 'csv' ? (await import('csv-stringify/sync')).stringify : undefined,
  async run({ project_id, from, to, table = 'days' }, ctx, stringify) {
    const project = await findProject(ctx, project_id)
    const range = rangeOf(ctx, from, to)
    const data = await collectFlow(ctx, project, range)
    // A CSV file must be complete, so its rows are not limited.
    const rows = table === 'days' ? dayRows(data) : data.done
    const done = data.done.slice(0, MAX_NAMED)
    return {
      ...data,
      done,
      done_left_off: data.done.length - done.length,
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
  const requestedLast = to === undefined ? today : parseFlowDay('to', to)
  // Days in the future have no data.
  const last = Temporal.PlainDate.compare(requestedLast, today) > 0 ? today : requestedLast
  const first =
    from === undefined ? last.subtract({ days: DEFAULT_DAYS - 1 }) : parseFlowDay('from', from)
  const days = first.until(last).days + 1
  if (days < 1)
    throw fault.invalid(
      'from',
      'out_of_range',
      'from is after to, or in the future',
      from,
      'Send the earlier day as from',
    )
  if (days > MAX_DAYS)
    throw fault.invalid(
      'from',
      'out_of_range',
      `The range has ${days} days; the maximum is ${MAX_DAYS}`,
      from,
      'Choose a shorter range',
    )
  return { zone, first, last, days, edges: dayEdges(first, days, zone) }
}

function parseFlowDay(field: 'from' | 'to', value: string): Temporal.PlainDate {
  const day = parseDay(value)
  if (day) return day
  const message = `${field} is not a valid date`
  throw fault.invalid(field, 'invalid_format', message, value, 'Write it as in 2026-11-20')
}

async function collectFlow(ctx: Context, project: Project, range: Range) {
  const { zone, first, last, days, edges } = range
  const levels = new ColumnCounts(edges)
  const completions: Move[] = []
  for await (const move of movesSince(ctx, project, new Date(edges[0]!))) {
    levels.add(move)
    if (move.completes && move.moved_at < edges[days]!) completions.push(move)
  }
  const counts = await countsOf(ctx.tx, project)
  const columns = await sectionsOf(ctx.tx, project)
  const done = (await completedTasks(ctx, project, completions)).reverse()
  const completed = Array.from({ length: days }, () => 0)
  for (const { at } of done) completed[dayIndex(edges, at)]!++
  const table = columnTable(columns, levels.countsPerDay(counts))
  const workColumns = columns.filter(({ done, role }) => !done && WORK.has(role))
  const workColumnIds = workColumns.map(({ section_id }) => section_id)
  const cycles = done.flatMap(({ cycle_seconds }) => cycle_seconds ?? [])
  return {
    project_id: project.project_id,
    from: first.toString(),
    to: last.toString(),
    time_zone: zone,
    columns: table.columns,
    days: table.days.map((tasks, index) => ({
      day: first.add({ days: index }).toString(),
      completed: completed[index]!,
      tasks,
    })),
    completed: done.length,
    cycle: percentilesOf(cycles),
    lead: percentilesOf(done.map(({ lead_seconds }) => lead_seconds)),
    done: done.map(({ at: _, ...task }) => task),
    going: await tasksInProgress(ctx, project, workColumnIds, MAX_NAMED),
    going_total: workColumnIds.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0),
  }
}

const WORK: ReadonlySet<string> = new Set(['building', 'verify'])

/** Builds the columns from left to right, and one more if tasks were in deleted columns. */
function columnTable(columns: readonly Section[], ends: readonly ReadonlyMap<number, number>[]) {
  const existing = new Set(columns.map(({ section_id }) => section_id))
  const days = ends.map((level) => {
    const deleted = [...level].reduce((sum, [id, tasks]) => sum + (existing.has(id) ? 0 : tasks), 0)
    return { tasks: columns.map(({ section_id }) => level.get(section_id) ?? 0), deleted }
  })
  const hasDeleted = days.some(({ deleted }) => deleted)
  const present = columns.map(({ section_id, title, role, done }) => ({
    section_id,
    title,
    role,
    done,
  }))
  const deletedColumn = { section_id: null, title: 'Deleted columns', role: null, done: false }
  return {
    columns: hasDeleted ? [...present, deletedColumn] : present,
    days: days.map(({ tasks, deleted }) => (hasDeleted ? [...tasks, deleted] : tasks)),
  }
}

type FlowData = Awaited<ReturnType<typeof collectFlow>>

function dayRows({ columns, days }: FlowData): object[] {
  return days.map(({ day, completed, tasks }) => ({
    day,
    completed,
    ...Object.fromEntries(columns.map(({ title }, index) => [`in ${title}`, tasks[index]!])),
  }))
}
