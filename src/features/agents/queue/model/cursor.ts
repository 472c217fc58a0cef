import { fault } from '../../../../kernel/fault.ts'
import { decodeCursor, encodeCursor } from '../../../../kernel/list.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import type { TaskSummary } from '../../../tasks/tasks/model/index.ts'

/** The position of the last task of a page, after which the next page begins. */
export interface QueuePosition {
  urgency: number
  due: number | null
  /** The rank of its column, which keeps the position even if the column is deleted. */
  column: string
  rank: string
  task_id: number
}

/** The columns of a task that determine its position. */
export type PositionRow = Pick<
  TaskSummary,
  'task_id' | 'section_id' | 'priority' | 'due_at' | 'rank'
>

export const positionOf = (row: PositionRow, columns: readonly Section[]): QueuePosition => ({
  urgency: row.priority === 1 ? 0 : 1,
  due: row.due_at?.getTime() ?? null,
  column: columns.find(({ section_id }) => section_id === row.section_id)!.rank,
  rank: row.rank,
  task_id: row.task_id,
})

/** Negative if `a` comes before `b` in the queue. */
export function comparePositions(a: QueuePosition, b: QueuePosition): number {
  if (a.urgency !== b.urgency) return a.urgency - b.urgency
  if (a.due !== b.due) return (a.due ?? Infinity) - (b.due ?? Infinity)
  return compareText(a.column, b.column) || compareText(a.rank, b.rank) || a.task_id - b.task_id
}

/** Sorts the tasks of a queue. */
export const byPosition =
  ({ columns }: { columns: readonly Section[] }) =>
  (a: PositionRow, b: PositionRow) =>
    comparePositions(positionOf(a, columns), positionOf(b, columns))

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export function writeCursor(
  { task_id, ...place }: QueuePosition,
  requestDigest: string,
  rowsBefore: number,
): string {
  const { urgency, due, column, rank } = place
  const value = JSON.stringify([urgency, due, column, rank])
  return encodeCursor({ digest: requestDigest, value, id: task_id, rowsBefore })
}

export function readCursor(
  cursor: string,
  requestDigest: string,
): { position: QueuePosition; rowsBefore: number } {
  const { value, id: task_id, rowsBefore } = decodeCursor(cursor, requestDigest)
  const [urgency, due, column, rank] = partsOf(value)
  const isDue = due === null || (Number.isInteger(due) && Math.abs(due as number) <= MAX_MS)
  const areRanks = isRank(column) && isRank(rank)
  if ((urgency !== 0 && urgency !== 1) || !isDue || !areRanks)
    throw fault.invalid(
      'cursor',
      'invalid_format',
      'cursor must be the next_cursor of a list',
      cursor,
    )
  return {
    position: { urgency, due: due as number | null, column, rank, task_id },
    rowsBefore,
  }
}

/** The last moment that a date can hold. */
const MAX_MS = 253_402_300_799_999

const isRank = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9A-Za-z]{1,1000}$/.test(value)

function partsOf(value: unknown): unknown[] {
  try {
    const parsed: unknown = JSON.parse(String(value))
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
