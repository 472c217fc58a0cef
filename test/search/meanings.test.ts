import { afterEach, expect, test } from 'bun:test'
import type { PassageQuery } from '../../src/kernel/services.ts'
import { type Endpoint, VectorIndex } from '../../src/search/vectors/index.ts'
import { embeddingsServer, errorResponse } from '../support/embeddings.ts'
import { filed } from './filed.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

type Service = ReturnType<typeof embeddingsServer>
type Files = ReturnType<typeof filed>

const SOON = { first: 5, max: 40, refused: 3600_000 }

function library(ways: Parameters<typeof embeddingsServer>[0] = {}) {
  const service = embeddingsServer(ways)
  const files = filed()
  open.push(files.close, service.stop)
  return { service, files, ...files, start: (more = {}) => started(service, files, more) }
}

function started({ baseUrl, options }: Service, { db }: Files, more: Partial<Endpoint> = {}) {
  const said: { level: string; text: string; why?: string }[] = []
  const say = (level: string) => (about: object, text: string) =>
    void said.push({ level, text, ...about })
  const meanings = new VectorIndex({
    ...{ db, memory: 1e6, log: { info: say('info'), warn: say('warn') } },
    endpoint: { base: baseUrl, model: 'tiny', ...(options.key && { key: options.key }), ...more },
    timeouts: { question: 200, questionBackoff: SOON, textBackoff: SOON },
  })
  open.push(() => meanings.close())
  return {
    meanings,
    said,
    warnings: () => said.filter(({ level }) => level === 'warn').map(({ text }) => text),
    ask: async (text: string, more: Partial<PassageQuery> = {}) =>
      (await meanings.nearest({ text, projects: [1], limit: 10, ...more })).map(({ id }) => id),
    filled: () => until(() => meanings.state().lacking === 0),
  }
}

async function until(isSo: () => boolean) {
  for (let turn = 0; !isSo(); turn++) {
    if (turn > 1000) throw new Error('It did not come to pass')
    await Bun.sleep(3)
  }
}

test('a query finds a text with the same meaning in other words', async () => {
  const { add, start } = library()
  const [car] = add(1, 'Costs', 'The automobile needs new brakes')
  add(1, 'Costs', 'Each invoice waits for its payment')
  const { ask, filled } = start()
  await filled()
  expect((await ask('Which vehicle?'))[0]).toBe(car!)
})

test('a query finds a text by the meaning of its title', async () => {
  const { add, start } = library()
  add(1, 'Costs', 'It is on the second floor')
  const [doctor] = add(1, 'The doctor', 'It is on the second floor')
  const { ask, filled } = start()
  await filled()
  expect((await ask('physician'))[0]).toBe(doctor!)
})

test('an empty index does not call the endpoint', async () => {
  const { service, start } = library()
  const { ask } = start()
  expect(await ask('a car')).toEqual([])
  await Bun.sleep(20)
  expect(service.requests).toEqual([])
})

test('a text added later is found, and a deleted one is not', async () => {
  const { add, remove, start } = library()
  const [first] = add(1, 'x', 'a car')
  const { ask, filled, meanings } = start()
  await filled()
  expect(await ask('automobile')).toEqual([first!])
  const [second] = add(1, 'x', 'an automobile')
  meanings.boardsChanged([1])
  await filled()
  expect((await ask('vehicle')).sort()).toEqual([first!, second!])
  remove(first!)
  meanings.boardsChanged([1])
  expect(await ask('vehicle')).toEqual([second!])
})

test('a query returns only the boards, authors, kinds, times and tasks that it names', async () => {
  const { add, start, db } = library()
  const [one] = add(1, 'x', 'a car')
  const [two] = add(2, 'x', 'a car')
  const [three] = add(3, 'x', 'a car')
  db.run('UPDATE sources SET kind = 2, author = 7, written_at = 5000 WHERE project = 3')
  const { ask, filled } = start()
  await filled()
  const projects = [1, 2, 3]
  expect((await ask('car', { projects: [2, 3] })).sort()).toEqual([two!, three!])
  expect(await ask('car', { projects: [] })).toEqual([])
  expect(await ask('car', { projects, authors: [7] })).toEqual([three!])
  expect(await ask('car', { projects, kinds: ['page'] })).toEqual([three!])
  expect(await ask('car', { projects, since: new Date(5000) })).toEqual([three!])
  expect(await ask('car', { projects, tasks: [1] })).toEqual([one!])
  expect((await ask('car', { projects, beside: 3 })).sort()).toEqual([one!, two!])
})

