import { type TSchema, Type as t } from '@sinclair/typebox'
import { briefly } from '../../content/index.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import type { Term } from '../../search/query.ts'
import { snippetOf } from '../../search/snippet.ts'
import { tokensOf, wordsOf } from '../../search/words.ts'
import { among } from '../../store/fulltext.ts'
import { PageRow, shownPages, pages as table } from '../pages/index.ts'
import { ProjectId } from '../projects/index.ts'
import { Limit, Offset, Query, ROWS } from './semantic/schema.ts'
import { passOn, sought } from './semantic/seeking.ts'
import { rounded, type Seen, stillSeen } from './semantic/shown.ts'

const found = {
  score: t.Number(),
  snippet: t.String({ description: 'The passage that fits best, found words between **' }),
} satisfies Record<string, TSchema>
const FoundPage = t.Object(
  { ...PageRow.properties, ...found },
  { columns: [...PageRow.columns, 'snippet'], omits: PageRow.omits },
)

/** A page has several passages, of which the best one counts. */
const PASSAGES = 4

export const pages = operation({
  name: 'pages.search',
  summary: 'Pages that answer a question or hold words, the best first',
  needs: 'pages:read',
  on: {
    rest: ['GET /api/v1/pages/search', 'GET /api/v1/search/pages'],
    mcp: ['svc_pages.search', 'search_pages'],
    cli: 'pages search <query>',
    chat: true,
  },
  input: t.Object({
    query: Query,
    project_id: t.Optional(ProjectId),
    limit: Limit,
    offset: Offset,
  }),
  output: t.Array(FoundPage),
  lags: true,
  async prepare({ query, project_id, limit = ROWS, offset = 0 }, ask) {
    if (!query.trim())
      throw fault.invalid('query', 'required', 'query holds nothing to look for', query)
    const wanted = { text: query, project_id, limit: (offset + limit) * PASSAGES }
    return sought(ask, { ...wanted, metadata_filters: { kind: 'page' } }, 'query')
  },
  async run({ query, project_id, limit = ROWS, offset = 0 }, ctx, prepared) {
    passOn(ctx, prepared)
    const seen = await stillSeen(ctx, prepared.passages, project_id)
    const best = bestOf(seen, query).slice(offset, offset + limit)
    const ids = best.map(({ passage }) => passage.id)
    const rows = await ctx.tx.select().from(table).where(among(table.page_id, ids))
    const shown = new Map((await shownPages(ctx, rows)).map((row) => [row.page_id, row]))
    const terms = termsIn(query)
    return best.map((one) => ({
      ...shown.get(one.passage.id)!,
      score: rounded(one.passage.score),
      snippet: snippetFor(one, terms),
    }))
  },
})

/** One passage of each page; a page that is called what was asked for comes first. */
function bestOf(seen: readonly Seen[], query: string): Seen[] {
  const best = new Map<number, Seen>()
  for (const one of seen) if (!best.has(one.passage.id)) best.set(one.passage.id, one)
  const name = nameOf(query)
  const isNamed = ({ title }: Seen) => (nameOf(title) === name ? 1 : 0)
  return [...best.values()].sort((a, b) => isNamed(b) - isNamed(a))
}

const nameOf = (text: string) => wordsOf(text).join(' ')

const MOST_TERMS = 40

/** Each word by itself: they may stand anywhere. */
const termsIn = (query: string): Term[] =>
  tokensOf(query, MOST_TERMS).map(({ word, start, end }) => ({
    words: [word],
    prefix: false,
    text: query.slice(start, end),
  }))

function snippetFor({ passage, title }: Seen, terms: readonly Term[]): string {
  const text = passage.text || title
  const marked = snippetOf(text, terms)
  // What fits by its meaning alone may hold none of the words.
  return marked ?? briefly(text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('*', ''))
}
