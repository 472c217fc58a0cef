import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { DATE_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { SECTION_ROLES } from '../../../boards/sections/model/index.ts'
import { Id, Timestamp } from '../../../identity/people/model/index.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const MAX_DAYS = 366
/** Limit of listed tasks. The figures count all of them. */
export const MAX_NAMED = 1000

export const FlowDay = t.String({
  maxLength: 10,
  description: 'A day, as in 2026-11-20',
  ...DATE_FORMAT,
})
const Seconds = orNull(t.Integer({ minimum: 0 }))

const Percentiles = t.Object(
  {
    tasks: t.Integer({ description: 'Number of tasks with a known time' }),
    median: Seconds,
    p85: Seconds,
    p95: Seconds,
  },
  { description: 'Percentiles, in seconds: p85 means that 85% took at most that long' },
)

const TaskFields = {
  task_id: Id('Id of a task'),
  ticket_number: orNull(t.String({ description: 'Null: no longer on this board' })),
  title: orNull(t.String()),
}

export const CompletedTask = t.Object({
  ...TaskFields,
  completed_at: Timestamp,
  cycle_seconds: Seconds,
  lead_seconds: t.Integer({ minimum: 0 }),
})
export type CompletedTask = Static<typeof CompletedTask>

export const TaskInProgress = t.Object({
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  title: t.String(),
  section_id: Id('Id of a column'),
  since: Timestamp,
  age_seconds: t.Integer({ minimum: 0 }),
})

export const Flow = t.Object(
  {
    project_id: ProjectId,
    from: t.String(),
    to: t.String(),
    time_zone: t.String(),
    columns: t.Array(
      t.Object({
        section_id: orNull(Id('Id of a column; null: those that were deleted')),
        title: t.String(),
        role: orNull(t.Union(SECTION_ROLES.map((role) => t.Literal(role)))),
        done: t.Boolean(),
      }),
    ),
    days: t.Array(
      t.Object({
        day: t.String(),
        completed: t.Integer(),
        tasks: t.Array(t.Integer(), { description: 'Number in each column at the end of the day' }),
      }),
    ),
    completed: t.Integer(),
    cycle: Percentiles,
    lead: Percentiles,
    done: t.Array(CompletedTask, { description: 'Completed tasks, newest first' }),
    done_left_off: t.Integer({ description: `Number not shown beyond ${MAX_NAMED}; CSV has all` }),
    going: t.Array(TaskInProgress, {
      description: 'Tasks in progress, oldest first',
    }),
    going_total: t.Integer(),
    csv: t.Optional(t.String({ description: 'All rows, if format is csv' })),
  },
  { download: { field: 'csv', type: 'text/csv', filename: 'flow.csv' } },
)
