import { fault } from '../../kernel/fault.ts'
import { decodeCursor, encodeCursor, type PageInfo } from '../../kernel/list.ts'
import { scorer } from '../../search/score.ts'
import { madeFor } from '../../store/cut.ts'
import { type Hit, MOST_HITS, type Sought } from '../tasks/index.ts'
import type { Asked } from './schema.ts'

type Scored = Hit & { score: number }

/** Where a reader of ranked tasks goes on. */
export interface Place {
  score: number
  task_id: number
  /** The newest task when reading began: later ones push nobody about. */
  upto: number
  seen: number
}

const madeBy = (input: Asked) => madeFor(input, 'search')

export function placeOf(input: Asked): Place | undefined {
  const { cursor } = input
  if (cursor === undefined) return undefined
  const { value, id, seen } = decodeCursor(cursor, madeBy(input))
  const [score, upto, ...more] = [value].flat()
  if (typeof score === 'number' && typeof upto === 'number' && !more.length)
    return { score, task_id: id, upto, seen }
  throw fault.invalid('cursor', 'invalid_format', 'cursor is not one that a list gave', cursor)
}

/**
 * A page of the tasks that fit best. A task's score is its own, so that whoever follows cursors
 * meets every task once that stays as it is.
 */
export function rankedPage(
  input: Asked,
  { query, hits = [] }: Sought,
  from: Place | undefined,
): { ids: number[]; page: PageInfo } {
  const { limit, offset = 0 } = input
  const score = scorer(query)
  const best = hits
    .map((hit) => ({ ...hit, score: score(hit.title, hit.isNamed) }))
    .sort((a, b) => b.score - a.score || b.task_id - a.task_id)
  const rest = from ? best.filter((one) => isAfter(one, from)) : best.slice(offset)
  const rows = rest.slice(0, limit)
  const before = from?.seen ?? offset
  const last = rows.at(-1)
  const has_more = rest.length > rows.length
  const upto = from?.upto ?? hits.reduce((most, { task_id }) => Math.max(most, task_id), 0)
  const next = has_more && last && { score: last.score, task_id: last.task_id, upto }
  const page = {
    ...totalOf(hits.length),
    ...{ limit, offset: before, has_more },
    next_cursor: next ? cursorAt(madeBy(input), { ...next, seen: before + rows.length }) : null,
  }
  return { ids: rows.map(({ task_id }) => task_id), page }
}

const totalOf = (hits: number) =>
  hits < MOST_HITS ? { total: hits } : { total: null, total_at_least: MOST_HITS }

const cursorAt = (digest: string, { score, upto, task_id, seen }: Place) =>
  encodeCursor({ digest, value: [score, upto], id: task_id, seen })

const isAfter = (one: Scored, { score, task_id }: Place) =>
  one.score < score || (one.score === score && one.task_id < task_id)