test('two rankings are fused by rank, without neighbours of better passages', async () => {
  const { add, start } = library()
  const [a, b, c] = add(1, 'x', 'one', 'two', 'three')
  const [d] = add(1, 'y', 'four')
  const { meanings } = start()
  const ranked = (...ids: (number | undefined)[]) => ids.map((id) => ({ id: id!, score: 3 }))
  expect(meanings.fuse(ranked(a, d), ranked(d, c), 10)).toEqual([
    { id: d!, score: (61 / 62 + 1) / 2 },
    { id: a!, score: 1 / 2 },
    { id: c!, score: 61 / 62 / 2 },
  ])
  expect(meanings.fuse(ranked(a, d), ranked(b), 10).map(({ id }) => id)).toEqual([a!, d!])
  expect(meanings.fuse(ranked(a), ranked(a), 10)).toEqual([{ id: a!, score: 1 }])
  expect(meanings.fuse(ranked(a, d), [], 1)).toHaveLength(1)
  expect(meanings.fuse(ranked(99), [], 10)).toEqual([])
})

test('of adjacent passages only the best one is returned', async () => {
  const { add, start } = library()
  const [before, best, after, apart] = add(
    1,
    'x',
    ...['car rain', 'car vehicle', 'car bread', 'car storm'],
  )
  const { ask, filled } = start()
  await filled()
  const found = await ask('driving')
  expect(found[0]).toBe(best!)
  expect(found).toContain(apart!)
  expect(found).not.toContain(before!)
  expect(found).not.toContain(after!)
})

test('stored vectors survive a restart, and the vector of a query is cached', async () => {
  const { add, service, files, start } = library()
  const [car] = add(1, 'x', 'a car')
  const first = start()
  await first.filled()
  await first.meanings.close()
  const before = service.embeddedTexts.length
  const { ask } = started(service, files)
  expect(await ask('vehicle')).toEqual([car!])
  expect(await ask('vehicle')).toEqual([car!])
  expect(service.embeddedTexts.slice(before)).toEqual(['vehicle'])
})

test('another model creates all vectors again', async () => {
  const { add, service, files, start } = library()
  const [car] = add(1, 'x', 'a car')
  const first = start()
  await first.filled()
  await first.meanings.close()
  const before = service.requests.length
  const { ask, filled } = started(service, files, { model: 'larger' })
  await filled()
  expect(await ask('vehicle')).toEqual([car!])
  expect(service.requests.slice(before).map(({ model, input }) => [model, input])).toEqual([
    ['larger', ['x\n\na car']],
    ['larger', ['vehicle']],
  ])
})

test('vectors of another size cause a warning, and all are created again after a restart', async () => {
  const { add, service, files, start } = library()
  const [car] = add(1, 'x', 'a car')
  const first = start()
  await first.filled()
  expect(await first.ask('vehicle')).toEqual([car!])
  service.options.size = 12
  expect(await first.ask('driving')).toEqual([])
  expect(first.warnings()).toHaveLength(1)
  expect(first.said.at(-1)?.why).toContain('now have 12 numbers, but the stored ones have 8')
  await first.meanings.close()
  const { ask, filled } = started(service, files)
  expect(await ask('driving')).toEqual([])
  await filled()
  expect(await ask('driving')).toEqual([car!])
})

test('a silent endpoint delays a query by less than a second, and is then left alone for a while', async () => {
  const { add, service, start } = library()
  add(1, 'x', 'a car')
  const { ask, filled, warnings, said } = start()
  await filled()
  service.fail(() => new Promise<Response>(() => {}))
  const began = performance.now()
  expect(await ask('vehicle')).toEqual([])
  expect(performance.now() - began).toBeLessThan(1000)
  const asked = service.requests.length
  expect(await Promise.all([ask('driving'), ask('automobile')])).toEqual([[], []])
  expect(service.requests).toHaveLength(asked)
  expect(warnings()).toHaveLength(1)
  service.fail(undefined)
  await Bun.sleep(60)
  expect(await ask('driving')).toHaveLength(1)
  expect(said.at(-1)?.text).toContain('responds again')
})

