import { expect, setSystemTime, test } from 'bun:test'
import pino from 'pino'
import { Webhook } from 'standardwebhooks'
import { claim, gatherFor, webhooks } from '../../src/features/agents/webhooks/model/index.ts'
import { createServer } from '../../src/server/app.ts'
import { startDeliveries } from '../../src/workers/index.ts'
import { addCleanup } from '../support/database.ts'
import { waitUntil } from '../support/wait.ts'
import { neverRespond, webhookServer } from '../support/webhook-server.ts'
import { type Actor, type World, world } from '../support/world.ts'

const self = { agent_id: 'self' }
const EVENTS = ['task.created', 'task.assigned', 'comment.created'] as const
/** Longer than a response takes on a busy machine. */
const TIMEOUT_MS = 5000

/**
 * Delivers as `cork serve` does, only more often. The result stops it and resolves once it has
 * stopped.
 */
function startWorker(
  w: World,
  overrides: { cycle?: number; timeout?: number; isAlone?: boolean } = {},
) {
  const { store, clock } = w
  const log = pino({ level: 'silent' })
  const server = createServer({ config: w.config, key: w.key })
  const stop = startDeliveries({
    ...{ store, server, clock: clock.read, log, cycle: 0.05, timeout: TIMEOUT_MS, ...overrides },
  })
  addCleanup(stop)
  return stop
}

async function setUp(endpoint: { url: string }) {
  const w = await world()
  w.config.allowHosts.push('127.0.0.1')
  const hook = (actor: Actor, overrides: object = {}) =>
    actor['webhooks.configure']({ ...self, url: endpoint.url, events: [...EVENTS], ...overrides })
  const { secret } = await hook(w.bot)
  const create = (title: string, actor = w.ada) =>
    actor['tasks.create']({ project_id: w.board.project_id, title })
  const poll = async (actor = w.bot) => (await actor['messages.list']({ limit: 50 })).items
  const isIdle = async () => (await w.bot['webhooks.get'](self)).waiting === 0
  return { w, hook, secret: secret!, create, poll, isIdle }
}

const titlesIn = (deliveries: { body: Record<string, unknown> }[]) =>
  deliveries.map(({ body }) => (body.data as { title: string }).title)

test('an event is delivered once, signed, and is then not returned by polling', async () => {
  const endpoint = webhookServer()
  const { w, secret, create, poll, isIdle } = await setUp(endpoint)
  startWorker(w)
  await create('Mow the lawn')
  await create('Of its own', w.bot)
  const { task_id } = w.tasks.copy
  await w.ada['tasks.update']({ task_id, title: 'Not selected' })
  await waitUntil(() => endpoint.requests.length > 0)
  await waitUntil(isIdle)
  await Bun.sleep(200)
  expect(endpoint.types()).toEqual(['task.created'])
  const [{ headers, text, body }] = endpoint.requests as [(typeof endpoint.requests)[0]]
  expect(body).toMatchObject({
    ...{ id: headers['webhook-id'], project_id: w.board.project_id, type: 'task.created' },
    ...{ created_at: w.clock.now.toISOString(), actor: { kind: 'person', name: 'Ada' } },
    data: { title: 'Mow the lawn', ticket_number: expect.stringMatching(/-\d+$/) },
  })
  expect(headers['content-type']).toBe('application/json')
  expect((await poll()).map(({ type }) => type)).toEqual(['task.updated'])

  setSystemTime(w.clock.now)
  expect(new Webhook(secret).verify(text, headers)).toEqual(body)
  const bad = [
    () => new Webhook(secret).verify(text.replace('Mow', 'Cut'), headers),
    () => new Webhook(secret).verify(text, { ...headers, 'webhook-id': 'msg_1' }),
    () => new Webhook(`whsec_${btoa('x'.repeat(32))}`).verify(text, headers),
    () => new Webhook(secret).verify(text, { ...headers, 'webhook-timestamp': '1795000000' }),
  ]
  for (const verify of bad) expect(verify).toThrow()
  setSystemTime(new Date(w.clock.now.getTime() + 6 * 60_000))
  expect(() => new Webhook(secret).verify(text, headers)).toThrow('too old')
  setSystemTime()
})

