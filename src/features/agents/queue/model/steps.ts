import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Section } from '../../../boards/sections/model/index.ts'
import { isLessUrgent, isUnleased, isUrgent } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { QueuePosition } from './cursor.ts'
import type { Part } from './parts.ts'

/** Urgent tasks first, then the others. Of each, those with a due date come before the rest. */
export interface Step {
  isUrgent: boolean
  isDated: boolean
}
export const STEPS: readonly Step[] = [true, false].flatMap((isUrgent) =>
  [true, false].map((isDated) => ({ isUrgent, isDated })),
)

/** Whether the step contains a task at this position. */
export const isAt = ({ isUrgent, isDated }: Step, { urgency, due }: QueuePosition) =>
  isUrgent === (urgency === 0) && isDated === (due !== null)

/** A lower bound, without which the planner may not choose the index. */
const EARLIEST = new Date('0001-01-01T00:00:00.000Z')

/** The unleased tasks of a column that belong to a step, as the indexes of the queue have them. */
export const isInStep = (
  { team_id }: { team_id: number | SQL },
  { assigned }: Pick<Part, 'assigned'>,
  step: Step,
  section_id: number | SQL,
) =>
  and(
    eq(tasks.team_id, team_id),
    eq(tasks.section_id, section_id),
    step.isUrgent ? isUrgent(tasks) : isLessUrgent(tasks),
    isUnleased(tasks),
    eq(tasks.assigned, assigned),
    ...(step.isDated
      ? [sql`${tasks.due_at} is not null`, gte(tasks.due_at, EARLIEST)]
      : [sql`${tasks.due_at} is null`]),
  )

/**
 * All rows have the same `leased_by` and `assigned`, but PostgreSQL reads an index in order only if
 * the order names its columns.
 */
export const orderOf = ({ isDated }: Step): PgColumn[] => [
  tasks.leased_by,
  tasks.assigned,
  ...(isDated ? [tasks.due_at] : []),
  tasks.rank,
  tasks.task_id,
]

/** Selects what comes after the last task of a page. */
export function isAfter(
  { isDated }: Step,
  { rank }: Section,
  from: QueuePosition,
): SQL | undefined {
  const { column, task_id } = from
  const mark = sql`${from.rank}, ${sql.raw(String(task_id))}`
  if (!isDated)
    return rank === column ? sql`(${tasks.rank}, ${tasks.task_id}) > (${mark})` : undefined
  const due = sql.param(new Date(from.due!), tasks.due_at)
  if (rank > column) return sql`${tasks.due_at} >= ${due}`
  if (rank < column) return sql`${tasks.due_at} > ${due}`
  return sql`(${tasks.due_at}, ${tasks.rank}, ${tasks.task_id}) > (${due}, ${mark})`
}
