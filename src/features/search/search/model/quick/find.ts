import type { Context, PrepareContext } from '../../../../../kernel/caller.ts'
import type { TitleRef } from '../../../../../kernel/services.ts'
import { readOnlyContext } from '../semantic/search-passages.ts'
import { roundScore } from '../semantic/visible-passages.ts'
import { visibleBoards } from './boards.ts'
import { boardMatches, skillMatches } from './named.ts'
import { personMatches } from './people.ts'
import { parseKinds, QUICK_ROWS, type QuickKind, type QuickMatch } from './schema.ts'
import { pageMatches, taskMatches } from './titles.ts'

export interface QuickRequest {
  query: string
  kinds?: string
  project_id?: number
  limit?: number
}

/** Fetches more than requested: some are done or not visible any more. */
const OVERFETCH = 3

/** The kinds that the caller asks for and may read. */
function readableKinds({ caller: { scopes } }: Pick<Context, 'caller'>, request: QuickRequest) {
  const needs = {
    task: 'tasks:read',
    page: 'pages:read',
    board: 'projects:read',
    person: request.project_id === undefined ? 'teams:read' : 'projects:read',
    skill: 'profile:read',
  } as const satisfies Record<QuickKind, string>
  return new Set([...parseKinds(request.kinds)].filter((kind) => scopes.has(needs[kind])))
}

/** Titles of tasks and pages from the index. It knows no permissions but the list of boards. */
export async function findTitles(ask: PrepareContext, request: QuickRequest): Promise<TitleRef[]> {
  const { query: text, project_id, limit = QUICK_ROWS } = request
  const readable = readableKinds(ask, request)
  const kinds = (['task', 'page'] as const).filter((kind) => readable.has(kind))
  const boards = await ask.read((tx) => visibleBoards(readOnlyContext(ask, tx), project_id))
  if (!kinds.length || !boards.size) return []
  const { searchIndex } = ask.server
  const isIncomplete = () =>
    ask.warn('query', 'index_building', 'Some titles are not indexed yet and may be missing')
  if (searchIndex.isBuilding()) isIncomplete()
  const query = { text, projects: [...boards.keys()], kinds, limit: limit * OVERFETCH }
  return searchIndex.find(query).catch((error) => {
    if (!(error instanceof Error) || error.name !== 'Unready') throw error
    isIncomplete()
    return []
  })
}

/** Matches of all kinds that the caller may see, best first. */
export async function quickMatches(
  ctx: Context,
  request: QuickRequest,
  refs: readonly TitleRef[],
): Promise<QuickMatch[]> {
  const { query, project_id, limit = QUICK_ROWS } = request
  const kinds = readableKinds(ctx, request)
  const boards = await visibleBoards(ctx, project_id)
  const board = project_id === undefined ? undefined : boards.get(project_id)
  const found: Record<QuickKind, () => QuickMatch[] | Promise<QuickMatch[]>> = {
    task: () => taskMatches(ctx, query, boards, refs),
    page: () => pageMatches(ctx, query, boards, refs),
    board: () => boardMatches(ctx, query, boards.values(), limit),
    person: () => personMatches(ctx, query, project_id, limit),
    skill: () => skillMatches(ctx, query, board, limit),
  }
  const groups: QuickMatch[][] = []
  for (const kind of kinds) groups.push((await found[kind]()).sort(byScore).slice(0, limit))
  return mix(groups, limit).map((match) => ({ ...match, score: roundScore(match.score) }))
}

const byScore = (a: QuickMatch, b: QuickMatch) => b.score - a.score

/** The best of all groups. A group gets its share of the rows, however well the others match. */
function mix(groups: readonly QuickMatch[][], limit: number): QuickMatch[] {
  const share = Math.floor(limit / Math.max(1, groups.length))
  const first = groups.flatMap((group) => group.slice(0, share))
  const others = groups.flatMap((group) => group.slice(share)).sort(byScore)
  return [...first, ...others.slice(0, limit - first.length)].sort(byScore)
}