test('a failed delivery can be polled and is retried with the same id at growing intervals', async () => {
  const endpoint = webhookServer(() => 500)
  const { w, create, poll, isIdle } = await setUp(endpoint)
  startWorker(w)
  await create('Mow the lawn')
  for (const [attempt, seconds] of [5, 10, 20, 40].entries()) {
    await waitUntil(async () => (await w.bot['webhooks.get'](self)).failures === attempt + 1)
    expect(await poll()).toHaveLength(1)
    w.clock.advance(seconds * 0.75 * 1000)
    await Bun.sleep(150)
    expect(endpoint.requests).toHaveLength(attempt + 1)
    w.clock.advance(seconds * 0.5 * 1000)
  }
  endpoint.handler.respond = () => 200
  await waitUntil(isIdle)
  expect(new Set(endpoint.ids()).size).toBe(1)
  expect(await poll()).toEqual([])
  const { items } = await w.bot['webhooks.deliveries'](self)
  expect(items.map(({ attempt, status, error }) => [attempt, status, error])).toEqual([
    [5, 200, null],
    ...[4, 3, 2, 1].map(
      (attempt) => [attempt, 500, 'It responded 500'] as [number, number, string],
    ),
  ])
})

test('retries are at most an hour apart and never given up', async () => {
  const endpoint = webhookServer(() => 410)
  const { w, create, poll, isIdle } = await setUp(endpoint)
  startWorker(w)
  await create('Mow the lawn')
  for (let attempt = 1; attempt <= 14; attempt++) {
    await waitUntil(() => endpoint.requests.length >= attempt)
    await waitUntil(async () => (await w.bot['webhooks.get'](self)).failures === attempt)
    w.clock.advance(3_600_001)
  }
  const { items } = await w.bot['webhooks.deliveries'](self)
  expect(items[0]!.error).toContain('410 Gone')
  expect(await poll()).toHaveLength(1)
  endpoint.handler.respond = () => 204
  await waitUntil(isIdle)
  expect(await poll()).toEqual([])
})

test('a message that was acknowledged by polling is not sent again', async () => {
  const endpoint = webhookServer(() => 503)
  const { w, create, poll } = await setUp(endpoint)
  startWorker(w)
  await create('Mow the lawn')
  await waitUntil(async () => (await poll()).length === 1)
  const ids = (await poll()).map(({ id }) => id)
  expect(ids).toEqual([endpoint.ids()[0]!])
  await w.bot['messages.ack']({ ids })
  w.clock.advance(3_600_000)
  await Bun.sleep(200)
  expect(endpoint.requests).toHaveLength(1)
  expect((await w.bot['webhooks.get'](self)).waiting).toBe(0)
})

test('first attempts are sent in about the order of the events', async () => {
  const endpoint = webhookServer()
  const { w, create, isIdle } = await setUp(endpoint)
  const titles = Array.from({ length: 40 }, (_, n) => `Task ${n}`)
  for (const title of titles) await create(title)
  startWorker(w)
  await waitUntil(() => endpoint.requests.length >= titles.length)
  await waitUntil(isIdle)
  expect(new Set(endpoint.ids()).size).toBe(40)
  // Several requests run concurrently and may overtake each other.
  const places = titlesIn(endpoint.requests).map((title) => titles.indexOf(title))
  expect(places.every((index, at) => Math.abs(index - at) < 16)).toBe(true)
})

test('an endpoint that hangs does not delay other endpoints', async () => {
  const [silent, responsive] = [webhookServer(neverRespond), webhookServer()]
  const { w, hook, create, poll } = await setUp(silent)
  const second = w.toActor(await w.addAgent(w.team_id, w.cleo, 'Second'))
  await hook(second, { url: responsive.url })
  for (let index = 0; index < 60; index++) await create(`Task ${index}`)
  startWorker(w, { timeout: 6000 })
  await waitUntil(() => responsive.requests.length === 60)
  expect(await poll()).toEqual([])
  expect(silent.requests.length).toBeLessThanOrEqual(16)
  await waitUntil(async () => (await poll()).length > 0)
  const { items } = await w.bot['webhooks.deliveries'](self)
  expect(items[0]).toMatchObject({ status: null, error: 'It took too long to respond' })
})

