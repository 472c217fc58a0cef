import { afterEach, expect, test } from 'bun:test'
import type { PassageQuery } from '../../src/kernel/services.ts'
import { type Endpoint, VectorIndex } from '../../src/search/vectors/index.ts'
import { embeddingsServer, errorResponse } from '../support/embeddings.ts'
import { waitUntil } from '../support/wait.ts'
import { openPassageFile } from './passage-file.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

type Service = ReturnType<typeof embeddingsServer>
type Files = ReturnType<typeof openPassageFile>

const SOON = { first: 5, max: 40, refused: 3600_000 }

function setUp(serverOptions: Parameters<typeof embeddingsServer>[0] = {}) {
  const service = embeddingsServer(serverOptions)
  const files = openPassageFile()
  open.push(files.close, service.stop)
  return {
    service,
    files,
    ...files,
    start: (fields = {}, backoff = SOON) => openVectorIndex(service, files, fields, backoff),
  }
}

function openVectorIndex(
  { baseUrl, options }: Service,
  { db }: Files,
  fields: Partial<Endpoint> = {},
  questionBackoff = SOON,
) {
  const records: { level: string; text: string; why?: string }[] = []
  const record = (level: string) => (about: object, text: string) =>
    void records.push({ level, text, ...about })
  const vectors = new VectorIndex({
    ...{ db, memory: 1e6, log: { info: record('info'), warn: record('warn') } },
    endpoint: { base: baseUrl, model: 'tiny', ...(options.key && { key: options.key }), ...fields },
    timeouts: { question: 200, questionBackoff, textBackoff: SOON },
  })
  open.push(() => vectors.close())
  return {
    vectors,
    records,
    warnings: () => records.filter(({ level }) => level === 'warn').map(({ text }) => text),
    search: async (text: string, fields: Partial<PassageQuery> = {}) =>
      (await vectors.nearest({ text, projects: [1], limit: 10, ...fields })).map(({ id }) => id),
    waitUntilFilled: () => waitUntil(() => vectors.state().lacking === 0),
  }
}

test('a query finds a text with the same meaning in other words', async () => {
  const { add, start } = setUp()
  const [car] = add(1, 'Costs', 'The automobile needs new brakes')
  add(1, 'Costs', 'Each invoice waits for its payment')
  const { search, waitUntilFilled } = start()
  await waitUntilFilled()
  expect((await search('Which vehicle?'))[0]).toBe(car!)
})

test('a query finds a text by the meaning of its title', async () => {
  const { add, start } = setUp()
  add(1, 'Costs', 'It is on the second floor')
  const [doctor] = add(1, 'The doctor', 'It is on the second floor')
  const { search, waitUntilFilled } = start()
  await waitUntilFilled()
  expect((await search('physician'))[0]).toBe(doctor!)
})

test('an empty index does not call the endpoint', async () => {
  const { service, start } = setUp()
  const { search } = start()
  expect(await search('a car')).toEqual([])
  await Bun.sleep(20)
  expect(service.requests).toEqual([])
})

test('a text added later is found, and a deleted one is not', async () => {
  const { add, remove, start } = setUp()
  const [first] = add(1, 'x', 'a car')
  const { search, waitUntilFilled, vectors } = start()
  await waitUntilFilled()
  expect(await search('automobile')).toEqual([first!])
  const [second] = add(1, 'x', 'an automobile')
  vectors.boardsChanged([1])
  await waitUntilFilled()
  expect((await search('vehicle')).sort()).toEqual([first!, second!])
  remove(first!)
  vectors.boardsChanged([1])
  expect(await search('vehicle')).toEqual([second!])
})

test('a query returns only the boards, authors, kinds, times and tasks that it names', async () => {
  const { add, start, db } = setUp()
  const [one] = add(1, 'x', 'a car')
  const [two] = add(2, 'x', 'a car')
  const [three] = add(3, 'x', 'a car')
  db.run('UPDATE sources SET kind = 2, author = 7, written_at = 5000 WHERE project = 3')
  const { search, waitUntilFilled } = start()
  await waitUntilFilled()
  const projects = [1, 2, 3]
  expect((await search('car', { projects: [2, 3] })).sort()).toEqual([two!, three!])
  expect(await search('car', { projects: [] })).toEqual([])
  expect(await search('car', { projects, authors: [7] })).toEqual([three!])
  expect(await search('car', { projects, kinds: ['page'] })).toEqual([three!])
  expect(await search('car', { projects, since: new Date(5000) })).toEqual([three!])
  expect(await search('car', { projects, tasks: [1] })).toEqual([one!])
  expect((await search('car', { projects, beside: 3 })).sort()).toEqual([one!, two!])
})

