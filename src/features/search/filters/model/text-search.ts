import { and, eq, inArray, lte, type SQL } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { initialWordOf } from '../../../../search/query/open-terms.ts'
import { keyPartsOf, type Query, type Term } from '../../../../search/query/query.ts'
import type { Match } from '../../../../search/query/score.ts'
import {
  arePlacesSlow,
  idBeyondNewest,
  newestIdsBetween,
  textsOf,
} from '../../../../store/fulltext.ts'
import { optimizeStatement } from '../../../../store/prepared-sqlite.ts'
import { engineQuery, type Phrase } from '../../../../store/text-query.ts'
import { projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import type { Status } from '../../../tasks/states/model/index.ts'
import { formerTickets, tasks } from '../../../tasks/tasks/model/index.ts'
import { inTeam, isIndexComplete, onBoard } from '../../text_index/model/index.ts'
import type { Scope } from './scope.ts'

/**
 * At most this many matches are ranked or listed, the newest first; the response warns about more.
 */
export const MAX_HITS = 5000
/** If more tasks contain the words, only the newest ones are tested for the other conditions. */
const MAX_CANDIDATES = 10_000
/** With more boards than this, the search names their teams instead. */
const MAX_NAMED_BOARDS = 8

export interface Hit extends Match {
  task_id: number
}

export interface TextSearch {
  scope: Scope
  /** The boards that the query requires. */
  boards: number[] | undefined
  statuses: readonly Status[]
  query: Query
  /** The other conditions, including visibility to the caller. */
  where: SQL | undefined
  /** Whether other filters apply, so that many tasks may contain the words and few match. */
  hasOtherFilters: boolean
  /** The highest task id to include, for the following pages. */
  upto?: number | undefined
  /** The input field, for warnings. */
  named: string
}

export const hasWords = ({ words, without }: Query) => words.length > 0 || without.length > 0

/** The newest tasks that contain the words of the query and meet all other conditions. */
export async function searchHits(ctx: Context, search: TextSearch): Promise<Hit[]> {
  const keyHits = await tasksByKey(ctx, search)
  const found = await textHits(ctx, search, keyHits.length > 0)
  const keys = new Set(keyHits.map(({ task_id }) => task_id))
  const others = found.filter(({ task_id }) => !keys.has(task_id))
  return [...keyHits, ...others]
}

async function textHits(ctx: Context, search: TextSearch, isKey: boolean): Promise<Hit[]> {
  const { where, upto, named: field } = search
  const { tx } = ctx
  const plan = await planSearch(ctx, search, isKey)
  if (!plan) return []
  const { texts, matches: fits, newest, since, alsoMatches } = textsOf(tasks.task_id, plan.question)
  const phrase = consecutiveWords(plan.required)
  const isConsecutive = phrase === undefined ? undefined : alsoMatches(phrase)
  const query = tx
    .select({ task_id: tasks.task_id, title: tasks.title, ...(isConsecutive && { isConsecutive }) })
    .from(texts)
    .crossJoin(tasks)
    .where(and(fits, since(plan.floor), where, upToTask(upto)))
    .orderBy(newest)
    .limit(MAX_HITS + 1)
    .prepare('')
  // Checked before the search: tasks indexed in between may be missing in its result.
  const isComplete = await isIndexComplete(tx)
  const found = await optimizeStatement(query).execute()
  warn(ctx, field, found.length, plan.floor)
  if (!isComplete)
    ctx.warn(field, 'incomplete', 'The text index is still being built; some tasks are missing')
  const hits = found.slice(0, MAX_HITS)
  const consecutive = await idsWithConsecutiveWords(tx, phrase, hits)
  return hits.map(({ task_id, title }) => ({
    ...{ task_id, title, isNamed: false, isConsecutive: consecutive.has(task_id) },
  }))
}

/** The query as one phrase; undefined if that could not match. */
function consecutiveWords(required: SearchPlan['required']): string | undefined {
  const groups = [...required]
  const last = groups.pop()
  const isPlain = groups.every(({ length }) => length === 1)
  const hasKeys = required.flat().some(({ keyWord }) => keyWord !== undefined)
  if (!groups.length || !last || !isPlain || hasKeys) return undefined
  const before = groups.flat().flatMap(({ words }) => words)
  const phrases = last.map((phrase) => ({ ...phrase, words: [...before, ...phrase.words] }))
  return engineQuery({ places: [], required: [phrases], excluded: [] })
}

/** Ids of the hits that contain the query as a phrase, which their rows may say already. */
async function idsWithConsecutiveWords(
  tx: Tx,
  phrase: string | undefined,
  hits: readonly { task_id: number; isConsecutive?: boolean }[],
): Promise<ReadonlySet<number>> {
  const [first] = hits
  if (phrase === undefined || !first || hits.length < 2) return new Set()
  if (first.isConsecutive !== undefined)
    return new Set(hits.flatMap(({ task_id, isConsecutive }) => (isConsecutive ? task_id : [])))
  const range = { from: hits.at(-1)!.task_id, upto: first.task_id }
  return new Set(await newestIdsBetween(tx, phrase, range, MAX_CANDIDATES))
}

const upToTask = (upto: number | undefined) =>
  upto === undefined ? undefined : lte(tasks.task_id, upto)

function warn(ctx: Context, field: string, found: number, floor: number | undefined): void {
  if (found > MAX_HITS)
    ctx.warn(
      field,
      'too_many',
      `More than ${MAX_HITS} tasks match; these are from the newest ${MAX_HITS}. Add words or filters`,
    )
  else if (floor !== undefined)
    ctx.warn(
      field,
      'too_many',
      `More than ${MAX_CANDIDATES} tasks contain these words; only the newest ${MAX_CANDIDATES} were searched. Add words or select a board`,
    )
}

interface SearchPlan {
  question: string
  /** One phrase of each group is in every matching text. */
  required: readonly (readonly Phrase[])[]
  /** The lowest task id that is tested. */
  floor: number | undefined
}

/**
 * The phrases of the text index for these words. An incomplete word matches as a prefix, unless very
 * many tasks contain it exactly: collecting all words that begin with it would be slow and of no use.
 */
async function phrasesOf(tx: Tx, words: Query['words'], isKey: boolean): Promise<Phrase[][]> {
  const groups: Phrase[][] = []
  for (const alternatives of words) {
    const phrases: Phrase[] = []
    for (const term of alternatives)
      if (term.isShort) phrases.push(shortPhrase(term, isKey))
      else phrases.push((await isCommon(tx, term)) ? { ...term, prefix: false } : term)
    groups.push(phrases)
  }
  return groups
}

/**
 * One or two letters match a word of the title that begins with them, or the whole word in any text.
 * After other words of the same term, as in `SHA-2`, they need not match, unless it is a known key.
 */
function shortPhrase(term: Term, isKey: boolean): Phrase {
  const { words } = term
  if (words.length === 1) return { words, prefix: false, keyWord: initialWordOf(words[0]!) }
  return isKey ? { ...term, prefix: false } : { words: words.slice(0, -1), prefix: false }
}

async function isCommon(tx: Tx, { words, prefix, text }: Term): Promise<boolean> {
  if (!prefix || text.endsWith('*')) return false
  const question = engineQuery({ places: [], required: [[{ words, prefix: false }]], excluded: [] })
  return (await idBeyondNewest(tx, question, MAX_CANDIDATES)) !== undefined
}

/**
 * Chooses the index terms to search. `where` enforces visibility in any case, but invisible tasks
 * must not use up the limit. If few tasks contain the words, a search without terms for teams is
 * faster.
 */
async function planSearch(
  ctx: Context,
  search: TextSearch,
  isKey: boolean,
): Promise<SearchPlan | undefined> {
  const { upto, scope, statuses } = search
  const boards = await boardsToSearch(ctx, search)
  if (boards?.length === 0 || !statuses.length) return undefined
  const { words, without: excluded } = search.query
  const required = await phrasesOf(ctx.tx, words, isKey)
  const plan = async (places: readonly string[], isBounded = true): Promise<SearchPlan> => {
    const question = engineQuery({ places, required, excluded })
    const floor = isBounded
      ? await idBeyondNewest(ctx.tx, question, MAX_CANDIDATES, upto)
      : undefined
    return { question, required, floor }
  }
  const { hasOtherFilters } = search
  if (boards)
    return plan(
      statuses.flatMap((status) => boards.map((id) => onBoard(id, status))),
      hasOtherFilters,
    )
  const anywhere = required.length && arePlacesSlow ? await plan([]) : undefined
  if (anywhere && anywhere.floor === undefined) return anywhere
  return plan(statuses.flatMap((status) => scope.teams.map((id) => inTeam(id, status))))
}

/** The boards to name in the search; undefined if there are too many. */
async function boardsToSearch(
  ctx: Context,
  { scope, boards }: TextSearch,
): Promise<number[] | undefined> {
  if (scope.project_id !== undefined) return [scope.project_id]
  if (boards) return boards
  const visible = await ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))
    .limit(MAX_NAMED_BOARDS + 1)
  return visible.length > MAX_NAMED_BOARDS ? undefined : visible.map(({ project_id }) => project_id)
}