test('agents on one host receive all their messages, even more than are sent at once', async () => {
  const endpoint = webhookServer()
  const { w, hook, create } = await setUp(endpoint)
  for (let index = 1; index < 10; index++)
    await hook(w.toActor(await w.addAgent(w.team_id, w.cleo, `Agent ${index}`)))
  for (let index = 0; index < 20; index++) await create(`Task ${index}`)
  startWorker(w, { cycle: 60 })
  await waitUntil(() => endpoint.requests.length === 200)
  expect(new Set(endpoint.ids()).size).toBe(200)
})

test('a webhook that is switched off, narrowed or deleted leaves its messages to polling', async () => {
  const endpoint = webhookServer(() => 500)
  const { w, hook, create, poll } = await setUp(endpoint)
  const stop = startWorker(w)
  await create('One')
  const { task_id } = w.tasks.copy
  await w.ada['comments.add']({ task_id, text: 'Two' })
  await waitUntil(async () => (await w.bot['webhooks.get'](self)).failures === 2)
  await hook(w.bot, { events: ['comment.created'] })
  expect((await w.bot['webhooks.get'](self)).waiting).toBe(1)
  w.clock.advance(60_000)
  await waitUntil(() => endpoint.requests.length === 3)
  expect(endpoint.types().at(-1)).toBe('comment.created')
  await hook(w.bot, { active: false })
  await stop()
  expect((await w.bot['webhooks.get'](self)).waiting).toBe(0)
  await w.ada['comments.add']({ task_id, text: 'Three' })
  await hook(w.bot, { active: true })
  await w.ada['comments.add']({ task_id, text: 'Four' })
  endpoint.handler.respond = () => 200
  w.clock.advance(3_600_000)
  const again = startWorker(w)
  await waitUntil(() => endpoint.requests.length === 4)
  expect(endpoint.requests.at(-1)!.text).toContain('Four')
  await again()
  await w.ada['comments.add']({ task_id, text: 'Five' })
  expect((await w.bot['webhooks.delete'](self)).deleted).toBe(true)
  const left = (await poll()).map(({ type }) => type)
  expect(left).toEqual(['task.created', ...Array(3).fill('comment.created')])
})

test('a failing endpoint is tried rarely, and receives everything once it responds', async () => {
  const endpoint = webhookServer(() => 500)
  const { w, create, poll, isIdle } = await setUp(endpoint)
  startWorker(w)
  for (let index = 0; index < 50; index++) await create(`Task ${index}`)
  await waitUntil(async () => (await poll()).length === 50)
  await Bun.sleep(200)
  const requestCount = endpoint.requests.length
  // Deliveries that were in progress when the failures were noticed are included.
  expect(requestCount).toBeLessThan(20 + 16)
  await Bun.sleep(200)
  expect(endpoint.requests).toHaveLength(requestCount)
  w.clock.advance(6 * 60_000)
  await waitUntil(() => endpoint.requests.length === requestCount + 1)
  await create('While it fails')
  await waitUntil(
    async () => (await poll()).length === 50 && (await w.bot['webhooks.get'](self)).waiting === 51,
  )
  await Bun.sleep(200)
  expect(endpoint.requests).toHaveLength(requestCount + 1)
  endpoint.handler.respond = () => 200
  w.clock.advance(6 * 60_000)
  await waitUntil(isIdle)
  expect(await poll()).toEqual([])
  expect(new Set(endpoint.ids()).size).toBe(51)
  expect(await w.bot['webhooks.get'](self)).toMatchObject({ failures: 0, resting_until: null })
})

test('a deactivated agent receives its messages only after it is enabled again', async () => {
  const endpoint = webhookServer()
  const { w, create, isIdle } = await setUp(endpoint)
  startWorker(w)
  const agent_id = w.bot.caller.agent_id!
  await w.cleo['agents.deactivate']({ agent_id })
  await create('While it is away')
  await Bun.sleep(300)
  expect(endpoint.requests).toEqual([])
  await w.cleo['agents.enable']({ agent_id })
  await waitUntil(() => endpoint.requests.length === 1)
  await waitUntil(isIdle)
})

