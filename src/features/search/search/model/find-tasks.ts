import type { Context } from '../../../../kernel/caller.ts'
import type { PageInfo } from '../../../../kernel/list.ts'
import type { Passage } from '../../../../kernel/services.ts'
import {
  pageOfTasks,
  searchTasks,
  selectionOf,
  type TaskSearch,
} from '../../filters/model/index.ts'
import { type FixedList, fixedPage, parseFixedCursor } from './fixed-list.ts'
import {
  allowedIds,
  ENOUGH_MATCHES,
  findPartial,
  MAX_PARTIAL,
  needsPartial,
  type PartialMatches,
} from './partial.ts'
import { parseCursor, rankedPage } from './ranked.ts'
import type { TaskSearchInput } from './schema.ts'

/** The score of a partial match, and its best passage if it is still found. */
export interface PartialHit {
  score: number
  passage: Passage | undefined
}

export interface FoundPage {
  ids: number[]
  page: PageInfo
  search: TaskSearch
  partial: ReadonlyMap<number, PartialHit>
}

/** Ranks by score, unless a sort order was requested or the query has no words. */
export async function findTasks(ctx: Context, input: TaskSearchInput): Promise<FoundPage> {
  const rest = parseFixedCursor(input)
  if (rest) return continueList(ctx, input, rest)
  const isSorted = input.sort !== undefined || input.sort_by !== undefined
  const cursor = isSorted ? undefined : parseCursor(input)
  const search = await searchTasks(ctx, input, cursor?.upto)
  const pageOf = async (paging: TaskSearchInput) =>
    search.hits && !isSorted
      ? rankedPage(paging, search, cursor)
      : await pageOfTasks(ctx, paging, selectionOf(search))
  if (input.cursor === undefined && needsPartial(search)) {
    const matches = await findPartial(ctx, input.project_id, search)
    const { ids: full } = await pageOf({ ...input, limit: ENOUGH_MATCHES, offset: 0 })
    const partial = [...matches.keys()]
    const list = { full, partial, total: full.length + partial.length, rowsBefore: 0 }
    if (partial.length) return { ...pageOfList(input, list, input.offset, matches), search }
  }
  return { ...(await pageOf(input)), search, partial: new Map() }
}

/** The next page of a fixed list, without tasks that no longer meet the conditions. */
async function continueList(
  ctx: Context,
  input: TaskSearchInput,
  { full, partial, ...rest }: FixedList,
): Promise<FoundPage> {
  const search = await searchTasks(ctx, input)
  const matches = await findPartial(ctx, input.project_id, { ...search, hits: [] }, partial)
  const allowed = new Set(await allowedIds(ctx, search, [...full, ...partial]))
  const keep = (ids: readonly number[]) => ids.filter((id) => allowed.has(id))
  const list = { ...rest, full: keep(full), partial: keep(partial) }
  return { ...pageOfList(input, list, 0, matches), search }
}

function pageOfList(
  input: TaskSearchInput,
  list: FixedList,
  offset: number | undefined,
  matches: PartialMatches,
) {
  const { length } = list.partial
  const partial = new Map(
    list.partial.map((id, at): [number, PartialHit] => [
      id,
      { score: scoreAt(length - at), passage: matches.get(id) },
    ]),
  )
  return { ...fixedPage(input, list, offset), partial }
}

/** The highest score of a partial match, which is below that of every full match. */
const MAX_SCORE = 0.09

/** Scores count from the end of the list, so that they decrease over all pages. */
const scoreAt = (fromEnd: number) => Math.round((MAX_SCORE * fromEnd * 1000) / MAX_PARTIAL) / 1000
