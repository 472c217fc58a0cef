import { and, gt, max, type SQL } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { Passage, PassageQuery, SearchIndex } from '../../../../kernel/services.ts'
import { highlightedTerms } from '../../../../search/query/highlight.ts'
import type { Query } from '../../../../search/query/query.ts'
import { placesOf, termsOf } from '../../../../search/query/snippet.ts'
import { tokensOf } from '../../../../search/words/words.ts'
import { textsOf } from '../../../../store/fulltext.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { engineQuery } from '../../../../store/text-query.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { TaskSearch } from '../../filters/model/index.ts'
import { boardsOf } from './semantic/boards.ts'
import { MAX_TASKS, newestTaskIds } from './semantic/filters.ts'
import { KINDS } from './semantic/schema.ts'
import { visiblePassages } from './semantic/visible-passages.ts'

/** A list with at least this many full matches has no partial ones. */
export const ENOUGH_MATCHES = 5
export const MAX_PARTIAL = 20
/** Passages to request: several may be of the same task or not visible. */
const MAX_PASSAGES = 120
/** Passages with a smaller share of the best score match by chance; first with similar words. */
const MIN_SCORE_SHARE = 0.1
const MIN_SHARE_BY_MEANING = 0.5

/** The best passage of each task, best task first. */
export type PartialMatches = Map<number, Passage>

/** Whether partial matches follow the full ones. A ticket key means a single task. */
export const needsPartial = ({ query, hits }: TaskSearch): boolean =>
  hits !== undefined &&
  query.words.length > 0 &&
  hits.length < ENOUGH_MATCHES &&
  !hits.some(({ isNamed }) => isNamed)

/**
 * Tasks that match only some words, in another form, or in a comment, page or file. They meet every
 * other condition of the query. With `among`, only these tasks are searched.
 */
export async function findPartial(
  ctx: Context,
  project_id: number | undefined,
  { query, where, hits = [], isNarrowed }: TaskSearch,
  among?: readonly number[],
): Promise<PartialMatches> {
  const ids = among ?? (isNarrowed ? await matchingIds(ctx, project_id, where) : undefined)
  const passages = await askIndex(ctx, project_id, query, ids)
  const isRelevant = relevance(query, passages[0]?.score ?? 0)
  const best: PartialMatches = new Map()
  for (const { passage, task } of await visiblePassages(ctx, passages, project_id))
    if (!best.has(task.task_id) && isRelevant(`${task.title}\n${passage.text}`, passage.score))
      best.set(task.task_id, passage)
  const allowed = new Set(await allowedIds(ctx, { query, where }, [...best.keys()]))
  for (const { task_id } of hits) allowed.delete(task_id)
  return new Map([...best].filter(([id]) => allowed.has(id)).slice(0, MAX_PARTIAL))
}

/** Quoted phrases must be in the text. Without similar words, its meaning must be close. */
function relevance(query: Query, bestScore: number): (text: string, score: number) => boolean {
  const terms = termsOf(query)
  const phrases = terms.filter(({ isQuoted }) => isQuoted)
  return (text, score) => {
    if (score < bestScore * MIN_SCORE_SHARE) return false
    if (!phrases.every((phrase) => contains(text, phrase))) return false
    return score >= bestScore * MIN_SHARE_BY_MEANING || highlightedTerms(text, terms).length > 0
  }
}

const contains = (text: string, phrase: Parameters<typeof placesOf>[1][number]) =>
  placesOf(tokensOf(text), [phrase]).length > 0

/** Without a board, only so many of the newest tasks are tested: all would take half a second. */
const MAX_TESTED = 100_000

/** Undefined if there are too many tasks to name: then only what the index finds is tested. */
async function matchingIds(
  ctx: Context,
  project_id: number | undefined,
  where: TaskSearch['where'],
) {
  const isTested = project_id === undefined ? await isAmongNewest(ctx.tx, MAX_TESTED) : undefined
  const ids = await newestTaskIds(ctx, and(where, isTested))
  return ids.length > MAX_TASKS ? undefined : ids
}

async function isAmongNewest(tx: Tx, count: number): Promise<SQL> {
  const [row] = await tx.select({ last: max(tasks.task_id) }).from(tasks)
  return gt(tasks.task_id, (row?.last ?? 0) - count)
}

/** Searches the index outside of the transaction. It knows no permissions, so check the passages. */
async function askIndex(
  ctx: Context,
  project_id: number | undefined,
  query: Query,
  taskIds: readonly number[] | undefined,
): Promise<Passage[]> {
  const { searchIndex } = ctx.server
  if (searchIndex.isBuilding()) return unavailable(ctx)
  const projects = await boardsOf(ctx, project_id)
  if (!projects.length || taskIds?.length === 0) return []
  const mayReadPages = ctx.caller.scopes.has('pages:read')
  const question: PassageQuery = {
    text: questionOf(query),
    isTyped: true,
    projects,
    ...(query.without.length && { without: query.without.flatMap(({ words }) => words) }),
    ...(!mayReadPages && { kinds: KINDS.filter((kind) => kind !== 'page') }),
    ...(taskIds && { tasks: taskIds }),
    limit: MAX_PASSAGES,
  }
  return ctx.resolve('partial matches', () => search(searchIndex, question)) ?? unavailable(ctx)
}

/** The words of the query as typed, with a space after the last one if it is complete. */
function questionOf(query: Query): string {
  const terms = termsOf(query)
  const words = terms.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text))
  return [...new Set(words)].join(' ') + (terms.at(-1)?.prefix ? '' : ' ')
}

/** Undefined if the index is temporarily unavailable. */
const search = (index: SearchIndex, question: PassageQuery) =>
  index.search(question).catch((error) => {
    if (error instanceof Error && error.name === 'Unready') return undefined
    throw error
  })

function unavailable(ctx: Context): Passage[] {
  const message = 'Similar and partial matches are missing: the search index is not ready'
  ctx.warn('query', 'index_building', message)
  return []
}

/** Those of the tasks that meet the conditions of the query and contain no excluded word. */
export async function allowedIds(
  ctx: Context,
  { query, where }: Pick<TaskSearch, 'query' | 'where'>,
  ids: readonly number[],
): Promise<number[]> {
  if (!ids.length) return []
  const isAmong = isOneOf(tasks.task_id, ids)
  const select = () => ctx.tx.select({ task_id: tasks.task_id })
  const found = await select().from(tasks).where(and(isAmong, where))
  if (!query.without.length) return found.map(({ task_id }) => task_id)
  const excluded = engineQuery({ places: [], required: [query.without], excluded: [] })
  const { texts, matches } = textsOf(tasks.task_id, excluded)
  const dropped = await select().from(texts).crossJoin(tasks).where(and(matches, isAmong))
  const droppedIds = new Set(dropped.map(({ task_id }) => task_id))
  return found.map(({ task_id }) => task_id).filter((id) => !droppedIds.has(id))
}
