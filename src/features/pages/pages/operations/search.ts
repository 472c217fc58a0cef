import { type TSchema, Type as t } from '@sinclair/typebox'
import { truncate } from '../../../../content/index.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import type { Term } from '../../../../search/query/query.ts'
import { snippetOf } from '../../../../search/query/snippet.ts'
import { tokensOf, wordsOf } from '../../../../search/words/words.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import {
  addWarnings,
  Limit,
  Offset,
  Query,
  ROWS,
  roundScore,
  searchPassages,
  type VisiblePassage,
  visiblePassages,
} from '../../../search/search/model/index.ts'
import { PageRow, pages as table, toPageRows } from '../model/index.ts'

const matchFields = {
  score: t.Number(),
  snippet: t.String({ description: 'Best matching passage, with matches between **' }),
} satisfies Record<string, TSchema>
const FoundPage = t.Object(
  { ...PageRow.properties, ...matchFields },
  { columns: [...PageRow.columns, 'snippet'], omits: PageRow.omits },
)

/** Passages to fetch per requested page: a page has several, of which the best one counts. */
const PASSAGES = 4

export const pages = operation({
  name: 'pages.search',
  summary: 'Search pages by question or words, best match first',
  needs: 'pages:read',
  // The index lags behind the changes.
  dependsOn: [],
  on: {
    rest: ['GET /api/v1/pages/search', 'GET /api/v1/search/pages'],
    mcp: ['svc_pages.search', 'search_pages'],
    cli: { usage: 'pages search <query>', example: "'which colour'" },
    chat: true,
  },
  input: t.Object({
    query: Query,
    project_id: t.Optional(ProjectId),
    limit: Limit,
    offset: Offset,
  }),
  output: t.Array(FoundPage),
  uncached: true,
  async prepare({ query, project_id, limit = ROWS, offset = 0 }, ask) {
    if (!query.trim()) throw fault.invalid('query', 'required', 'query has no search terms', query)
    const request = { text: query, isQuery: true, project_id, limit: (offset + limit) * PASSAGES }
    return searchPassages(ask, { ...request, metadata_filters: { kind: 'page' } }, 'query')
  },
  async run({ project_id, limit = ROWS, offset = 0 }, ctx, prepared) {
    addWarnings(ctx, prepared)
    const visible = await visiblePassages(ctx, prepared.passages, project_id)
    const best = bestPerPage(visible, prepared.words).slice(offset, offset + limit)
    const ids = best.map(({ passage }) => passage.id)
    const rows = await ctx.tx.select().from(table).where(isOneOf(table.page_id, ids))
    const rowsById = new Map((await toPageRows(ctx, rows)).map((row) => [row.page_id, row]))
    const terms = separateTerms(prepared.words)
    return best.map((match) => ({
      ...rowsById.get(match.passage.id)!,
      score: roundScore(match.passage.score),
      snippet: snippetFor(match, terms),
    }))
  },
})

/** The best passage of each page. A page whose title equals the query comes first. */
function bestPerPage(visible: readonly VisiblePassage[], query: string): VisiblePassage[] {
  const best = new Map<number, VisiblePassage>()
  for (const match of visible) if (!best.has(match.passage.id)) best.set(match.passage.id, match)
  const name = normalizedName(query)
  const isNamed = ({ title }: VisiblePassage) => (normalizedName(title) === name ? 1 : 0)
  return [...best.values()].sort((a, b) => isNamed(b) - isNamed(a))
}

const normalizedName = (text: string) => wordsOf(text).join(' ')

const MAX_TERMS = 40

/** Each word of a query as a separate term. */
const separateTerms = (query: string): Term[] =>
  tokensOf(query, MAX_TERMS).map(({ word, start, end }) => ({
    words: [word],
    prefix: false,
    text: query.slice(start, end),
  }))

function snippetFor({ passage, title }: VisiblePassage, terms: readonly Term[]): string {
  const text = passage.text || title
  const highlighted = snippetOf(text, terms)
  // A passage found by meaning alone may contain none of the words.
  return highlighted ?? truncate(text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('*', ''))
}
