import { and, eq, inArray, lte, type SQL } from 'drizzle-orm'
import type { Context, Tx } from '../../../kernel/caller.ts'
import type { Query, Term } from '../../../search/query.ts'
import { floorOf, textsOf } from '../../../store/fulltext.ts'
import { questionOf } from '../../../store/question.ts'
import { quicken } from '../../../store/quick.ts'
import { projects, visibleProjects } from '../../projects/index.ts'
import type { Status } from '../rules.ts'
import { formerTickets, tasks } from '../tables.ts'
import { inTeam, isWhole, onBoard } from '../texts.ts'
import type { Scope } from './scope.ts'

/** Of more tasks that fit, the newest are ranked or listed, and the answer says so. */
export const MOST_HITS = 5000
/** Of more tasks that hold the words, the newest are looked at for everything else that is asked. */
const MOST_LOOKED = 10_000
/** So many boards are looked for by name; of more, their teams are. */
const FEW_BOARDS = 8

export interface Hit {
  task_id: number
  title: string
  /** The query is its key. */
  isNamed: boolean
}

export interface Matching {
  scope: Scope
  /** The boards that the query names. */
  boards: number[] | undefined
  statuses: readonly Status[]
  query: Query
  /** What else is asked of the tasks, and all that the caller may see. */
  where: SQL | undefined
  /** Whether more is asked than where a task is, so that many may hold the words and few fit. */
  isNarrow: boolean
  /** The newest that counts, where somebody reads on. */
  upto?: number | undefined
  /** The field that asks, for warnings. */
  named: string
}

export const hasWords = ({ words, without }: Query) => words.length > 0 || without.length > 0

/** The newest tasks that hold the words of a query, and fit all else. */
export async function hitsOf(ctx: Context, matching: Matching): Promise<Hit[]> {
  const { where, upto, named } = matching
  const { tx } = ctx
  const look = await whereToLook(ctx, matching)
  if (!look) return []
  const { texts, fits, newest, since } = textsOf(tasks.task_id, look.question)
  const asked = tx
    .select({ task_id: tasks.task_id, title: tasks.title })
    .from(texts)
    .crossJoin(tasks)
    .where(and(fits, since(look.floor), where, before(upto)))
    .orderBy(newest)
    .limit(MOST_HITS + 1)
    .prepare('')
  // Before it is looked at: what is added in between may be missing in what is found.
  const isAllKnown = await isWhole(tx)
  const found = await quicken(asked).execute()
  warn(ctx, named, found.length, look.floor)
  if (!isAllKnown)
    ctx.warn(named, 'incomplete', 'The text index is still being built; some tasks are missing')
  const byKey = await namedTasks(ctx, matching)
  const keys = new Set(byKey.map(({ task_id }) => task_id))
  const others = found.slice(0, MOST_HITS).filter(({ task_id }) => !keys.has(task_id))
  return [...byKey, ...others.map((hit) => ({ ...hit, isNamed: false }))]
}

const before = (upto: number | undefined) =>
  upto === undefined ? undefined : lte(tasks.task_id, upto)

function warn(ctx: Context, named: string, found: number, floor: number | undefined): void {
  if (found > MOST_HITS)
    ctx.warn(
      named,
      'too_many',
      `More than ${MOST_HITS} tasks fit; these are from the newest ${MOST_HITS}. Add words or filters`,
    )
  else if (floor !== undefined)
    ctx.warn(
      named,
      'too_many',
      `More than ${MOST_LOOKED} tasks hold these words; the newest ${MOST_LOOKED} were looked at. Add words or name a board`,
    )
}

interface Look {
  question: string
  /** The oldest task that is looked at. */
  floor: number | undefined
}

/**
 * The last word may be half typed. Where very many tasks hold just what was typed it is taken as
 * whole: to gather what all words hold that begin with a common one takes long, and helps nobody.
 */
async function settled(tx: Tx, query: Query): Promise<Query> {
  const words: Term[][] = []
  for (const any of query.words) {
    const terms: Term[] = []
    for (const term of any)
      terms.push((await isCommon(tx, term)) ? { ...term, prefix: false } : term)
    words.push(terms)
  }
  return { ...query, words }
}

async function isCommon(tx: Tx, { words, prefix, text }: Term): Promise<boolean> {
  if (!prefix || text.endsWith('*')) return false
  const question = questionOf({ places: [], all: [[{ words, prefix: false }]], none: [] })
  return (await floorOf(tx, question, MOST_LOOKED)) !== undefined
}

/**
 * What the caller cannot see is left out by `where` in any case; but it should not take the place of
 * what they can. Where a team's words are few, its place only makes looking for them slower.
 */
async function whereToLook(ctx: Context, matching: Matching): Promise<Look | undefined> {
  const { upto, scope, statuses } = matching
  const boards = await boardsOf(ctx, matching)
  if (boards?.length === 0 || !statuses.length) return undefined
  const { words: all, without: none } = await settled(ctx.tx, matching.query)
  const ask = async (places: readonly string[], isBounded = true): Promise<Look> => {
    const question = questionOf({ places, all, none })
    const floor = isBounded ? await floorOf(ctx.tx, question, MOST_LOOKED, upto) : undefined
    return { question, floor }
  }
  const { isNarrow } = matching
  if (boards)
    return ask(
      statuses.flatMap((one) => boards.map((id) => onBoard(id, one))),
      isNarrow,
    )
  const anywhere = all.length ? await ask([]) : undefined
  if (anywhere && anywhere.floor === undefined) return anywhere
  return ask(statuses.flatMap((one) => scope.teams.map((id) => inTeam(id, one))))
}

/** The boards that are looked at, where they can be named. */
async function boardsOf(ctx: Context, { scope, boards }: Matching): Promise<number[] | undefined> {
  if (scope.project_id !== undefined) return [scope.project_id]
  if (boards) return boards
  const seen = await ctx.tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(visibleProjects(ctx), eq(projects.status, 'Normal')))
    .limit(FEW_BOARDS + 1)
  return seen.length > FEW_BOARDS ? undefined : seen.map(({ project_id }) => project_id)
}

/** The tasks that have this key, or had it before they moved. */
async function namedTasks(ctx: Context, { query, scope, where, upto }: Matching): Promise<Hit[]> {
  const [any, ...more] = query.words
  const only = any?.length === 1 && !more.length ? any[0]! : undefined
  if (!only?.place) return []
  const key = only.text.toUpperCase()
  const teams = [...scope.teams]
  const former = await ctx.tx
    .select({ task_id: formerTickets.task_id })
    .from(formerTickets)
    .where(and(inArray(formerTickets.team_id, teams), eq(formerTickets.ticket_number, key)))
  const present = await ctx.tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(and(inArray(tasks.team_id, teams), eq(tasks.ticket_number, key)))
  const ids = [...present, ...former].map(({ task_id }) => task_id)
  if (!ids.length) return []
  const found = await ctx.tx
    .select({ task_id: tasks.task_id, title: tasks.title })
    .from(tasks)
    .where(and(inArray(tasks.task_id, ids), where, before(upto)))
  return found.map((hit) => ({ ...hit, isNamed: true }))
}