test('two rankings are fused by rank, without neighbours of better passages', async () => {
  const { add, start } = setUp()
  const [a, b, c] = add(1, 'x', 'one', 'two', 'three')
  const [d] = add(1, 'y', 'four')
  const { vectors } = start()
  const ranked = (...ids: (number | undefined)[]) => ids.map((id) => ({ id: id!, score: 3 }))
  expect(vectors.fuse(ranked(a, d), ranked(d, c), 10)).toEqual([
    { id: d!, score: (61 / 62 + 1) / 2 },
    { id: a!, score: 1 / 2 },
    { id: c!, score: 61 / 62 / 2 },
  ])
  expect(vectors.fuse(ranked(a, d), ranked(b), 10).map(({ id }) => id)).toEqual([a!, d!])
  expect(vectors.fuse(ranked(a), ranked(a), 10)).toEqual([{ id: a!, score: 1 }])
  expect(vectors.fuse(ranked(a, d), [], 1)).toHaveLength(1)
  expect(vectors.fuse(ranked(99), [], 10)).toEqual([])
})

test('of adjacent passages only the best one is returned', async () => {
  const { add, start } = setUp()
  const [before, best, after, distant] = add(
    1,
    'x',
    ...['car rain', 'car vehicle', 'car bread', 'car storm'],
  )
  const { search, waitUntilFilled } = start()
  await waitUntilFilled()
  const found = await search('driving')
  expect(found[0]).toBe(best!)
  expect(found).toContain(distant!)
  expect(found).not.toContain(before!)
  expect(found).not.toContain(after!)
})

test('stored vectors survive a restart, and the vector of a query is cached', async () => {
  const { add, service, files, start } = setUp()
  const [car] = add(1, 'x', 'a car')
  const first = start()
  await first.waitUntilFilled()
  await first.vectors.close()
  const before = service.embeddedTexts.length
  const { search } = openVectorIndex(service, files)
  expect(await search('vehicle')).toEqual([car!])
  expect(await search('vehicle')).toEqual([car!])
  expect(service.embeddedTexts.slice(before)).toEqual(['vehicle'])
})

test('another model creates all vectors again', async () => {
  const { add, service, files, start } = setUp()
  const [car] = add(1, 'x', 'a car')
  const first = start()
  await first.waitUntilFilled()
  await first.vectors.close()
  const before = service.requests.length
  const { search, waitUntilFilled } = openVectorIndex(service, files, { model: 'larger' })
  await waitUntilFilled()
  expect(await search('vehicle')).toEqual([car!])
  expect(service.requests.slice(before).map(({ model, input }) => [model, input])).toEqual([
    ['larger', ['x\n\na car']],
    ['larger', ['vehicle']],
  ])
})

test('vectors of another size cause a warning, and all are created again after a restart', async () => {
  const { add, service, files, start } = setUp()
  const [car] = add(1, 'x', 'a car')
  const first = start()
  await first.waitUntilFilled()
  expect(await first.search('vehicle')).toEqual([car!])
  service.options.size = 12
  expect(await first.search('driving')).toEqual([])
  expect(first.warnings()).toHaveLength(1)
  expect(first.records.at(-1)?.why).toContain('now have 12 numbers, but the stored ones have 8')
  await first.vectors.close()
  const { search, waitUntilFilled } = openVectorIndex(service, files)
  expect(await search('driving')).toEqual([])
  await waitUntilFilled()
  expect(await search('driving')).toEqual([car!])
})

test('a silent endpoint delays a query only briefly, and is then left alone for a while', async () => {
  const { add, service, start } = setUp()
  add(1, 'x', 'a car')
  const { search, waitUntilFilled, warnings, records } = start(
    {},
    { ...SOON, first: 2000, max: 2000 },
  )
  await waitUntilFilled()
  service.fail(() => new Promise<Response>(() => {}))
  const startedAt = performance.now()
  expect(await search('vehicle')).toEqual([])
  expect(performance.now() - startedAt).toBeLessThan(5000)
  const requestCount = service.requests.length
  expect(await Promise.all([search('driving'), search('automobile')])).toEqual([[], []])
  expect(service.requests).toHaveLength(requestCount)
  expect(warnings()).toHaveLength(1)
  service.fail(undefined)
  while (!(await search('driving')).length) await Bun.sleep(20)
  expect(records.at(-1)?.text).toContain('responds again')
})

