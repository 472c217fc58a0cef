import { type Static, Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'

const ROWS = 4

const HelpSection = t.Object({
  article: t.String({ description: 'Title of the article' }),
  heading: t.String({ description: 'Heading of the section, including parent headings' }),
  text: t.String({ description: 'Text of the section, as markdown' }),
  url: t.String(),
  score: t.Number({ description: 'Relevance' }),
})
type HelpSection = Static<typeof HelpSection>

export const help = operation({
  name: 'search.help',
  summary: 'Search the Corkboard manual; best matching sections first',
  needs: 'profile:read',
  dependsOn: [],
  on: {
    rest: 'GET /api/v1/search/help',
    mcp: 'svc_search.help',
    cli: { usage: 'search help <query>', example: "'how do I make a backup'" },
    chat: true,
  },
  input: t.Object({
    query: t.String({ minLength: 1, maxLength: 2000, description: 'Question or words' }),
    limit: t.Optional(
      t.Integer({ minimum: 1, description: `Sections; default ${ROWS}, at most 50` }),
    ),
    offset: t.Optional(t.Integer({ minimum: 0, maximum: 1e9, description: 'Sections to skip' })),
  }),
  output: t.Array(HelpSection),
  async prepare({ query, limit = ROWS, offset = 0 }, { server }) {
    // The manual and its index are loaded on first use.
    const { openManual } = await import('../../../../manual/index.ts')
    const { find, addressOf, linked } = openManual()
    const found = (await find(query, offset + limit)).slice(offset)
    return found.map(
      ({ article, section, score }): HelpSection => ({
        article: article.title,
        heading: section.headings.join(' › '),
        text: linked(section.text),
        url: server.url + addressOf(article.name, section.anchor),
        score,
      }),
    )
  },
  async run(_, ctx, sections) {
    if (!sections.length) ctx.warn('query', 'not_found', 'No match in the manual; try other words')
    return sections
  },
})
