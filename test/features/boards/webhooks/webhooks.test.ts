import { expect, setSystemTime, test } from 'bun:test'
import pino from 'pino'
import { Webhook } from 'standardwebhooks'
import { createServer } from '../../../../src/server/app.ts'
import { startDeliveries } from '../../../../src/workers/index.ts'
import { addCleanup } from '../../../support/database.ts'
import { faultOf } from '../../../support/faults.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { runRules } from '../../../support/rules.ts'
import { waitUntil } from '../../../support/wait.ts'
import { webhookServer } from '../../../support/webhook-server.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

type Fields = Record<string, unknown>
const EVENTS = ['task.created', 'task.moved', 'task.completed', 'comment.created']

async function setUp(endpoint: { url: string }, more: (w: World) => Fields = () => ({})) {
  const w = await world()
  w.config.allowHosts.push('127.0.0.1')
  w.clock.advance(1000)
  const { project_id } = w.board
  const hook = await w.ada['board_webhooks.create']({
    ...{ project_id, url: endpoint.url, events: EVENTS },
    ...more(w),
  } as never)
  const at = { project_id, webhook_id: hook.webhook_id }
  const read = async () =>
    (await w.ada['board_webhooks.list']({ project_id })).items.find(
      ({ webhook_id }) => webhook_id === hook.webhook_id,
    )!
  const isIdle = async () => (await read()).waiting === 0
  return { w, at, secret: hook.secret, read, isIdle }
}

/** Queues and delivers as the server does, only more often. */
function startWorker(w: World) {
  const { store, clock } = w
  const server = createServer({ config: w.config, key: w.key })
  const log = pino({ level: 'silent' })
  const stop = startDeliveries({
    ...{ store, server, clock: clock.read, log, cycle: 0.05, timeout: 5000, isAlone: true },
  })
  addCleanup(stop)
  return stop
}

const deliver = async (w: World, isDone: () => boolean | Promise<boolean>) => {
  await waitForFollowers(w, 'board-webhooks')
  const stop = startWorker(w)
  await waitUntil(isDone)
  await stop()
}

test('events of a board are delivered once, signed, with their task', async () => {
  const endpoint = webhookServer()
  const { w, secret, isIdle } = await setUp(endpoint)
  const { copy } = w.tasks
  await w.cleo['tasks.create']({ project_id: w.board.project_id, title: 'Mow the lawn' })
  await w.cleo['tasks.update']({ ...copy, section_id: w.sections.Review })
  await w.cleo['tasks.update']({ ...copy, title: 'Not selected' })
  await w.cleo['comments.add']({ ...copy, text: 'Look' })
  await deliver(w, isIdle)
  expect(endpoint.types().sort()).toEqual(['comment.created', 'task.created', 'task.moved'])
  const { headers, text, body } = endpoint.requests.find((one) => one.body.type === 'task.moved')!
  expect(body).toMatchObject({
    ...{ id: headers['webhook-id'], project_id: w.board.project_id },
    actor: { kind: 'person', name: 'Cleo' },
    data: {
      task: { ticket_number: 'HP-2', section: 'Review', labels: [], done: false },
      after: { section: 'Review' },
    },
  })
  setSystemTime(w.clock.now)
  expect(new Webhook(secret).verify(text, headers)).toEqual(body)
  setSystemTime()
})

test('filters by column and label leave out other tasks', async () => {
  const endpoint = webhookServer()
  const { w, isIdle } = await setUp(endpoint, (w) => ({
    events: ['comment.created'],
    section_ids: [w.sections.Inbox, w.sections.Next],
    label_ids: [w.labels.bug],
  }))
  for (const task of Object.values(w.tasks)) await w.cleo['comments.add']({ ...task, text: 'Hi' })
  await deliver(w, isIdle)
  const tickets = endpoint.requests.map(
    ({ body }) => (body.data as { task: { ticket_number: string } }).task.ticket_number,
  )
  expect(tickets).toEqual([w.tasks.link.ticket_number])
})

test('a webhook of a team receives events of its boards that its creator can see', async () => {
  const endpoint = webhookServer()
  const { w } = await setUp(endpoint, () => ({ active: false }))
  const { team_id } = w
  const url = endpoint.url
  await w.ada['board_webhooks.create']({ team_id, url, events: ['task.created'] } as never)
  const secret = await w.ada['projects.create']({
    team_id,
    title: 'Secret',
    sections: [{ title: 'A' }],
  })
  await w.ada['tasks.create']({ project_id: secret.project_id, title: 'Hidden plan' })
  await w.cleo['tasks.create']({ project_id: w.board.project_id, title: 'Public plan' })
  await deliver(w, () => endpoint.requests.length === 2)
  expect(endpoint.types()).toEqual(['task.created', 'task.created'])
})

test('what its creator can no longer see is not sent, and a webhook without a creator stops', async () => {
  const endpoint = webhookServer()
  const w = await world()
  w.config.allowHosts.push('127.0.0.1')
  w.clock.advance(1000)
  const { project_id } = w.board
  await w.ben['board_webhooks.create']({ project_id, url: endpoint.url, events: ['task.created'] })
  await w.cleo['tasks.create']({ project_id, title: 'Plan' })
  await waitForFollowers(w, 'board-webhooks')
  await w.ada['teams.remove_member']({
    team_id: w.team_id,
    user_id: w.ben.caller.actor_id,
  } as never)
  const list = async () => (await w.ada['board_webhooks.list']({ project_id })).items[0]!
  await deliver(w, async () => (await list()).active === false)
  expect((await list()).paused_reason).toContain('no access')
  expect(endpoint.requests).toHaveLength(0)
})

