import { expect, test } from 'bun:test'
import {
  claim,
  gatherFor,
  recordOutcome,
  webhooks,
} from '../../../../src/features/agents/webhooks/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { webhookServer } from '../../../support/webhook-server.ts'
import { type World, world } from '../../../support/world.ts'

const self = { agent_id: 'self' }
const events: 'task.created'[] = ['task.created']

async function hooked() {
  const w = await world()
  w.config.allowHosts.push('127.0.0.1')
  const box = webhookServer()
  await w.bot['webhooks.configure']({ ...self, url: box.url, events })
  return { w, box }
}

/** Sends a message once, which fails, and returns its delivery. */
async function failed(w: World) {
  await w.ada['tasks.create']({ project_id: w.board.project_id, title: 'Mow the lawn' })
  const [hook] = await w.store.read((tx) => tx.select().from(webhooks))
  await w.store.write((tx) => gatherFor(tx, hook!, w.clock.now))
  const [delivery] = await w.store.write((tx) => claim(tx, hook!, w.clock.now, 16))
  const outcome = { at: w.clock.now, ms: 3, status: 502, error: 'It responded 502' }
  await w.store.write((tx) => recordOutcome(tx, delivery!, outcome, w.clock.now))
  const { items } = await w.bot['webhooks.deliveries'](self)
  return items[0]!
}

test('a test sends a real delivery and returns its result, also when it fails', async () => {
  const { w, box } = await hooked()
  const result = await w.cleo['webhooks.test']({ agent_id: w.bot.caller.agent_id! })
  expect(result).toEqual({
    ...{ delivery_id: expect.stringMatching(/^dlv_/), message_id: box.ids()[0]! },
    ...{ type: 'webhook.test', kind: 'test', attempt: 1, delivered: true, status: 204 },
    ...{ error: null, ms: expect.any(Number), at: w.clock.now.toISOString() },
  })
  expect(box.requests[0]!.body).toEqual({
    ...{ id: result.message_id, type: 'webhook.test', created_at: w.clock.now.toISOString() },
    ...{
      project_id: null,
      actor: { kind: 'agent', agent_id: w.bot.caller.agent_id!, name: 'Bot' },
    },
    data: { text: 'This is a test of the webhook' },
  })
  expect((await w.bot['messages.list']({})).items).toEqual([])
  box.handler.respond = () => 302
  expect(await w.bot['webhooks.test'](self)).toMatchObject({
    ...{ delivered: false, status: 302, error: expect.stringContaining('not followed') },
  })
  w.config.allowHosts.pop()
  expect(await w.bot['webhooks.test'](self)).toMatchObject({
    ...{ delivered: false, status: null, error: 'It is not an https address' },
  })
  expect((await w.bot['webhooks.deliveries'](self)).items).toHaveLength(3)
  expect(await w.changeTypes()).toEqual(['webhook.configured'])
})

test('a replay sends the same message with the same id, and a success acknowledges it', async () => {
  const { w, box } = await hooked()
  const { delivery_id, message_id } = await failed(w)
  expect((await w.bot['messages.list']({})).items.map(({ id }) => id)).toEqual([message_id])
  box.handler.respond = () => 500
  expect(await w.bot['webhooks.replay']({ ...self, delivery_id })).toMatchObject({
    ...{ message_id, kind: 'replay', attempt: 2, delivered: false, type: 'task.created' },
  })
  expect((await w.bot['messages.list']({})).items).toHaveLength(1)
  box.handler.respond = () => 200
  const again = await w.bot['webhooks.replay']({ ...self, delivery_id })
  expect(again).toMatchObject({ message_id, attempt: 3, delivered: true })
  expect(box.ids()).toEqual([message_id, message_id])
  expect(box.requests[0]!.text).toBe(box.requests[1]!.text)
  expect((await w.bot['messages.list']({})).items).toEqual([])
  expect(await w.bot['webhooks.get'](self)).toMatchObject({ waiting: 0, failures: 0 })
  // A message that is already acknowledged can be replayed, too.
  await w.bot['webhooks.replay']({ ...self, delivery_id: again.delivery_id })
  expect(box.ids()).toHaveLength(3)
})

test('a webhook lists its 10 newest deliveries, and a message can be replayed by message_id', async () => {
  const { w, box } = await hooked()
  const { delivery_id, message_id } = await failed(w)
  const before = await w.bot['webhooks.get'](self)
  expect(before.recent_deliveries).toMatchObject([{ delivery_id, message_id, delivered: false }])
  expect(await w.bot['webhooks.replay']({ ...self, delivery_id: message_id })).toMatchObject({
    ...{ message_id, kind: 'replay', attempt: 2, delivered: true },
  })
  expect(box.ids()).toEqual([message_id])
  for (let at = 0; at < 12; at++) await w.bot['webhooks.test'](self)
  const { recent_deliveries } = await w.bot['webhooks.get'](self)
  expect(recent_deliveries.map(({ kind }) => kind)).toEqual(Array(10).fill('test'))
})

test('a replayed test has the same body and id, with a new timestamp', async () => {
  const { w, box } = await hooked()
  const { delivery_id } = await w.bot['webhooks.test'](self)
  w.clock.advance(60_000)
  await w.bot['webhooks.replay']({ ...self, delivery_id })
  expect(box.requests[1]!.text).toBe(box.requests[0]!.text)
  const [first, second] = box.requests.map(({ headers }) => headers)
  expect(second!['webhook-id']).toBe(first!['webhook-id']!)
  expect(Number(second!['webhook-timestamp'])).toBe(Number(first!['webhook-timestamp']) + 60)
})

test('tests and replays are refused for an inactive webhook or agent, or an unknown delivery', async () => {
  const { w, box } = await hooked()
  const { delivery_id } = await failed(w)
  const agent_id = w.bot.caller.agent_id!
  expect(await faultOf(w.bot['webhooks.replay']({ ...self, delivery_id: 'dlv_x' }))).toMatchObject({
    ...{ code: 'not_found', details: { field: 'delivery_id' } },
  })
  const second = w.toActor(await w.addAgent(w.team_id, w.cleo, 'Second'))
  await second['webhooks.configure']({ ...self, url: box.url, events })
  expect((await faultOf(second['webhooks.replay']({ ...self, delivery_id }))).code).toBe(
    'not_found',
  )
  await w.bot['webhooks.configure']({ ...self, active: false })
  for (const call of [
    () => w.bot['webhooks.test'](self),
    () => w.bot['webhooks.replay']({ ...self, delivery_id }),
  ])
    expect(await faultOf(call())).toMatchObject({ hint: expect.stringContaining('active true') })
  await w.bot['webhooks.configure']({ ...self, active: true })
  await w.cleo['agents.deactivate']({ agent_id })
  expect(await faultOf(w.cleo['webhooks.test']({ agent_id }))).toMatchObject({ code: 'conflict' })
  expect(box.requests).toEqual([])
})

test('a message of a board that the agent can no longer see is not replayed', async () => {
  const { w, box } = await hooked()
  const { delivery_id } = await failed(w)
  const sections = [{ title: 'To do' }]
  const other = await w.ada['projects.create']({ team_id: w.team_id, title: 'Other', sections })
  const agent_id = w.bot.caller.agent_id!
  await w.cleo['agents.update']({ agent_id, project_ids: [other.project_id] })
  const replay = w.cleo['webhooks.replay']({ agent_id, delivery_id })
  expect((await faultOf(replay)).code).toBe('conflict')
  expect(box.requests).toEqual([])
})
