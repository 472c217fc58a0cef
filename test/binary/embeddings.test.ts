import { afterAll, afterEach, expect, test } from 'bun:test'
import { embeddingsServer, errorResponse } from '../support/embeddings.ts'
import {
  cleanUp,
  cork,
  createFolder,
  initDataFolder,
  type RunningServer,
  sendRequest,
  startServer,
} from './cork.ts'

afterAll(cleanUp)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
})

function startEndpoint(options: Parameters<typeof embeddingsServer>[0] = {}) {
  const endpoint = embeddingsServer(options)
  cleanups.push(endpoint.stop)
  return endpoint
}

const settings = ({ baseUrl }: { baseUrl: string }, extraEnv: Record<string, string> = {}) => ({
  CORK_EMBEDDINGS_BASE_URL: baseUrl,
  CORK_EMBEDDINGS_MODEL: 'tiny',
  ...extraEnv,
})

/** A board with pages to search, on a server that can be restarted with other settings. */
async function startBoard(env: Record<string, string>) {
  const { data, api_key, team_id } = await initDataFolder()
  let server: RunningServer | undefined
  const end = async (signal?: NodeJS.Signals) => {
    const stopped = server
    server = undefined
    await stopped?.end(signal)
    return stopped ? stopped.err() : ''
  }
  cleanups.push(() => end())
  const request = async (method: string, path: string, body?: unknown) => {
    const response = await sendRequest(server!.url, api_key, method, path, body)
    if (response.status > 299) throw new Error(JSON.stringify(response.body))
    return response.body.data
  }
  const start = async (extraEnv: Record<string, string>) => {
    server = await startServer(data, { env: { CORK_LOG_LEVEL: 'info', ...extraEnv } })
  }
  await start(env)
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const { project_id } = await request('POST', '/api/v1/projects', {
    team_id,
    title: 'H',
    sections,
  })
  const { task_id } = await request('POST', '/api/v1/tasks', { project_id, title: 'Notes' })
  const search = async (query: string): Promise<string[]> => {
    const path = `/api/v1/search/semantic?query=${encodeURIComponent(query)}`
    const passages = await request('GET', path)
    return passages.map((one: { source: { title: string } }) => one.source.title)
  }
  return {
    end,
    start,
    search,
    createPage: (title: string, content: string) =>
      request('POST', `/api/v1/tasks/${task_id}/pages`, { title, content }),
    /** Resolves once that page is the first result of the query. */
    async waitUntilFound(query: string, title: string) {
      let titles: string[] = []
      for (let attempt = 0; attempt < 150; attempt++) {
        titles = await search(query)
        if (titles[0] === title) return
        await Bun.sleep(100)
      }
      throw new Error(`${query} finds ${titles.join(', ') || 'nothing'}`)
    },
  }
}

const PAGES: [string, string][] = [
  ['Garage', 'The automobile needs new brakes before it goes out again.'],
  ['Books', 'Each invoice waits for its payment until the month is over.'],
  ['Kitchen', 'Let the dough rest for a night; the loaf keeps its shape then.'],
]