/**
 * The tasks that have this key, or had it before they moved or were imported. A former key may have
 * any form.
 */
async function tasksByKey(ctx: Context, { query, scope, where, upto }: TextSearch): Promise<Hit[]> {
  const text = onlyTerm(query)
  if (text === undefined) return []
  const teams = [...scope.teams]
  const former = await ctx.tx
    .select({ task_id: formerTickets.task_id })
    .from(formerTickets)
    .where(
      and(
        inArray(formerTickets.team_id, teams),
        eq(formerTickets.ticket_number, text.toUpperCase()),
      ),
    )
  const keys = await possibleKeys(ctx, scope, text)
  const present = keys.length
    ? await ctx.tx
        .select({ task_id: tasks.task_id })
        .from(tasks)
        .where(and(inArray(tasks.team_id, teams), inArray(tasks.ticket_number, keys)))
    : []
  const ids = [...present, ...former].map(({ task_id }) => task_id)
  if (!ids.length) return []
  const found = await ctx.tx
    .select({ task_id: tasks.task_id, title: tasks.title })
    .from(tasks)
    .where(and(inArray(tasks.task_id, ids), where, upToTask(upto)))
  return found.map((hit) => ({ ...hit, isNamed: true, isConsecutive: false }))
}

/** The text of the query, if it is a single term. */
function onlyTerm({ words: [alternatives, ...others] }: Query): string | undefined {
  const texts = new Set(alternatives?.map(({ text }) => text))
  return texts.size === 1 && !others.length ? [...texts][0] : undefined
}

const MAX_BOARDS = 1000

/** The keys that a text may mean: HOM-1 and HOM1, and #1 on every board. */
async function possibleKeys(ctx: Context, { project_id }: Scope, text: string): Promise<string[]> {
  const { board, number } = keyPartsOf(text) ?? {}
  if (number === undefined) return []
  if (board) return [`${board}-${number}`]
  if (!text.startsWith('#')) return []
  const boards = await ctx.tx
    .select({ key: projects.key })
    .from(projects)
    .where(
      and(
        visibleProjects(ctx),
        project_id === undefined
          ? eq(projects.status, 'Normal')
          : eq(projects.project_id, project_id),
      ),
    )
    .limit(MAX_BOARDS)
  return boards.map(({ key }) => `${key}-${number}`)
}