test('a message of a board that the agent can no longer see is not sent again', async () => {
  const endpoint = webhookServer(() => 500)
  const { w, create } = await setUp(endpoint)
  startWorker(w)
  await create('Secret by then')
  await waitUntil(async () => (await w.bot['webhooks.get'](self)).failures === 1)
  const sections = [{ title: 'To do' }]
  const { project_id } = await w.ada['projects.create']({
    team_id: w.team_id,
    title: 'Other',
    sections,
  })
  await w.cleo['agents.update']({ agent_id: w.bot.caller.agent_id!, project_ids: [project_id] })
  w.clock.advance(3_600_000)
  await waitUntil(async () => (await w.bot['webhooks.get'](self)).waiting === 0)
  expect(endpoint.requests).toHaveLength(1)
})

test('several servers on one database send each message once', async () => {
  const endpoint = webhookServer(async () => {
    await Bun.sleep(30)
    return 200
  })
  const { w, create, isIdle } = await setUp(endpoint)
  for (let index = 0; index < 60; index++) await create(`Task ${index}`)
  for (let server = 0; server < 3; server++) startWorker(w)
  await waitUntil(() => endpoint.requests.length >= 60)
  await waitUntil(isIdle)
  expect(endpoint.requests).toHaveLength(60)
  expect(new Set(endpoint.ids()).size).toBe(60)
})

test('a stop waits for deliveries in progress, and the next start sends those it cut off', async () => {
  const endpoint = webhookServer(async (_, index) => {
    await Bun.sleep(index === 1 ? 300 : 20_000)
    return 200
  })
  const { w, create, isIdle } = await setUp(endpoint)
  await create('It ends')
  const first = startWorker(w, { timeout: 10_000 })
  await waitUntil(() => endpoint.requests.length === 1)
  await first()
  expect(await isIdle()).toBe(true)
  await create('Interrupted')
  const second = startWorker(w, { timeout: 10_000 })
  await waitUntil(() => endpoint.requests.length === 2)
  const startedAt = performance.now()
  await second()
  expect(performance.now() - startedAt).toBeLessThan(9000)
  expect(await isIdle()).toBe(false)
  endpoint.handler.respond = () => 200
  startWorker(w)
  await waitUntil(isIdle)
  expect(endpoint.ids()[2]).toBe(endpoint.ids()[1]!)
  const { items } = await w.bot['webhooks.deliveries'](self)
  expect(items.map(({ attempt }) => attempt)).toEqual([1, 1])
})

test('a message claimed by a killed server is sent once its claim expires, and not before', async () => {
  const endpoint = webhookServer()
  const { w, create, isIdle } = await setUp(endpoint)
  await create('Taken')
  const [hook] = await w.store.read((tx) => tx.select().from(webhooks))
  await w.store.write((tx) => gatherFor(tx, hook!, w.clock.now))
  const claimed = await w.store.write((tx) => claim(tx, hook!, w.clock.now, 16))
  expect(claimed).toHaveLength(1)
  startWorker(w)
  w.clock.advance(29_000)
  await Bun.sleep(200)
  expect(endpoint.requests).toEqual([])
  w.clock.advance(2000)
  await waitUntil(isIdle)
  expect(endpoint.ids()).toEqual([claimed[0]!.request.id])
})

test('a server alone with its database sends messages claimed before its start at once', async () => {
  const endpoint = webhookServer()
  const { w, create, isIdle } = await setUp(endpoint)
  await create('Taken')
  const [hook] = await w.store.read((tx) => tx.select().from(webhooks))
  await w.store.write((tx) => gatherFor(tx, hook!, w.clock.now))
  const [claimed] = await w.store.write((tx) => claim(tx, hook!, w.clock.now, 16))
  startWorker(w, { isAlone: true })
  await waitUntil(isIdle)
  expect(endpoint.ids()).toEqual([claimed!.request.id])
})