test('a failing webhook is tried again and loses nothing', async () => {
  const endpoint = webhookServer((_, nth) => (nth === 1 ? 500 : 204))
  const { w, at, isIdle, read } = await setUp(endpoint)
  await w.cleo['tasks.create']({ project_id: w.board.project_id, title: 'Plan' })
  await deliver(w, async () => (await read()).failures === 1)
  w.clock.advance(60_000)
  await deliver(w, isIdle)
  expect(new Set(endpoint.ids()).size).toBe(1)
  const { items } = await w.ada['board_webhooks.deliveries'](at)
  expect(items.map(({ attempt, status }) => [attempt, status])).toEqual([
    [2, 204],
    [1, 500],
  ])
  expect(await read()).toMatchObject({ failures: 0 })
})

test('a webhook that keeps failing rests, is probed, and then receives what waited', async () => {
  const endpoint = webhookServer(() => 503)
  const { w, read, isIdle } = await setUp(endpoint)
  const { project_id } = w.board
  for (let at = 0; at < 25; at++) await w.cleo['tasks.create']({ project_id, title: `Plan ${at}` })
  await deliver(w, async () => (await read()).failures >= 20)
  expect((await read()).resting_until).not.toBeNull()
  endpoint.handler.respond = () => 204
  w.clock.advance(3_600_000)
  await deliver(w, isIdle)
  const delivered = new Set(endpoint.ids())
  expect(delivered.size).toBe(25)
})

test('a test and a replay are sent at once, and the secret rotates with a day of overlap', async () => {
  const endpoint = webhookServer()
  const { w, at, secret } = await setUp(endpoint)
  expect(await w.ada['board_webhooks.test'](at)).toMatchObject({ kind: 'test', delivered: true })
  const { items } = await w.ada['board_webhooks.deliveries'](at)
  const { delivery_id } = items[0]!
  const again = await w.ada['board_webhooks.replay']({ ...at, delivery_id })
  expect(again).toMatchObject({ kind: 'replay', attempt: 2, delivered: true })
  expect(endpoint.ids()[0]).toBe(endpoint.ids()[1]!)
  const rotated = await w.ada['board_webhooks.rotate'](at)
  await w.ada['board_webhooks.test'](at)
  const { headers, text } = endpoint.requests.at(-1)!
  setSystemTime(w.clock.now)
  for (const one of [secret, rotated.secret])
    expect(() => new Webhook(one).verify(text, headers)).not.toThrow()
  setSystemTime()
})

test('a rule sends a task to a webhook of its board', async () => {
  const endpoint = webhookServer()
  const { w, at, isIdle } = await setUp(endpoint, () => ({ events: ['run.failed'] }))
  const { webhook_id, project_id } = at
  const rule = await w.ada['rules.create']({
    ...{ project_id, when: { event: 'task_completed' } },
    actions: [{ do: 'send_webhook', webhook_id }],
  })
  expect(rule.sentence).toBe('When a task is completed, send it to the webhook 127.0.0.1')
  await w.cleo['tasks.update']({ ...w.tasks.copy, section_id: w.sections.Done })
  await runRules(w)
  await deliver(w, isIdle)
  expect(endpoint.requests.map(({ body }) => body)).toMatchObject([
    { type: 'rule.fired', data: { rule_id: rule.rule_id, task: { ticket_number: 'HP-2' } } },
  ])
})

test('only people who manage the place see and change its webhooks', async () => {
  const endpoint = webhookServer()
  const { w, at } = await setUp(endpoint)
  const { project_id } = at
  const create = (actor: Actor, where: Fields) =>
    actor['board_webhooks.create']({ ...where, url: endpoint.url, events: EVENTS } as never)
  for (const actor of [w.cleo, w.gus, w.bot, w.otto]) {
    await expect(actor['board_webhooks.list']({ project_id })).rejects.toThrow()
    await expect(create(actor, { project_id })).rejects.toThrow()
    await expect(create(actor, { team_id: w.team_id })).rejects.toThrow()
  }
  const both = await faultOf(create(w.ada, { project_id, team_id: w.team_id }))
  expect(both.details).toMatchObject({ field: 'project_id' })
  const unknown = await faultOf(
    w.ada['board_webhooks.create']({ project_id, url: endpoint.url, events: ['task.moves'] }),
  )
  expect(unknown.details).toMatchObject({ field: 'events.0' })
})

test('those of boards and of teams work over HTTP, and the secret is shown only once', async () => {
  const endpoint = webhookServer()
  const { w } = await setUp(endpoint)
  const route = '/api/v1/webhooks'
  for (const place of [{ project_id: w.board.project_id }, { team_id: w.team_id }]) {
    const body = { ...place, url: endpoint.url, events: ['task.created'] }
    const created = await w.http(w.ada, 'POST', route, body)
    expect(created.status).toBe(201)
    const { webhook_id, secret } = created.body.data as { webhook_id: number; secret: string }
    expect(secret).toStartWith('whsec_')
    const query = new URLSearchParams(Object.entries(place).map(([k, v]) => [k, String(v)]))
    const listed = await w.http(w.ada, 'GET', `${route}?${query}`)
    expect(listed.status).toBe(200)
    expect(listed.text).not.toContain('whsec_')
    const deleted = await w.http(w.ada, 'DELETE', `${route}/${webhook_id}?${query}`)
    expect(deleted.status).toBe(200)
  }
})