test('every text gets its vector once in spite of temporary failures', async () => {
  const { add, service, start } = library()
  for (let at = 0; at < 100; at++) add(1, 'x', `car ${at}`)
  let turns = 0
  const faults = [
    () => errorResponse(500, 'oops'),
    () => errorResponse(429, 'slow', { 'retry-after': '0.01' }),
    () => new Response('{"data":'),
    () => Response.json({ data: [] }),
  ]
  service.fail(() => faults[turns++]?.())
  const { filled, ask, warnings } = start()
  await filled()
  expect(new Set(service.embeddedTexts).size).toBe(100)
  expect(service.embeddedTexts).toHaveLength(100)
  expect(await ask('vehicle')).toHaveLength(100)
  // Each kind of failure is logged once, however often it occurs.
  expect(new Set(warnings()).size).toBe(warnings().length)
})

test('a rejected key is logged once, and the endpoint is not called again soon', async () => {
  const { add, service, start } = library({ key: 'right' })
  add(1, 'x', 'a car')
  const { meanings, warnings } = start({ key: 'wrong' })
  await until(() => warnings().length > 0)
  meanings.boardsChanged([1])
  await Bun.sleep(100)
  expect(service.requests).toHaveLength(1)
  expect(warnings()).toEqual([expect.stringContaining('CORK_EMBEDDINGS_API_KEY')])
  expect(meanings.state().lacking).toBe(1)
})

test('an endpoint with a small batch limit gets smaller batches', async () => {
  const { add, service, start } = library({ maxTexts: 10 })
  for (let at = 0; at < 100; at++) add(1, 'x', `car ${at}`)
  const { filled, warnings } = start()
  await filled()
  expect(service.embeddedTexts.filter((text) => text.startsWith('x'))).toHaveLength(100)
  expect(warnings()).toEqual([])
})

test('a long text is shortened until it is accepted, and one that is always refused is skipped', async () => {
  const { add, service, start } = library({ maxCharacters: 1000 })
  const [long] = add(1, 'x', `car ${'🚗'.repeat(5000)}`)
  const [short] = add(1, 'x', 'car')
  const { filled, ask } = start()
  await filled()
  expect((await ask('vehicle')).sort()).toEqual([long!, short!])
  expect(service.embeddedTexts.every((text) => text.isWellFormed())).toBe(true)
  const stubborn = library()
  stubborn.add(1, 'x', `no ${'word '.repeat(500)}`)
  const [fine] = stubborn.add(1, 'x', 'car')
  stubborn.service.fail(({ input }) =>
    input.some((text) => text.includes('no')) ? errorResponse(400, 'no') : undefined,
  )
  const { filled: done, ask: find } = stubborn.start()
  await done()
  expect(await find('vehicle')).toEqual([fine!])
})

test('no text is skipped while the endpoint refuses all of them', async () => {
  const { add, service, start } = library()
  const [car] = add(1, 'x', 'a car')
  service.fail(() => errorResponse(400, 'unknown model'))
  const { filled, meanings, warnings, ask } = start()
  await until(() => service.requests.length > 4)
  expect(meanings.state().lacking).toBe(1)
  expect(warnings()).toEqual([expect.stringContaining('CORK_EMBEDDINGS_MODEL')])
  service.fail(undefined)
  await filled()
  expect(await ask('vehicle')).toEqual([car!])
})

test('vectors stay within the memory limit, and unloaded boards are read again', async () => {
  const { add, service, db } = library()
  for (let project = 1; project <= 20; project++)
    for (let at = 0; at < 10; at++) add(project, 'x', `car ${at}`)
  const meanings = new VectorIndex({
    ...{ db, memory: 1000, endpoint: { base: service.baseUrl, model: 'tiny' } },
    log: { info() {}, warn() {} },
  })
  open.push(() => meanings.close())
  await until(() => meanings.state().lacking === 0)
  const projects = Array.from({ length: 20 }, (_, at) => at + 1)
  expect(await meanings.nearest({ text: 'vehicle', projects, limit: 10 })).toHaveLength(100)
  expect(meanings.state().bytes).toBeGreaterThan(0)
  expect(meanings.state().bytes).toBeLessThanOrEqual(1000)
  expect(await meanings.nearest({ text: 'vehicle', projects: [1], limit: 10 })).toHaveLength(10)
})

test('closing cancels requests in progress', async () => {
  const { add, service, start } = library()
  add(1, 'x', 'a car')
  service.fail(() => new Promise<Response>(() => {}))
  const { meanings, ask, warnings } = start()
  await until(() => service.requests.length === 1)
  const began = performance.now()
  await meanings.close()
  expect(performance.now() - began).toBeLessThan(500)
  expect(await ask('vehicle')).toEqual([])
  expect(warnings()).toEqual([])
})