test('a query that shares no word with a page finds it, and the API key is never logged', async () => {
  const endpoint = startEndpoint({ key: 'sk-tiny' })
  const { createPage, waitUntilFound, search, end } = await startBoard(
    settings(endpoint, { CORK_EMBEDDINGS_API_KEY: 'sk-tiny' }),
  )
  for (const [title, content] of PAGES) await createPage(title, content)
  await waitUntilFound('Which vehicle?', 'Garage')
  await waitUntilFound('When do salary wages come?', 'Books')
  await waitUntilFound('bakery', 'Kitchen')
  // A page that both rankings put first stays first.
  expect((await search('brakes of the automobile'))[0]).toBe('Garage')
  expect(await end()).not.toContain('sk-tiny')
  expect(new Set(endpoint.requests.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer sk-tiny']),
  )
})

test('without embeddings settings no request is sent, and search by words works', async () => {
  const endpoint = startEndpoint()
  const { createPage, waitUntilFound, search } = await startBoard({})
  for (const [title, content] of PAGES) await createPage(title, content)
  await waitUntilFound('dough', 'Kitchen')
  expect(await search('Which vehicle?')).not.toContain('Garage')
  expect(endpoint.requests).toEqual([])
})

test('search by words works while the endpoint is down, and vectors follow when it is back', async () => {
  const first = startEndpoint()
  const { port } = first
  const { createPage, waitUntilFound, search, end } = await startBoard(settings(first))
  await createPage(...PAGES[0]!)
  await waitUntilFound('vehicle', 'Garage')
  await first.stop()
  await createPage(...PAGES[1]!)
  await waitUntilFound('invoice', 'Books')
  const startedAt = performance.now()
  expect(await search('salary')).not.toContain('Books')
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  const second = startEndpoint({ port })
  await waitUntilFound('wages', 'Books')
  await waitUntilFound('driving', 'Garage')
  // A text that has its vector is not sent again.
  expect(second.embeddedTexts.filter((text) => text.includes('brakes'))).toEqual([])
  const log = await end()
  expect(log.match(/embeddings endpoint cannot be reached/g)).toHaveLength(1)
  expect(log).toContain('the embeddings endpoint responds again')
})

test('an endpoint that hangs delays a search only briefly', async () => {
  const endpoint = startEndpoint()
  const { createPage, waitUntilFound, search } = await startBoard(settings(endpoint))
  await createPage(...PAGES[2]!)
  await waitUntilFound('bakery', 'Kitchen')
  endpoint.fail(() => new Promise<Response>(() => {}))
  const startedAt = performance.now()
  expect(await search('rest for a night')).toContain('Kitchen')
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

test('vectors survive a restart, and another model computes them again', async () => {
  const endpoint = startEndpoint()
  const { createPage, waitUntilFound, start, end } = await startBoard(settings(endpoint))
  for (const [title, content] of PAGES) await createPage(title, content)
  await waitUntilFound('vehicle', 'Garage')
  await waitUntilFound('salary', 'Books')
  await waitUntilFound('bakery', 'Kitchen')
  await end()
  const before = endpoint.embeddedTexts.length
  await start(settings(endpoint))
  await waitUntilFound('wages', 'Books')
  expect(endpoint.embeddedTexts.slice(before)).toEqual(['wages'])
  await end()
  endpoint.options.size = 20
  endpoint.options.models = ['larger']
  await start(settings(endpoint, { CORK_EMBEDDINGS_MODEL: 'larger' }))
  await waitUntilFound('wages', 'Books')
  const largerInputs = endpoint.requests
    .filter(({ model }) => model === 'larger')
    .flatMap((one) => one.input)
  for (const [, content] of PAGES)
    expect(largerInputs.filter((text) => text.includes(content))).toHaveLength(1)
})

test('a server killed while it requests vectors continues and requests none twice', async () => {
  const endpoint = startEndpoint()
  const { createPage, waitUntilFound, start, end } = await startBoard(settings(endpoint))
  await createPage(...PAGES[0]!)
  await waitUntilFound('vehicle', 'Garage')
  endpoint.fail(() => new Promise<Response>(() => {}))
  for (const [title, content] of PAGES.slice(1)) await createPage(title, content)
  await waitUntilFound('invoice', 'Books')
  await end('SIGKILL')
  endpoint.fail(undefined)
  await start(settings(endpoint))
  await waitUntilFound('salary', 'Books')
  await waitUntilFound('bakery', 'Kitchen')
  await waitUntilFound('driving', 'Garage')
  for (const [, content] of PAGES)
    expect(endpoint.embeddedTexts.filter((text) => text.includes(content))).toHaveLength(1)
})

test('a refused API key is logged once with what to correct, and never shown', async () => {
  const endpoint = startEndpoint({ key: 'right' })
  const { createPage, waitUntilFound, end } = await startBoard(
    settings(endpoint, { CORK_EMBEDDINGS_API_KEY: 'sk-wrong-one' }),
  )
  await createPage(...PAGES[0]!)
  await waitUntilFound('brakes', 'Garage')
  await Bun.sleep(500)
  expect(endpoint.requests).toHaveLength(1)
  const log = await end()
  expect(log.match(/refuses the key: correct CORK_EMBEDDINGS_API_KEY/g)).toHaveLength(1)
  expect(log).not.toContain('sk-wrong-one')
})

test('passages are found by meaning although the endpoint often fails', async () => {
  const endpoint = startEndpoint({ maxTexts: 5 })
  let requestCount = 0
  endpoint.fail(() => {
    requestCount++
    if (requestCount % 6 === 0) return errorResponse(500, 'oops')
    if (requestCount % 4 === 0) return errorResponse(429, 'slow down', { 'retry-after': '0.1' })
    return requestCount % 7 === 0 ? new Response('{"data":[{"emb') : undefined
  })
  const { createPage, waitUntilFound } = await startBoard(settings(endpoint))
  for (let at = 0; at < 12; at++) await createPage(`Page ${at}`, `Plain text, number ${at}`)
  for (const [title, content] of PAGES) await createPage(title, content)
  await waitUntilFound('physician vehicle', 'Garage')
  await waitUntilFound('bakery', 'Kitchen')
})

test('incomplete embeddings settings are refused at start, and cork config masks the key', async () => {
  const data = createFolder()
  const incomplete = await cork(['serve', '--data', data, '--port', '0'], {
    env: { CORK_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:1/v1' },
  })
  expect(incomplete.code).toBe(2)
  expect(incomplete.err).toContain('CORK_EMBEDDINGS_MODEL')
  const invalid = await cork(['config'], { env: { CORK_EMBEDDINGS_BASE_URL: 'https://a:b@c/v1' } })
  expect(invalid.code).toBe(1)
  expect(invalid.err).toContain('CORK_EMBEDDINGS_BASE_URL must be an address like')
  const config = await cork(['config', '--json'], { env: { CORK_EMBEDDINGS_API_KEY: 'sk-none' } })
  expect(config.out).toContain('CORK_EMBEDDINGS_API_KEY')
  expect(config.out).not.toContain('sk-none')
})

test('cork doctor checks the configured endpoint, and sends no request without one', async () => {
  const { data } = await initDataFolder()
  const endpoint = startEndpoint({ key: 'right' })
  const findings = async (env: Record<string, string>) => {
    const { out } = await cork(['doctor', '--json', '--data', data], { env })
    const all: { check: string; state: string; says: string }[] = JSON.parse(out)
    return all.filter(({ check }) => check === 'embeddings')
  }
  expect(await findings({})).toEqual([])
  expect(endpoint.requests).toEqual([])
  expect(await findings(settings(endpoint, { CORK_EMBEDDINGS_API_KEY: 'right' }))).toEqual([
    expect.objectContaining({ state: 'ok', says: expect.stringContaining('8 numbers with tiny') }),
  ])
  const rejected = await findings(settings(endpoint, { CORK_EMBEDDINGS_API_KEY: 'sk-wrong' }))
  expect(rejected).toEqual([
    expect.objectContaining({ state: 'warning', says: expect.stringContaining('status 401') }),
  ])
  expect(rejected[0]?.says).not.toContain('sk-wrong')
})
