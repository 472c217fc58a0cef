import { decodeCursor, encodeCursor, isCursorOf, type PageInfo } from '../../../../kernel/list.ts'
import { digestFor } from '../../../../store/paginate.ts'
import type { TaskSearchInput } from './schema.ts'

/**
 * A short list of tasks, full matches before partial ones. The first page fixes the order:
 * scores in the index change while texts are written, so the cursor holds the remaining ids.
 */
export interface FixedList {
  full: number[]
  partial: number[]
  /** Number of tasks on all pages. */
  total: number
  rowsBefore: number
}

const digestOf = (input: TaskSearchInput) =>
  digestFor(input, 'fixed', `${input.sort} ${input.sort_by} ${input.sort_order}`)

/** The remaining list; undefined if the cursor is none or of another kind. */
export function parseFixedCursor(input: TaskSearchInput): FixedList | undefined {
  const { cursor } = input
  const digest = digestOf(input)
  if (cursor === undefined || !isCursorOf(cursor, digest)) return undefined
  const { value, rowsBefore } = decodeCursor(cursor, digest)
  const [full = 0, total = 0, ...ids] = [value].flat().map(Number)
  return { full: ids.slice(0, full), partial: ids.slice(full), total, rowsBefore }
}

/** The page of the list after its first `offset` tasks. */
export function fixedPage(
  input: TaskSearchInput,
  { full, partial, total, rowsBefore }: FixedList,
  offset = 0,
): { ids: number[]; page: PageInfo } {
  const { limit } = input
  const ids = [...full, ...partial].slice(offset)
  const shown = ids.slice(0, limit)
  const remaining = ids.slice(limit)
  const fullLeft = Math.max(0, full.length - offset - limit)
  const before = rowsBefore + offset
  const next_cursor = remaining.length
    ? encodeCursor({
        digest: digestOf(input),
        value: [fullLeft, total, ...remaining],
        id: 0,
        rowsBefore: before + shown.length,
      })
    : null
  const page = { total, limit, offset: before, has_more: remaining.length > 0, next_cursor }
  return { ids: shown, page }
}