test('every text gets its vector once in spite of temporary failures', async () => {
  const { add, service, start } = setUp()
  for (let at = 0; at < 100; at++) add(1, 'x', `car ${at}`)
  let failureCount = 0
  const faults = [
    () => errorResponse(500, 'oops'),
    () => errorResponse(429, 'slow', { 'retry-after': '0.01' }),
    () => new Response('{"data":'),
    () => Response.json({ data: [] }),
  ]
  service.fail(() => faults[failureCount++]?.())
  const { waitUntilFilled, search, warnings } = start()
  await waitUntilFilled()
  expect(new Set(service.embeddedTexts).size).toBe(100)
  expect(service.embeddedTexts).toHaveLength(100)
  expect(await search('vehicle')).toHaveLength(100)
  // Each kind of failure is logged once, however often it occurs.
  expect(new Set(warnings()).size).toBe(warnings().length)
})

test('a rejected key is logged once, and the endpoint is not called again soon', async () => {
  const { add, service, start } = setUp({ key: 'right' })
  add(1, 'x', 'a car')
  const { vectors, warnings } = start({ key: 'wrong' })
  await waitUntil(() => warnings().length > 0)
  vectors.boardsChanged([1])
  await Bun.sleep(100)
  expect(service.requests).toHaveLength(1)
  expect(warnings()).toEqual([expect.stringContaining('CORK_EMBEDDINGS_API_KEY')])
  expect(vectors.state().lacking).toBe(1)
})

test('an endpoint with a small batch limit gets smaller batches', async () => {
  const { add, service, start } = setUp({ maxTexts: 10 })
  for (let at = 0; at < 100; at++) add(1, 'x', `car ${at}`)
  const { waitUntilFilled, warnings } = start()
  await waitUntilFilled()
  expect(service.embeddedTexts.filter((text) => text.startsWith('x'))).toHaveLength(100)
  expect(warnings()).toEqual([])
})

test('a long text is shortened until it is accepted, and one that is always refused is skipped', async () => {
  const { add, service, start } = setUp({ maxCharacters: 1000 })
  const [long] = add(1, 'x', `car ${'🚗'.repeat(5000)}`)
  const [short] = add(1, 'x', 'car')
  const { waitUntilFilled, search } = start()
  await waitUntilFilled()
  expect((await search('vehicle')).sort()).toEqual([long!, short!])
  expect(service.embeddedTexts.every((text) => text.isWellFormed())).toBe(true)
  const rejecting = setUp()
  rejecting.add(1, 'x', `no ${'word '.repeat(500)}`)
  const [accepted] = rejecting.add(1, 'x', 'car')
  rejecting.service.fail(({ input }) =>
    input.some((text) => text.includes('no')) ? errorResponse(400, 'no') : undefined,
  )
  const { waitUntilFilled: done, search: find } = rejecting.start()
  await done()
  expect(await find('vehicle')).toEqual([accepted!])
})

test('no text is skipped while the endpoint refuses all of them', async () => {
  const { add, service, start } = setUp()
  const [car] = add(1, 'x', 'a car')
  service.fail(() => errorResponse(400, 'unknown model'))
  const { waitUntilFilled, vectors, warnings, search } = start()
  await waitUntil(() => service.requests.length > 4)
  expect(vectors.state().lacking).toBe(1)
  expect(warnings()).toEqual([expect.stringContaining('CORK_EMBEDDINGS_MODEL')])
  service.fail(undefined)
  await waitUntilFilled()
  expect(await search('vehicle')).toEqual([car!])
})

test('vectors stay within the memory limit, and unloaded boards are read again', async () => {
  const { add, service, db } = setUp()
  for (let project = 1; project <= 20; project++)
    for (let at = 0; at < 10; at++) add(project, 'x', `car ${at}`)
  const vectors = new VectorIndex({
    ...{ db, memory: 1000, endpoint: { base: service.baseUrl, model: 'tiny' } },
    log: { info() {}, warn() {} },
  })
  open.push(() => vectors.close())
  await waitUntil(() => vectors.state().lacking === 0)
  const projects = Array.from({ length: 20 }, (_, at) => at + 1)
  expect(await vectors.nearest({ text: 'vehicle', projects, limit: 10 })).toHaveLength(100)
  expect(vectors.state().bytes).toBeGreaterThan(0)
  expect(vectors.state().bytes).toBeLessThanOrEqual(1000)
  expect(await vectors.nearest({ text: 'vehicle', projects: [1], limit: 10 })).toHaveLength(10)
})

test('closing cancels requests in progress', async () => {
  const { add, service, start } = setUp()
  add(1, 'x', 'a car')
  service.fail(() => new Promise<Response>(() => {}))
  const { vectors, search, warnings } = start()
  await waitUntil(() => service.requests.length === 1)
  const startedAt = performance.now()
  await vectors.close()
  expect(performance.now() - startedAt).toBeLessThan(5000)
  expect(await search('vehicle')).toEqual([])
  expect(warnings()).toEqual([])
})
