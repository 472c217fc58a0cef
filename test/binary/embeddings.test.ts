import { afterAll, afterEach, expect, test } from 'bun:test'
import { embeddings, refused } from '../embeddings.ts'
import { ask, cork, folder, initiated, type Serving, serving, sweep } from './cork.ts'

afterAll(sweep)

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

function service(ways: Parameters<typeof embeddings>[0] = {}) {
  const made = embeddings(ways)
  open.push(made.stop)
  return made
}

const settings = ({ base }: { base: string }, more: Record<string, string> = {}) => ({
  CORK_EMBEDDINGS_BASE_URL: base,
  CORK_EMBEDDINGS_MODEL: 'tiny',
  ...more,
})

/** A board with pages to search, on a server that can be restarted with other settings. */
async function board(env: Record<string, string>) {
  const { data, api_key, team_id } = await initiated()
  let server: Serving | undefined
  const end = async (signal?: NodeJS.Signals) => {
    const ended = server
    server = undefined
    await ended?.end(signal)
    return ended ? ended.err() : ''
  }
  open.push(() => end())
  const http = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(server!.url, api_key, method, path, body)
    if (answer.status > 299) throw new Error(JSON.stringify(answer.body))
    return answer.body.data
  }
  const start = async (more: Record<string, string>) => {
    server = await serving(data, { env: { CORK_LOG_LEVEL: 'info', ...more } })
  }
  await start(env)
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const { project_id } = await http('POST', '/api/v1/projects', { team_id, title: 'H', sections })
  const { task_id } = await http('POST', '/api/v1/tasks', { project_id, title: 'Notes' })
  const found = async (query: string): Promise<string[]> => {
    const path = `/api/v1/search/semantic?query=${encodeURIComponent(query)}`
    const passages = await http('GET', path)
    return passages.map((one: { source: { title: string } }) => one.source.title)
  }
  return {
    end,
    start,
    found,
    page: (title: string, content: string) =>
      http('POST', `/api/v1/tasks/${task_id}/pages`, { title, content }),
    /** Resolves once that page is the first result of the query. */
    async finds(query: string, title: string) {
      let last: string[] = []
      for (let turn = 0; turn < 150; turn++) {
        last = await found(query)
        if (last[0] === title) return
        await Bun.sleep(100)
      }
      throw new Error(`${query} finds ${last.join(', ') || 'nothing'}`)
    },
  }
}

const PAGES: [string, string][] = [
  ['Garage', 'The automobile needs new brakes before it goes out again.'],
  ['Books', 'Each invoice waits for its payment until the month is over.'],
  ['Kitchen', 'Let the dough rest for a night; the loaf keeps its shape then.'],
]

