import type { Context, PrepareContext, Warning } from '../../../../../kernel/caller.ts'
import { missingScope } from '../../../../../kernel/dispatch.ts'
import { Fault } from '../../../../../kernel/fault.ts'
import type { Passage, PassageKind, PassageQuery } from '../../../../../kernel/services.ts'
import {
  parseQuestion,
  type Query as SearchQuery,
  type Term,
} from '../../../../../search/query/query.ts'
import { placesOf } from '../../../../../search/query/snippet.ts'
import { tokensOf, wordsOf } from '../../../../../search/words/words.ts'
import { OPERATOR_NAMES, questionConditions } from '../../../filters/model/index.ts'
import { boardsOf } from './boards.ts'
import { type IndexFilters, indexFiltersOf } from './filters.ts'
import { KINDS, type MetadataFilters, ROWS } from './schema.ts'

/** Passages from the search index. It lags behind and knows no permissions, so check them again. */
export interface IndexResult {
  passages: Passage[]
  /** The words of the question, without operators. */
  words: string
  warnings: Warning[]
}

export interface IndexRequest {
  text: string
  /** The text is a query, so operators in it narrow the search. */
  isQuery?: boolean
  project_id?: number | undefined
  metadata_filters?: MetadataFilters | undefined
  limit?: number | undefined
  offset?: number | undefined
  /** A task whose own texts are excluded. */
  beside?: number | undefined
  /** Scores say how similar a passage is, from 0 to 1. */
  isComparable?: boolean
}

/** Fetches more passages than requested: some are deleted or not visible, or of the same task. */
const OVERFETCH = 3
const MAX_PASSAGES = 200

/** Searches the passages on boards that the caller can see. Warnings name `field`. */
export async function searchPassages(
  ask: PrepareContext,
  request: IndexRequest,
  field: string,
): Promise<IndexResult> {
  const { searchIndex: index } = ask.server
  const warnings: Warning[] = []
  const { query, words } = request.isQuery
    ? parseQuestion(request.text, OPERATOR_NAMES, field)
    : { query: undefined, words: request.text }
  const { kinds, ...filters } = await resolveFilters(ask, request, query, field, warnings)
  if (!wordsOf(words, 1).length)
    warnings.push({ field, code: 'required', message: `${field} has no search terms` })
  if (index.isBuilding())
    warnings.push({
      field,
      code: 'index_building',
      message: 'Some texts are not indexed yet and are missing from the results',
    })
  const { limit = ROWS, offset = 0, beside } = request
  const without = query?.without ?? []
  const isImpossible = [kinds, filters.projects, filters.tasks, filters.authors].some(
    (list) => list?.length === 0,
  )
  if (isImpossible) return { passages: [], words, warnings }
  const question: PassageQuery = {
    text: words,
    ...filters,
    ...(without.length && { without: without.flatMap((term) => term.words) }),
    ...(kinds.length < KINDS.length && { kinds }),
    ...(beside !== undefined && { beside }),
    ...(request.isComparable && { isComparable: true }),
    limit: Math.min(MAX_PASSAGES, (offset + limit) * OVERFETCH + 20),
  }
  const found = await index.search(question).catch(unavailable)
  return { passages: found.filter((passage) => !containsAny(passage, without)), words, warnings }
}

const containsAny = ({ text, headings }: Passage, terms: readonly Term[]): boolean =>
  terms.length > 0 && placesOf(tokensOf([...headings, text].join('\n')), terms).length > 0

export function unavailable(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'Unready') throw error
  throw new Fault(
    'unavailable',
    'The search index is temporarily unavailable',
    { retry_after: 2 },
    'Try again in a few seconds, or search by words: svc_search tasks',
  )
}

type ResolvedFilters = IndexFilters & { projects: number[]; kinds: PassageKind[] }

const resolveFilters = (
  ask: PrepareContext,
  request: IndexRequest,
  query: SearchQuery | undefined,
  field: string,
  warnings: Warning[],
): Promise<ResolvedFilters> =>
  ask.read(async (tx) => {
    const ctx = readOnlyContext(ask, tx, warnings)
    const { project_id, metadata_filters = {} } = request
    const projects = await boardsOf(ctx, project_id)
    const kinds = readableKinds(ctx, metadata_filters.kind)
    const operators = query ? await questionConditions(ctx, project_id, query, field) : []
    const filters = await indexFiltersOf(ctx, project_id, metadata_filters, operators)
    return { projects, kinds, ...filters }
  })

/** A read-only context for `prepare`, before the transaction that builds the response. */
export const readOnlyContext = (
  ask: PrepareContext,
  tx: Context['tx'],
  warnings: Warning[] = [],
): Context => ({
  ...ask,
  tx,
  needs: 'tasks:read',
  emit: () => {
    throw new Error('A read-only context cannot emit events')
  },
  warn: (field, code, message) => void warnings.push({ field, code, message }),
  afterRead: () => {},
  afterCommit: () => {},
  resolve: () => {
    throw new Error('A read-only context cannot convert texts')
  },
  attempt: () => {
    throw new Error('A read-only context has nothing to undo')
  },
})

/** The requested kinds that the caller may read. Pages need the scope `pages:read`. */
function readableKinds({ caller }: Context, requested: MetadataFilters['kind']): PassageKind[] {
  const kinds = requested === undefined ? [...KINDS] : [requested].flat()
  const readable = kinds.filter((kind) => kind !== 'page' || caller.scopes.has('pages:read'))
  if (kinds.length && !readable.length) throw missingScope('pages:read')
  return [...new Set(readable)]
}

export function addWarnings({ warn }: Context, { warnings }: IndexResult): void {
  for (const { field, code, message } of warnings) warn(field, code, message)
}
