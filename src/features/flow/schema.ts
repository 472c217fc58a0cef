import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { AS_DAY } from '../../kernel/documented.ts'
import { Id, Timestamp } from '../people/index.ts'
import { ProjectId } from '../projects/index.ts'
import { SECTION_ROLES } from '../sections/index.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const MOST_DAYS = 366
/** Tasks that are named; the figures count all. */
export const MOST_NAMED = 1000

export const FlowDay = t.String({
  maxLength: 10,
  description: 'A day, as in 2026-11-20',
  ...AS_DAY,
})
const Seconds = orNull(t.Integer({ minimum: 0 }))

const Spread = t.Object(
  {
    tasks: t.Integer({ description: 'How many it is known of' }),
    median: Seconds,
    p85: Seconds,
    p95: Seconds,
  },
  { description: 'In seconds; so many in a hundred took at most that long' },
)

const Named = {
  task_id: Id('Id of a task'),
  ticket_number: orNull(t.String({ description: 'Null: it is not on this board any more' })),
  title: orNull(t.String()),
}

export const Done = t.Object({
  ...Named,
  completed_at: Timestamp,
  cycle_seconds: Seconds,
  lead_seconds: t.Integer({ minimum: 0 }),
})
export type Done = Static<typeof Done>

export const Going = t.Object({
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
        tasks: t.Array(t.Integer(), { description: 'In each column at the end of the day' }),
      }),
    ),
    completed: t.Integer(),
    cycle: Spread,
    lead: Spread,
    done: t.Array(Done, { description: 'What got done, the newest first' }),
    done_left_off: t.Integer({ description: `At most ${MOST_NAMED} are shown; as CSV all` }),
    going: t.Array(Going, { description: 'What is being worked on now, the oldest first' }),
    going_total: t.Integer(),
    csv: t.Optional(t.String({ description: 'All rows, if format asks for it' })),
  },
  { download: { field: 'csv', type: 'text/csv', filename: 'flow.csv' } },
)
