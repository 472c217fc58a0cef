import { and, count, eq, gt, gte, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import type { Section } from '../sections/index.ts'
import {
  countsOf,
  isFree,
  isTaken,
  isUntaken,
  type Listed,
  listed,
  tasks,
  urgencyOf,
} from '../tasks/index.ts'
import type { Mark } from './mark.ts'

/** A part of a board's open tasks that nobody has taken, in the order in which to work on them. */
export interface Queue {
  team_id: number
  project_id: number
  /** The columns it is drawn from, left to right. */
  columns: readonly Section[]
  /** Leaves out what waits for another task. */
  unblocked: boolean
  where: SQL | undefined
  /** How rows are held that are about to be taken. */
  hold?: <Q>(query: Q) => Q
}

type Walk = (tx: Tx, queue: Queue, urgency: number, rows: number, from?: Mark) => Promise<Listed[]>

/**
 * Urgent tasks first, then the others; of each those with a due date by that, then the rest as
 * they stand on the board. Every part is a walk along an index, so that no queue is ever sorted.
 */
export async function queued(tx: Tx, queue: Queue, rows: number, from?: Mark): Promise<Listed[]> {
  const found: Listed[] = []
  const begin = from ? stepOf(from.urgency, from.due) : 0
  for (const [step, { urgency, walk }] of STEPS.entries()) {
    const left = rows - found.length
    if (step < begin || left < 1 || !queue.columns.length) continue
    found.push(...(await walk(tx, queue, urgency, left, step === begin ? from : undefined)))
  }
  return found
}

/** A place to begin in the index, without which it may not be thought worth walking. */
export const EARLIEST = new Date('0001-01-01T00:00:00.000Z')

const asIs = <Q>(query: Q) => query

/** Those with a due date; of one moment, as they stand on the board. */
const dated: Walk = (tx, queue, urgency, rows, from) => {
  const { team_id, project_id, columns, hold = asIs } = queue
  const place = placeIn(columns)
  const query = tx
    .select(listed)
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, team_id),
        eq(tasks.project_id, project_id),
        isOf(urgency),
        isUntaken(tasks),
        sql`${tasks.due_at} is not null`,
        gte(tasks.due_at, from ? new Date(from.due!) : EARLIEST),
        inArray(tasks.section_id, idsOf(columns)),
        from && beyond(columns, place, from),
        wanted(tx, queue),
      ),
    )
    .orderBy(tasks.due_at, place, tasks.rank, tasks.task_id)
    .limit(rows)
  return hold(query)
}

export const wanted = (tx: Tx, { unblocked, where }: Pick<Queue, 'unblocked' | 'where'>) =>
  and(unblocked ? isFree(tx) : undefined, where)

const idsOf = (columns: readonly Section[]) => columns.map(({ section_id }) => section_id)

/** Numbers in the statement itself: an index on an expression is found by what it says. */
export const isOf = (urgency: number) =>
  sql`${urgencyOf(tasks.priority)} = ${sql.raw(String(urgency))}`

const placeIn = (columns: readonly Section[]): SQL => {
  const each = columns.map(({ section_id }, i) => sql.raw(`when ${section_id} then ${i}`))
  return sql`case ${tasks.section_id} ${sql.join(each, sql` `)} end`
}

function beyond(columns: readonly Section[], place: SQL, { due, column, rank, task_id }: Mark) {
  const at = new Date(due!)
  const here = columns.findIndex((one) => one.rank === column)
  const later = columns.filter((one) => one.rank < column).length
  const same = here < 0 ? sql`${place} >= ${sql.raw(String(later))}` : after(place, here)
  function after(column: SQL, index: number) {
    const mark = sql`(${sql.raw(String(index))}, ${rank}, ${sql.raw(String(task_id))})`
    return sql`(${column}, ${tasks.rank}, ${tasks.task_id}) > ${mark}`
  }
  return or(gt(tasks.due_at, at), same)
}

/** Those without one, column by column and from top to bottom. */
const undated: Walk = async (tx, queue, urgency, rows, from) => {
  const { team_id, columns, hold = asIs } = queue
  const found: Listed[] = []
  for (const { section_id, rank } of columns) {
    const left = rows - found.length
    if (left < 1 || (from && rank < from.column)) continue
    const mark = sql`(${from?.rank}, ${sql.raw(String(from?.task_id))})`
    const isHere = from?.column === rank
    const some = tx
      .select(listed)
      .from(tasks)
      .where(
        and(
          eq(tasks.team_id, team_id),
          eq(tasks.section_id, section_id),
          isOf(urgency),
          isUntaken(tasks),
          sql`${tasks.due_at} is null`,
          isHere ? sql`(${tasks.rank}, ${tasks.task_id}) > ${mark}` : undefined,
          wanted(tx, queue),
        ),
      )
      .orderBy(tasks.rank, tasks.task_id)
      .limit(left)
    found.push(...(await hold(some)))
  }
  return found
}

const STEPS = [0, 1].flatMap((urgency) => [dated, undated].map((walk) => ({ urgency, walk })))
const stepOf = (urgency: number, due: number | null) => urgency * 2 + (due === null ? 1 : 0)

/**
 * How many there are, counted no further than to `most`; whole columns are counted as they change.
 */
export async function lengthOf(tx: Tx, queue: Queue, most: number): Promise<number> {
  const { team_id, columns, unblocked, where } = queue
  const ids = idsOf(columns)
  const here = and(eq(tasks.team_id, team_id), inArray(tasks.section_id, ids))
  if (!where && !unblocked) {
    const counts = await countsOf(tx, queue)
    const all = ids.reduce((total, section_id) => total + (counts.get(section_id) ?? 0), 0)
    const [row] = await tx
      .select({ taken: count() })
      .from(tasks)
      .where(and(here, isTaken(tasks)))
    return all - Number(row?.taken ?? 0)
  }
  const some = tx
    .select({ one: sql`1`.as('one') })
    .from(tasks)
    .where(and(here, isUntaken(tasks), wanted(tx, queue)))
    .limit(most)
    .as('some')
  const [row] = await tx.select({ total: count() }).from(some)
  return Number(row?.total ?? 0)
}
