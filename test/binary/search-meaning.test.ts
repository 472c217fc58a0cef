import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cork } from './cork.ts'
import { type House, openHouse } from './house.ts'

/** Semantic search of the built executable over REST, MCP and the command line. */
let house: House
let secret: string
const ROPE = 'The mooring rope wears out after two winters.'

beforeAll(async () => {
  house = await openHouse()
  const { task_id } = await house.create({ title: 'Boats', description: '<p>Paint the hull.</p>' })
  await house.create({ title: 'Order mooring ropes' })
  const content = `# Mooring\n\n${ROPE}`
  const body = { title: 'Handbook', content }
  const { status } = await house.http('POST', `/api/v1/tasks/${task_id}/pages`, { body })
  expect(status).toBe(201)
  const board = { team_id: house.team_id, title: 'Elsewhere', sections: [{ title: 'Now' }] }
  const { project_id } = (await house.http('POST', '/api/v1/projects', { body: board })).body.data
  const { token } = await house.agent({ name: 'Stranger', project_ids: [project_id] })
  secret = token
  await found(() => get('/api/v1/pages/search?query=mooring'))
}, 60_000)
afterAll(() => house.close())

/** Retries until something is found: a write may take a second to reach the index. */
async function found<T>(ask: () => Promise<T[]>): Promise<T[]> {
  const until = performance.now() + 1000
  for (;;) {
    const rows = await ask()
    if (rows.length || performance.now() > until) return rows
    await Bun.sleep(25)
  }
}

const get = async (path: string, as?: string) =>
  (await house.http('GET', path, { ...(as && { secret: as }) })).body.data

interface Passage {
  text: string
  source: { kind: string; ticket_number: string; headings: string[]; url: string }
}

test('a query returns the passage and its source, the same over REST and MCP', async () => {
  const path = '/api/v1/search/semantic?query=how%20long%20do%20ropes%20last'
  const [best] = await found<Passage>(() =>
    get(`${path}&metadata_filters=${encodeURIComponent('{"kind":"page"}')}`),
  )
  expect(best).toMatchObject({ text: ROPE, source: { kind: 'page', headings: ['Mooring'] } })
  const answer = await house.tool('svc_search', {
    action: 'semantic',
    limit: 5,
    input: { query: 'how long do ropes last', metadata_filters: { kind: 'page' } },
  })
  const [told] = JSON.parse(answer.content[0].text).data
  expect(told).toMatchObject({ text: ROPE, source: { kind: 'page', url: best!.source.url } })
})

test('related tasks are found, and pages by their words, also with the old tool', async () => {
  const keys = async (path: string) =>
    ((await get(path)) as { ticket_number: string }[]).map((one) => one.ticket_number)
  const near = await found(() => keys('/api/v1/tasks/HOM-2/related'))
  expect(near).toEqual(['HOM-1'])
  expect(await keys('/api/v1/search/related?text=mooring+ropes')).toContain('HOM-2')
  expect(await keys('/api/v1/pages/search?query=mooring')).toEqual(['HOM-1'])
  const older = await house.tool('search_pages', { query: 'mooring', limit: 1 })
  expect(JSON.parse(older.content[0].text).data).toEqual([
    expect.objectContaining({ title: 'Handbook', snippet: expect.stringContaining('**mooring**') }),
  ])
})

test('the command line finds the same and refuses an unknown metadata filter', async () => {
  const env = { CORK_URL: house.url, CORK_TOKEN: house.key }
  const run = async (...args: string[]) =>
    JSON.parse((await cork([...args, '--json'], { env })).out)
  expect((await run('search', 'semantic', 'when do ropes wear out'))[0].text).toBe(ROPE)
  expect((await run('search', 'related', 'HOM-2'))[0].ticket_number).toBe('HOM-1')
  expect((await run('pages', 'search', 'rope', '--limit', '1'))[0].title).toBe('Handbook')
  const wrong = await cork(['search', 'semantic', 'rope', '--metadata-filters', '{"hue":1}'], {
    env,
  })
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('hue')])
})

test('an agent limited to another board finds nothing on this one', async () => {
  for (const path of ['search/semantic', 'pages/search'])
    expect(await get(`/api/v1/${path}?query=rope`, secret)).toEqual([])
})