test('a query that shares no word with a page finds it, and the API key is never logged', async () => {
  const endpoint = service({ key: 'sk-tiny' })
  const { page, finds, found, end } = await board(
    settings(endpoint, { CORK_EMBEDDINGS_API_KEY: 'sk-tiny' }),
  )
  for (const [title, content] of PAGES) await page(title, content)
  await finds('Which vehicle?', 'Garage')
  await finds('When do salary wages come?', 'Books')
  await finds('bakery', 'Kitchen')
  // A page that both rankings put first stays first.
  expect((await found('brakes of the automobile'))[0]).toBe('Garage')
  expect(await end()).not.toContain('sk-tiny')
  expect(new Set(endpoint.asked.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer sk-tiny']),
  )
})

test('without embeddings settings no request is sent, and search by words works', async () => {
  const endpoint = service()
  const { page, finds, found } = await board({})
  for (const [title, content] of PAGES) await page(title, content)
  await finds('dough', 'Kitchen')
  expect(await found('Which vehicle?')).not.toContain('Garage')
  expect(endpoint.asked).toEqual([])
})

test('search by words works while the endpoint is down, and vectors follow when it is back', async () => {
  const first = service()
  const { port } = first
  const { page, finds, found, end } = await board(settings(first))
  await page(...PAGES[0]!)
  await finds('vehicle', 'Garage')
  await first.stop()
  await page(...PAGES[1]!)
  await finds('invoice', 'Books')
  const began = performance.now()
  expect(await found('salary')).not.toContain('Books')
  expect(performance.now() - began).toBeLessThan(3000)
  const second = service({ port })
  await finds('wages', 'Books')
  await finds('driving', 'Garage')
  // A text that has its vector is not sent again.
  expect(second.texts.filter((text) => text.includes('brakes'))).toEqual([])
  const log = await end()
  expect(log.match(/embeddings endpoint cannot be reached/g)).toHaveLength(1)
  expect(log).toContain('the embeddings endpoint responds again')
})

test('an endpoint that hangs delays a search by less than 3 seconds', async () => {
  const endpoint = service()
  const { page, finds, found } = await board(settings(endpoint))
  await page(...PAGES[2]!)
  await finds('bakery', 'Kitchen')
  endpoint.fail(() => new Promise<Response>(() => {}))
  const began = performance.now()
  expect(await found('rest for a night')).toContain('Kitchen')
  expect(performance.now() - began).toBeLessThan(3000)
})

test('vectors survive a restart, and another model computes them again', async () => {
  const endpoint = service()
  const { page, finds, start, end } = await board(settings(endpoint))
  for (const [title, content] of PAGES) await page(title, content)
  await finds('vehicle', 'Garage')
  await finds('salary', 'Books')
  await finds('bakery', 'Kitchen')
  await end()
  const before = endpoint.texts.length
  await start(settings(endpoint))
  await finds('wages', 'Books')
  expect(endpoint.texts.slice(before)).toEqual(['wages'])
  await end()
  endpoint.ways.size = 20
  endpoint.ways.models = ['larger']
  await start(settings(endpoint, { CORK_EMBEDDINGS_MODEL: 'larger' }))
  await finds('wages', 'Books')
  const larger = endpoint.asked
    .filter(({ model }) => model === 'larger')
    .flatMap((one) => one.input)
  for (const [, content] of PAGES)
    expect(larger.filter((text) => text.includes(content))).toHaveLength(1)
})

test('a server killed while it requests vectors continues and requests none twice', async () => {
  const endpoint = service()
  const { page, finds, start, end } = await board(settings(endpoint))
  await page(...PAGES[0]!)
  await finds('vehicle', 'Garage')
  endpoint.fail(() => new Promise<Response>(() => {}))
  for (const [title, content] of PAGES.slice(1)) await page(title, content)
  await finds('invoice', 'Books')
  await end('SIGKILL')
  endpoint.fail(undefined)
  await start(settings(endpoint))
  await finds('salary', 'Books')
  await finds('bakery', 'Kitchen')
  await finds('driving', 'Garage')
  for (const [, content] of PAGES)
    expect(endpoint.texts.filter((text) => text.includes(content))).toHaveLength(1)
})

test('a refused API key is logged once with what to correct, and never shown', async () => {
  const endpoint = service({ key: 'right' })
  const { page, finds, end } = await board(
    settings(endpoint, { CORK_EMBEDDINGS_API_KEY: 'sk-wrong-one' }),
  )
  await page(...PAGES[0]!)
  await finds('brakes', 'Garage')
  await Bun.sleep(500)
  expect(endpoint.asked).toHaveLength(1)
  const log = await end()
  expect(log.match(/refuses the key: correct CORK_EMBEDDINGS_API_KEY/g)).toHaveLength(1)
  expect(log).not.toContain('sk-wrong-one')
})

test('passages are found by meaning although the endpoint often fails', async () => {
  const endpoint = service({ mostTexts: 5 })
  let turn = 0
  endpoint.fail(() => {
    turn++
    if (turn % 6 === 0) return refused(500, 'oops')
    if (turn % 4 === 0) return refused(429, 'slow down', { 'retry-after': '0.1' })
    return turn % 7 === 0 ? new Response('{"data":[{"emb') : undefined
  })
  const { page, finds } = await board(settings(endpoint))
  for (let at = 0; at < 12; at++) await page(`Page ${at}`, `Plain text, number ${at}`)
  for (const [title, content] of PAGES) await page(title, content)
  await finds('physician vehicle', 'Garage')
  await finds('bakery', 'Kitchen')
})

test('incomplete embeddings settings are refused at start, and cork config masks the key', async () => {
  const data = folder()
  const half = await cork(['serve', '--data', data, '--port', '0'], {
    env: { CORK_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:1/v1' },
  })
  expect(half.code).toBe(2)
  expect(half.err).toContain('CORK_EMBEDDINGS_MODEL')
  const odd = await cork(['config'], { env: { CORK_EMBEDDINGS_BASE_URL: 'https://a:b@c/v1' } })
  expect(odd.code).toBe(1)
  expect(odd.err).toContain('CORK_EMBEDDINGS_BASE_URL must be an address like')
  const shown = await cork(['config', '--json'], { env: { CORK_EMBEDDINGS_API_KEY: 'sk-none' } })
  expect(shown.out).toContain('CORK_EMBEDDINGS_API_KEY')
  expect(shown.out).not.toContain('sk-none')
})

test('cork doctor checks the configured endpoint, and sends no request without one', async () => {
  const { data } = await initiated()
  const endpoint = service({ key: 'right' })
  const findings = async (env: Record<string, string>) => {
    const { out } = await cork(['doctor', '--json', '--data', data], { env })
    const all: { check: string; state: string; says: string }[] = JSON.parse(out)
    return all.filter(({ check }) => check === 'embeddings')
  }
  expect(await findings({})).toEqual([])
  expect(endpoint.asked).toEqual([])
  expect(await findings(settings(endpoint, { CORK_EMBEDDINGS_API_KEY: 'right' }))).toEqual([
    expect.objectContaining({ state: 'ok', says: expect.stringContaining('8 numbers with tiny') }),
  ])
  const refusing = await findings(settings(endpoint, { CORK_EMBEDDINGS_API_KEY: 'sk-wrong' }))
  expect(refusing).toEqual([
    expect.objectContaining({ state: 'warning', says: expect.stringContaining('status 401') }),
  ])
  expect(refusing[0]?.says).not.toContain('sk-wrong')
})
