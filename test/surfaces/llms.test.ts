import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, toArray } from '../../src/kernel/operation.ts'
import { openManual } from '../../src/manual/index.ts'
import { INSTRUCTIONS } from '../../src/surfaces/mcp/names.ts'
import { connectionGuide } from '../../src/surfaces/system/connection-guide.ts'

const operations: readonly AnyOperation[] = catalog
/** Routes that respond with a stream and therefore are no operations. */
const STREAMS = [
  ...['POST /api/chat', 'GET /api/chat/threads/:thread_id/stream'],
  ...['confirm', 'retry'].map((name) => `POST /api/chat/threads/:thread_id/${name}`),
]
const routes = [...operations.flatMap(({ on }) => toArray(on.rest)), ...STREAMS].map((route) =>
  route.split(' '),
)
const actions = new Set(operations.flatMap(({ on }) => toArray(on.mcp)) as string[])
/** Words that follow the name of a tool in a sentence and are not actions. */
const NO_ACTION = /^(and|says?|is|has|with|tells?)$/

/** Matches any value in place of a path parameter. */
const isRoute = (method: string, path: string) =>
  routes.some(
    ([knownMethod, pattern]) =>
      knownMethod === method &&
      new RegExp(`^${pattern!.replace(/:\w+/g, '[^/]+')}$`).test(path.replace(/\?.*$/, '')),
  )

function unknownIn(text: string): string[] {
  const routeMentions = [
    ...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (?:http:\/\/x)?(\/api\/[^\s`"|]*)/g),
  ]
  const unknownRoutes = routeMentions.filter(
    ([, method, path]) => !isRoute(method!, path!.replace(/[.,:;)]+$/, '')),
  )
  const actionMentions = [...text.matchAll(/\b(svc_[a-z_]+)`? ([a-z_]+)\b/g)]
  const unknownActions = actionMentions.filter(
    ([, tool, word]) => !NO_ACTION.test(word!) && !actions.has(`${tool}.${word}`),
  )
  return [...unknownRoutes, ...unknownActions].map(([match]) => match)
}

test('the connection guide and the MCP instructions name only existing routes and actions', async () => {
  const invalidText = 'GET /api/v1/nothing, PUT /api/v1/tasks, svc_tasks juggle'
  expect(unknownIn(invalidText)).toHaveLength(3)
  expect(unknownIn('POST /api/v1/tasks. svc_tasks get says')).toEqual([])
  const guide = connectionGuide('http://x')
  expect(guide).toContain('POST http://x/api/mcp/tasks/lease/claim')
  expect(unknownIn(guide)).toEqual([])
  expect(unknownIn(INSTRUCTIONS)).toEqual([])
})

/** The sections about other products may name their routes. */
const withoutProducts = (text: string) => text.replace(/^## Products$[\s\S]*/m, '')

test('the manual names only existing routes and actions', () => {
  const { articles } = openManual()
  expect(articles.length).toBeGreaterThan(7)
  for (const { name, text } of articles)
    expect([name, unknownIn(withoutProducts(text))]).toEqual([name, []])
})
