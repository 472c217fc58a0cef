import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { messagePlaces } from '../../../../src/features/agents/messages/model/index.ts'
import {
  agentDeliveries,
  deleteOrphans,
  webhookDeliveries,
  webhooks,
} from '../../../../src/features/agents/webhooks/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { databaseContents } from '../../../support/tables.ts'
import { webhookServer } from '../../../support/webhook-server.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const URL = 'https://example.com/hook'
const events: ('task.assigned' | 'comment.mention')[] = ['task.assigned', 'comment.mention']
const self = { agent_id: 'self' }

type WebhookInput = Parameters<Actor['webhooks.configure']>[0]
const idOf = ({ caller }: Actor) => caller.agent_id!
const configureWebhook = (w: World, overrides: Partial<WebhookInput> = {}) =>
  w.bot['webhooks.configure']({ ...self, url: URL, events, ...overrides })

test('a new webhook returns its secret once; no table, change, log line or later read has it', async () => {
  const w = await world()
  const webhook = await configureWebhook(w)
  expect(webhook).toEqual({
    ...{ agent_id: idOf(w.bot), url: URL, events, active: true, project_id: null },
    ...{ created_at: w.clock.now.toISOString(), updated_at: w.clock.now.toISOString() },
    ...{ created: true, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
  })
  const other = w.toActor(await w.addAgent(w.team_id, w.cleo, 'Second'))
  const second = await other['webhooks.configure']({ ...self, url: URL, events })
  expect(second.secret).not.toBe(webhook.secret)
  const readings = [
    await databaseContents(w),
    await w.bot['webhooks.get'](self),
    await w.bot['webhooks.deliveries'](self),
    await w.changes(),
    w.logRecords,
  ]
  const secret = webhook.secret!.slice('whsec_'.length)
  expect(JSON.stringify(readings)).not.toContain(secret)
  expect(JSON.stringify(readings)).not.toContain(Buffer.from(secret, 'base64').toString('hex'))
  expect(await w.changeTypes()).toEqual(['webhook.configured', 'webhook.configured'])
  expect((await w.changes())[0]).toMatchObject({
    ...{ team_id: w.team_id, project_id: null },
    data: { agent_id: idOf(w.bot), created: true, host: 'example.com', events, active: true },
  })
})

test('a second configure changes only the given fields and returns no secret', async () => {
  const w = await world()
  await configureWebhook(w)
  w.clock.advance(1000)
  const { project_id } = w.board
  const changed = await w.bot['webhooks.configure']({ ...self, active: false, project_id })
  expect(changed).toMatchObject({ url: URL, events, active: false, project_id, created: false })
  expect(changed).not.toHaveProperty('secret')
  const again = await w.bot['webhooks.configure']({
    ...{ ...self, events: ['run.created', 'run.created'], project_id: null },
  })
  expect(again).toMatchObject({ events: ['run.created'], active: false, project_id: null })
  expect(await w.bot['webhooks.get'](self)).toEqual({
    ...{ agent_id: idOf(w.bot), url: URL, events: ['run.created'], active: false },
    ...{ project_id: null, waiting: 0, failures: 0, resting_until: null },
    ...{ last_delivered_at: null, old_secret_until: null, recent_deliveries: [] },
    created_at: new Date(w.clock.now.getTime() - 1000).toISOString(),
    updated_at: w.clock.now.toISOString(),
  })
  const rows = await w.store.read((tx) => tx.select().from(webhooks))
  expect(rows).toHaveLength(1)
})

test('an agent manages its own webhook, a person those of the agents they may manage', async () => {
  const w = await world()
  const agent_id = idOf(w.bot)
  await w.cleo['webhooks.configure']({ agent_id, url: URL, events })
  for (const actor of [w.bot, w.cleo, w.ben, w.ada])
    expect((await actor['webhooks.get']({ agent_id: agent_id.toUpperCase() })).url).toBe(URL)
  const second = w.toActor(await w.addAgent(w.team_id, w.ada, 'Second'))
  for (const call of [
    () => second['webhooks.get']({ agent_id }),
    () => w.cleo['webhooks.get']({ agent_id: idOf(second) }),
    () => w.cleo['webhooks.configure']({ agent_id: idOf(second), url: URL, events }),
    () => w.bot['webhooks.delete']({ agent_id: idOf(second) }),
    () => w.gus['webhooks.get']({ agent_id }),
  ])
    expect((await faultOf(call())).code).toBe('not_manager')
  expect(await faultOf(w.cleo['webhooks.get'](self))).toMatchObject({
    ...{ code: 'invalid', details: { field: 'agent_id', code: 'out_of_range' } },
  })
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nobody'])
    expect((await faultOf(w.cleo['webhooks.get']({ agent_id: id }))).code).toBe('not_found')
  expect((await faultOf(w.otto['webhooks.get']({ agent_id }))).code).toBe('not_found')
  const limited = w.toActor(await w.authenticateAs(w.cleo.caller.actor_id, 'key', ['profile:read']))
  expect((await faultOf(limited['webhooks.get']({ agent_id }))).code).toBe('not_manager')
})

test('operations on a missing webhook are refused with a hint to configure it', async () => {
  const w = await world()
  for (const name of ['get', 'test', 'rotate', 'delete', 'deliveries'] as const)
    expect([name, await faultOf(w.bot[`webhooks.${name}`](self))]).toMatchObject([
      name,
      { code: 'not_found', hint: expect.stringContaining('configure') },
    ])
  expect(await w.changeTypes()).toEqual([])
})

test('configure refuses a URL that is not https or whose host is not public', async () => {
  const w = await world()
  for (const [url, code] of [
    ...['http://example.com/hook', 'hook', 'ftp://example.com/', 'https://ada:pw@example.com/'].map(
      (one) => [one, 'invalid_format'] as const,
    ),
    ...['127.0.0.1', 'localhost', '[::1]', '10.0.0.8', '169.254.169.254', '2130706433'].map(
      (host) => [`https://${host}/hook`, 'out_of_range'] as const,
    ),
  ])
    expect([url, (await faultOf(configureWebhook(w, { url }))).details]).toMatchObject([
      url,
      { field: 'url', code },
    ])
  w.config.allowHosts.push('127.0.0.1')
  expect((await configureWebhook(w, { url: 'http://127.0.0.1:9/x' })).url).toBe(
    'http://127.0.0.1:9/x',
  )
  expect(await w.changeTypes()).toEqual(['webhook.configured'])
})

test('an unknown event gets a suggestion or the valid ones; url and events are required', async () => {
  const w = await world()
  expect(await faultOf(configureWebhook(w, { events: ['task.asigned'] }))).toMatchObject({
    ...{ code: 'invalid', hint: 'Did you mean task.assigned?' },
    details: { field: 'events.0', code: 'out_of_range', value: 'task.asigned' },
  })
  expect(await faultOf(configureWebhook(w, { events: ['comment.created', 'x'] }))).toMatchObject({
    ...{ details: { field: 'events.1' }, hint: expect.stringContaining('chat.message') },
  })
  expect((await faultOf(configureWebhook(w, { events: [] }))).details.field).toBe('events')
  for (const field of ['url', 'events'])
    expect((await faultOf(configureWebhook(w, { [field]: undefined }))).details).toMatchObject({
      ...{ field, code: 'required' },
    })
  expect(await w.changeTypes()).toEqual([])
})

test('a webhook can only be limited to a board that its agent can see', async () => {
  const w = await world()
  const { project_id } = w.board
  const team_id = w.otherTeamId
  const sections = [{ title: 'To do' }]
  const foreignBoard = await w.otto['projects.create']({ team_id, title: 'Far', sections })
  for (const id of [foreignBoard.project_id, 999])
    expect((await faultOf(configureWebhook(w, { project_id: id }))).details).toMatchObject({
      ...{ field: 'project_id', code: 'not_found' },
    })
  expect((await configureWebhook(w, { project_id })).project_id).toBe(project_id)
})

test('rotate returns a new secret, and the old one also signs messages for another day', async () => {
  const w = await world()
  w.config.allowHosts.push('127.0.0.1')
  const box = webhookServer()
  const { secret: old } = await configureWebhook(w, { url: box.url })
  const { secret, ...rest } = await w.bot['webhooks.rotate'](self)
  expect(secret).toMatch(/^whsec_/)
  expect(secret).not.toBe(old!)
  const old_secret_until = new Date(w.clock.now.getTime() + 86_400_000).toISOString()
  expect(rest).toEqual({ agent_id: idOf(w.bot), old_secret_until })
  expect((await w.bot['webhooks.get'](self)).old_secret_until).toBe(old_secret_until)
  const signatures = async () => {
    await w.bot['webhooks.test'](self)
    return box.requests.at(-1)!.headers['webhook-signature']!.split(' ').length
  }
  expect(await signatures()).toBe(2)
  w.clock.advance(86_400_000)
  expect(await signatures()).toBe(1)
  expect((await w.bot['webhooks.get'](self)).old_secret_until).toBeNull()
  expect(await w.changeTypes()).toEqual(['webhook.configured', 'webhook.rotated'])
})

test('a deleted webhook is gone, and configuring it again returns a secret', async () => {
  const w = await world()
  await configureWebhook(w)
  expect(await w.bot['webhooks.delete'](self)).toEqual({
    ...{ agent_id: idOf(w.bot), deleted: true, released: 0 },
  })
  expect((await faultOf(w.bot['webhooks.get'](self))).code).toBe('not_found')
  expect(await w.store.read((tx) => tx.select().from(webhooks))).toEqual([])
  expect(await w.changeTypes()).toEqual(['webhook.configured', 'webhook.deleted'])
  const { secret } = await configureWebhook(w)
  expect(secret).toMatch(/^whsec_/)
})

test('archiving an agent deletes its webhook and stops selecting events for it', async () => {
  const w = await world()
  await configureWebhook(w)
  await w.store.write(deleteOrphans)
  expect(await w.store.read((tx) => tx.select().from(webhooks))).toHaveLength(1)
  await w.cleo['agents.archive']({ agent_id: idOf(w.bot) })
  await w.store.write(deleteOrphans)
  expect(await w.store.read((tx) => tx.select().from(webhooks))).toEqual([])
  const places = await w.store.read((tx) => tx.select().from(messagePlaces))
  expect(places.map(({ wanted: eventNames }) => eventNames)).toEqual([null])
})

test('over REST a webhook is configured with PUT, and that of another team responds 404', async () => {
  const w = await world()
  const path = `/api/v1/agents/${idOf(w.bot)}/webhook`
  const response = await w.http(w.cleo, 'PUT', path, { url: URL, events })
  expect([response.status, response.body.data.created]).toEqual([200, true])
  expect((await w.http(w.bot, 'GET', '/api/v1/agents/self/webhook')).body.data.url).toBe(URL)
  expect((await w.http(w.otto, 'GET', path)).status).toBe(404)
  expect((await w.http(w.gus, 'GET', path)).body).toMatchObject({ error: 'Authentication failed' })
  expect((await w.http(w.bot, 'DELETE', path)).body.data.deleted).toBe(true)
})

test('a sweep keeps the newest 1,000 deliveries of the last 30 days', async () => {
  const w = await world()
  await configureWebhook(w)
  const [hook] = await w.store.read((tx) => tx.select().from(webhooks))
  const { team_id, webhook_id } = hook!
  const row = (index: number, at: Date) => ({
    ...{ delivery_id: `dlv_${index}`, team_id, webhook_id, message_id: 'm', type: 'x', at },
    ...{ kind: 'test' as const, attempt: 1, ms: 1, status: 200, error: null, body: null },
  })
  const old = new Date(w.clock.now.getTime() - 31 * 86_400_000)
  await w.store.write(async (tx) => {
    for (let from = 0; from < 1205; from += 241)
      await tx
        .insert(webhookDeliveries)
        .values(Array.from({ length: 241 }, (_, at) => row(from + at, w.clock.now)))
    await tx.insert(webhookDeliveries).values(row(5000, old))
  })
  const sweep = () => w.store.write((tx) => agentDeliveries.sweep(tx, w.clock.now))
  let deletedCount = 0
  for (let deleted = await sweep(); deleted; deleted = await sweep()) deletedCount += deleted
  expect(deletedCount).toBe(206 + 1)
  const left = await w.store.read((tx) =>
    tx
      .select({ delivery_id: webhookDeliveries.delivery_id })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhook_id, webhook_id)),
  )
  expect(left).toHaveLength(999)
  expect(left.some(({ delivery_id }) => delivery_id === 'dlv_205')).toBe(false)
  const { items, page } = await w.bot['webhooks.deliveries'](self)
  expect([items[0]!.delivery_id, page.total]).toEqual(['dlv_1204', 999])
})
