import { fault } from '../../../../kernel/fault.ts'
import { decodeCursor, encodeCursor, type PageInfo } from '../../../../kernel/list.ts'
import { scorer } from '../../../../search/query/score.ts'
import { digestFor } from '../../../../store/paginate.ts'
import { type Hit, MAX_HITS, type TaskSearch } from '../../filters/model/index.ts'
import type { TaskSearchInput } from './schema.ts'

type ScoredHit = Hit & { score: number }

/** The position of a cursor in ranked tasks. */
export interface RankedCursor {
  score: number
  task_id: number
  /** The newest task when paging began. Later tasks are left out, so that pages do not shift. */
  upto: number
  rowsBefore: number
}

const digestOf = (input: TaskSearchInput) => digestFor(input, 'search')

export function parseCursor(input: TaskSearchInput): RankedCursor | undefined {
  const { cursor } = input
  if (cursor === undefined) return undefined
  const { value, id, rowsBefore: seen } = decodeCursor(cursor, digestOf(input))
  const [score, upto, ...rest] = [value].flat()
  if (typeof score === 'number' && typeof upto === 'number' && !rest.length)
    return { score, task_id: id, upto, rowsBefore: seen }
  throw fault.invalid(
    'cursor',
    'invalid_format',
    'cursor must be the next_cursor of a list',
    cursor,
  )
}

/**
 * A page of the best matching tasks. A task's score does not depend on other tasks, so that following
 * cursors yields every unchanged task exactly once.
 */
export function rankedPage(
  input: TaskSearchInput,
  { query, hits = [] }: TaskSearch,
  from: RankedCursor | undefined,
): { ids: number[]; page: PageInfo } {
  const { limit, offset = 0 } = input
  const score = scorer(query)
  const best = hits
    .map((hit) => ({ ...hit, score: score(hit) }))
    .sort((a, b) => b.score - a.score || b.task_id - a.task_id)
  const remaining = from ? best.filter((hit) => isAfter(hit, from)) : best.slice(offset)
  const rows = remaining.slice(0, limit)
  const before = from?.rowsBefore ?? offset
  const last = rows.at(-1)
  const has_more = remaining.length > rows.length
  const upto = from?.upto ?? hits.reduce((max, { task_id }) => Math.max(max, task_id), 0)
  const next = has_more && last && { score: last.score, task_id: last.task_id, upto }
  const page = {
    ...totalOf(hits.length),
    limit,
    offset: before,
    has_more,
    next_cursor: next
      ? formatCursor(digestOf(input), { ...next, rowsBefore: before + rows.length })
      : null,
  }
  return { ids: rows.map(({ task_id }) => task_id), page }
}

const totalOf = (hits: number) =>
  hits < MAX_HITS ? { total: hits } : { total: null, total_at_least: MAX_HITS }

const formatCursor = (digest: string, { score, upto, task_id, rowsBefore: seen }: RankedCursor) =>
  encodeCursor({ digest, value: [score, upto], id: task_id, rowsBefore: seen })

const isAfter = (hit: ScoredHit, { score, task_id }: RankedCursor) =>
  hit.score < score || (hit.score === score && hit.task_id < task_id)
