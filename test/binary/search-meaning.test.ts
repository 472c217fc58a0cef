import { afterAll, beforeAll, expect, test } from 'bun:test'
import { waitUntil } from '../support/wait.ts'
import { type BoardServer, startBoardServer } from './board-server.ts'
import { cork } from './cork.ts'

/** Semantic search of the built executable over REST, MCP and the command line. */
let server: BoardServer
let strangerToken: string
const ROPE = 'The mooring rope wears out after two winters.'

beforeAll(async () => {
  server = await startBoardServer()
  const { task_id } = await server.createTask({
    title: 'Boats',
    description: '<p>Paint the hull.</p>',
  })
  await server.createTask({ title: 'Order mooring ropes' })
  const content = `# Mooring\n\n${ROPE}`
  const body = { title: 'Handbook', content }
  const { status } = await server.http('POST', `/api/v1/tasks/${task_id}/pages`, { body })
  expect(status).toBe(201)
  const board = { team_id: server.team_id, title: 'Elsewhere', sections: [{ title: 'Now' }] }
  const { project_id } = (await server.http('POST', '/api/v1/projects', { body: board })).body.data
  const { token } = await server.createAgent({ name: 'Stranger', project_ids: [project_id] })
  strangerToken = token
  await retryUntilFound(() => get('/api/v1/pages/search?query=mooring'))
})
afterAll(() => server.close())

/** Retries until something is found: a write may take a second to reach the index. */
const retryUntilFound = <T>(query: () => Promise<T[]>): Promise<T[]> =>
  waitUntil(async () => {
    const rows = await query()
    return rows.length > 0 && rows
  })

const get = async (path: string, token?: string) =>
  (await server.http('GET', path, { ...(token && { secret: token }) })).body.data

interface Passage {
  text: string
  source: { kind: string; ticket_number: string; headings: string[]; url: string }
}

test('a query returns the passage and its source, the same over REST and MCP', async () => {
  const path = '/api/v1/search/semantic?query=how%20long%20do%20ropes%20last'
  const [best] = await retryUntilFound<Passage>(() =>
    get(`${path}&metadata_filters=${encodeURIComponent('{"kind":"page"}')}`),
  )
  expect(best).toMatchObject({ text: ROPE, source: { kind: 'page', headings: ['Mooring'] } })
  const response = await server.callTool('svc_search', {
    action: 'semantic',
    limit: 5,
    input: { query: 'how long do ropes last', metadata_filters: { kind: 'page' } },
  })
  const [passage] = JSON.parse(response.content[0].text).data
  expect(passage).toMatchObject({ text: ROPE, source: { kind: 'page', url: best!.source.url } })
})

test('related tasks are found, and pages by their words, also with the old tool', async () => {
  const keys = async (path: string) =>
    ((await get(path)) as { ticket_number: string }[]).map((one) => one.ticket_number)
  const related = await retryUntilFound(() => keys('/api/v1/tasks/HOM-2/related'))
  expect(related).toEqual(['HOM-1'])
  expect(await keys('/api/v1/search/related?text=mooring+ropes')).toContain('HOM-2')
  expect(await keys('/api/v1/pages/search?query=mooring')).toEqual(['HOM-1'])
  const result = await server.callTool('search_pages', { query: 'mooring', limit: 1 })
  expect(JSON.parse(result.content[0].text).data).toEqual([
    expect.objectContaining({ title: 'Handbook', snippet: expect.stringContaining('**mooring**') }),
  ])
})

test('the command line finds the same and refuses an unknown metadata filter', async () => {
  const env = { CORK_URL: server.url, CORK_TOKEN: server.apiKey }
  const run = async (...args: string[]) =>
    JSON.parse((await cork([...args, '--json'], { env })).out)
  expect((await run('search', 'semantic', 'when do ropes wear out'))[0].text).toBe(ROPE)
  expect((await run('search', 'related', 'HOM-2'))[0].ticket_number).toBe('HOM-1')
  expect((await run('pages', 'search', 'rope', '--limit', '1'))[0].title).toBe('Handbook')
  const result = await cork(['search', 'semantic', 'rope', '--metadata-filters', '{"hue":1}'], {
    env,
  })
  expect([result.code, result.err]).toEqual([1, expect.stringContaining('hue')])
})

test('an agent limited to another board finds nothing on this one', async () => {
  for (const path of ['search/semantic', 'pages/search'])
    expect(await get(`/api/v1/${path}?query=rope`, strangerToken)).toEqual([])
})
