import { fault } from '../../kernel/fault.ts'
import { decodeCursor, encodeCursor } from '../../kernel/list.ts'
import type { Section } from '../sections/index.ts'
import type { Listed } from '../tasks/index.ts'

/** Where the next page begins: the place of the last task that was given. */
export interface Mark {
  urgency: number
  due: number | null
  /** The rank of its column, which says where to go on even when the column is gone. */
  column: string
  rank: string
  task_id: number
}

export const markOf = (row: Listed, columns: readonly Section[]): Mark => ({
  urgency: row.priority === 1 ? 0 : 1,
  due: row.due_at?.getTime() ?? null,
  column: columns.find(({ section_id }) => section_id === row.section_id)!.rank,
  rank: row.rank,
  task_id: row.task_id,
})

/** Below nothing where the one comes before the other in the queue. */
export function byPlace(a: Mark, b: Mark): number {
  if (a.urgency !== b.urgency) return a.urgency - b.urgency
  if (a.due !== b.due) return (a.due ?? Infinity) - (b.due ?? Infinity)
  return byText(a.column, b.column) || byText(a.rank, b.rank) || a.task_id - b.task_id
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export function writeCursor({ task_id, ...place }: Mark, made: string, seen: number): string {
  const { urgency, due, column, rank } = place
  const value = JSON.stringify([urgency, due, column, rank])
  return encodeCursor({ digest: made, value, id: task_id, seen })
}

export function readCursor(cursor: string, made: string): { mark: Mark; seen: number } {
  const { value, id: task_id, seen } = decodeCursor(cursor, made)
  const [urgency, due, column, rank] = partsOf(value)
  const isDue = due === null || (Number.isInteger(due) && Math.abs(due as number) <= MOST_MS)
  const isPlace = isRank(column) && isRank(rank)
  if ((urgency !== 0 && urgency !== 1) || !isDue || !isPlace)
    throw fault.invalid('cursor', 'invalid_format', 'cursor is not one that a list gave', cursor)
  return { mark: { urgency, due: due as number | null, column, rank, task_id }, seen }
}

/** The last moment that a date can hold. */
const MOST_MS = 253_402_300_799_999

const isRank = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9A-Za-z]{1,1000}$/.test(value)

function partsOf(value: unknown): unknown[] {
  try {
    const read: unknown = JSON.parse(String(value))
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}
