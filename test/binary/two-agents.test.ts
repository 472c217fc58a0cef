import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { waitUntil } from '../support/wait.ts'
import {
  type ConnectedClient,
  connectClient,
  type Json,
  startWebhookEndpoint,
} from './agent-client.ts'
import { type BoardServer, startBoardServer } from './board-server.ts'

/**
 * A person and two agents share a board. Each test builds on the previous ones. The person uses REST
 * and MCP; the agents have nothing but the configuration that was shown once.
 */
let server: BoardServer
let ada: ConnectedClient
let scout: ConnectedClient
let scribe: ConnectedClient
const agentIds: Record<'scout' | 'scribe', string> = { scout: '', scribe: '' }
let project_id: number
let sectionIds: Record<'todo' | 'doing' | 'done', number>
/** The ticket numbers of the tasks on the board. */
let firstKey: string
let secondKey: string
let thirdKey: string

const CLAIM = '/api/mcp/tasks/lease/claim'
const webhook = startWebhookEndpoint()

beforeAll(async () => {
  server = await startBoardServer({ CORK_ALLOW_HOSTS: '127.0.0.1', CORK_WEBHOOK_CYCLE: '0.2' })
  ada = await connectClient({
    ...{ type: 'http', url: `${server.url}/mcp` },
    headers: { Authorization: `Bearer ${server.apiKey}` },
  })
})

afterAll(async () => {
  for (const one of [ada, scout, scribe]) await one?.close()
  webhook.close()
  await server?.close()
})

/** A task as that caller sees it. */
const readTask = async (actor: ConnectedClient, ticket_number: string): Promise<Json> =>
  actor.callTool('svc_tasks', 'get', { ticket_number })

/** Reads and acknowledges all pending messages of an agent. */
async function acknowledgeAll(actor: ConnectedClient): Promise<Json[]> {
  const { data } = await actor.rest('GET', '/api/v1/agents/self/messages?limit=50')
  const ids = data.map(({ id }: Json) => id)
  const { data: result } = await actor.rest('POST', '/api/v1/agents/self/messages/ack', { ids })
  expect(result).toEqual({ acknowledged: ids.length, unknown: [] })
  return data
}

/** Waits for a notification of that kind about that task. */
const waitForNotification = (
  actor: ConnectedClient,
  kind: string,
  ticket_number: string,
): Promise<Json> =>
  waitUntil(async () =>
    (await actor.callTool('svc_inbox', 'list')).find(
      (one: Json) => one.kind === kind && one.task.ticket_number === ticket_number,
    ),
  )

test('a person creates a board and two agents, which connect with the configuration shown once', async () => {
  const { team_id } = server
  const board = await ada.callTool('svc_projects', 'create', {
    ...{ team_id, title: 'Hut' },
    sections: ['To do', 'Doing', 'Done'].map((title) => ({ title })),
    tasks: ['Mend the roof', 'Hang the door', 'Light the lamp'].map((title, at) => ({
      ...{ title, section_index: 0, priority: at + 1 },
    })),
  })
  project_id = board.project_id
  const [todo, doing, done] = board.sections.map((one: Json) => one.section_id)
  sectionIds = { todo, doing, done }
  ;[firstKey, secondKey, thirdKey] = board.tasks
  await ada.rest('PUT', `/api/mcp/projects/${project_id}/instructions`, {
    custom_instruction: 'Measure twice',
  })
  const overRest = await ada.rest('POST', '/api/v1/agents', { team_id, name: 'Scout' })
  expect(overRest.status).toBe(201)
  const overMcp = await ada.callTool('svc_agents', 'create', { team_id, name: 'Scribe' })
  agentIds.scout = overRest.data.agent_id
  agentIds.scribe = overMcp.agent_id
  scout = await connectClient(overRest.data.client_configuration)
  scribe = await connectClient(overMcp.client_configuration)
  for (const [one, name] of [
    [scout, 'Scout'],
    [scribe, 'Scribe'],
  ] as const) {
    const hello = await one.callTool('svc_user_context', 'hello')
    expect(hello).toMatchObject({ you: { kind: 'agent', name, owner_id: server.user_id } })
    expect(hello.start).toContain('svc_tasks next')
  }
  const listed = await ada.callTool('svc_agents', 'list', { team_id })
  expect(listed.map((one: Json) => one.name).sort()).toEqual(['Scout', 'Scribe'])
  const token = overRest.data.client_configuration.headers.Authorization.split(' ')[1]
  expect(JSON.stringify([listed, await ada.readAllEvents()])).not.toContain(token)
  const { data } = await ada.rest('GET', `/api/v1/agents/${agentIds.scout}`)
  expect(data).toMatchObject({ hasMcpToken: true, present: true })
})

let lease: { lease_id: string; ticket_number: string }

test('two agents that claim the next task at once get different tasks', async () => {
  const claimNext = (actor: ConnectedClient) =>
    actor.callTool('svc_tasks', 'next', { project_id, claim: true })
  const claims = await Promise.all([claimNext(scout), claimNext(scribe)])
  const [mine, other] = claims.map(([one]) => one)
  expect([mine.ticket_number, other.ticket_number].sort()).toEqual([firstKey, secondKey].sort())
  lease = { lease_id: mine.lease.lease_id, ticket_number: mine.ticket_number }
  // Scout cannot claim Scribe's task and gets its name; it claims the third task over REST.
  const conflict = await scout.rest('POST', CLAIM, { ticket_number: other.ticket_number })
  expect([conflict.status, conflict.envelope.details.expires_at]).toEqual([
    409,
    other.lease.expires_at,
  ])
  expect(conflict.envelope.message).toContain('Scribe')
  expect(JSON.stringify(conflict)).not.toContain(other.lease.lease_id)
  const third = await scout.rest('POST', CLAIM, { ticket_number: thirdKey, ttl: 60_000 })
  expect(third.data).toMatchObject({ ticket_number: thirdKey, ttl: 60_000 })
  expect(await claimNext(scribe)).toEqual([])
  const { status, data } = await scout.rest('POST', '/api/mcp/tasks/lease/release', {
    lease_id: third.data.lease_id,
  })
  expect([status, data.released]).toEqual([200, true])
  // From here on `roof` is the task that Scout claimed and `door` the one that Scribe claimed.
  ;[firstKey, secondKey] = [mine.ticket_number, other.ticket_number]
})

test('an agent without a lease is refused an update and gets a hint how to claim one', async () => {
  const before = await readTask(ada, thirdKey)
  const update = { ticket_number: thirdKey, priority: 'Urgent' }
  const overMcp = await scout.expectRefusal('svc_tasks', 'update', update)
  expect(overMcp).toMatchObject({ error: 'AgentMutationLeaseMissingError' })
  const overRest = await scout.rest('PATCH', `/api/v1/tasks/${thirdKey}`, { priority: 'Urgent' })
  expect([overRest.status, overRest.envelope.error]).toEqual([428, overMcp.error])
  expect(`${overMcp.message} ${overMcp.hint}`).toContain('svc_tasks claim')
  expect(overRest.envelope.message).toContain('POST /api/mcp/tasks/lease/claim')
  const foreign = await scout.rest('PATCH', `/api/v1/tasks/${secondKey}`, { priority: 'Urgent' })
  expect([foreign.status, foreign.envelope.message]).toEqual([
    409,
    expect.stringContaining('Scribe'),
  ])
  expect(await readTask(ada, thirdKey)).toEqual(before)
})

test('under its lease an agent updates the task, comments on it and adds evidence', async () => {
  const { ticket_number, lease_id } = lease
  const context = await scout.callTool('svc_tasks', 'context', { ticket_number })
  expect(context.board.custom_instruction).toBe('Measure twice')
  await scout.callTool('svc_tasks', 'update', {
    ticket_number,
    section_id: sectionIds.doing,
    lease_id,
  })
  const heartbeat = await scout.rest('POST', '/api/mcp/tasks/lease/heartbeat', { lease_id })
  expect(heartbeat.data).toMatchObject({ lease_id, ticket_number })
  const text = 'Twelve **shingles** are missing'
  await scout.callTool('svc_comments', 'add', { ticket_number, text, content_type: 'markdown' })
  const evidence = await scout.rest('POST', `/api/v1/tasks/${ticket_number}/evidence`, {
    ...{ kind: 'link', summary: 'The roof', url: 'https://example.com/roof.jpg' },
  })
  expect(evidence.status).toBe(201)
  const { data } = await ada.rest('GET', `/api/v1/tasks/${ticket_number}/evidence`)
  expect(data).toMatchObject([{ summary: 'The roof', created_by: { name: 'Scout' } }])
})

test('assigning a task ends the other agent’s long poll and queues a run for it', async () => {
  const { ticket_number, lease_id } = lease
  await scout.rest('POST', '/api/mcp/tasks/lease/release', { lease_id })
  const before = await acknowledgeAll(scribe)
  expect(before.map(({ type, actor }) => `${type} by ${actor.name}`)).toEqual([
    ...['task.updated by Scout', 'comment.created by Scout'],
  ])
  const poll = scribe.rest('GET', '/api/v1/agents/self/messages?wait=20')
  await Bun.sleep(200)
  const startedAt = performance.now()
  await ada.callTool('svc_tasks', 'assign', { ticket_number, agent_id: agentIds.scribe })
  const { data } = await poll
  expect(performance.now() - startedAt).toBeLessThan(15_000)
  expect(data.map((one: Json) => [one.type, one.actor.name])).toContainEqual([
    ...['task.assigned', 'Ada'],
  ])
  const run = await waitUntil(async () => {
    const runs = await scribe.rest('GET', `/api/v1/tasks/${ticket_number}/runs`)
    return runs.data.find((one: Json) => one.agent.agent_id === agentIds.scribe)
  })
  expect(run.state).toBe('queued')
  // A mention during an open run prompts the run and is sent as a message as well.
  await scout.callTool('svc_comments', 'add', {
    ...{ ticket_number, text: '<p>@Scribe the ladder is behind the hut</p>' },
    mentions: [{ agent_id: agentIds.scribe, display_name: 'Scribe' }],
  })
  const types = new Set<string>()
  await waitUntil(async () => {
    const { data } = await scribe.rest('GET', '/api/v1/agents/self/messages?wait=1&limit=50')
    for (const { id, type } of data) types.add(type).add(id)
    return types.has('comment.mention') && types.has('run.prompted')
  })
  const messages = await acknowledgeAll(scribe)
  expect((await scribe.rest('GET', '/api/v1/agents/self/messages')).data).toEqual([])
  expect(messages.every(({ actor }: Json) => actor.agent_id !== agentIds.scribe)).toBe(true)
})

test('a signed webhook delivers the selected events of others, not the agent’s own', async () => {
  const path = `/api/v1/agents/${agentIds.scout}/webhook`
  const blocked = await ada.rest('PUT', path, {
    url: 'http://10.0.0.7/x',
    events: ['task.created'],
  })
  expect(blocked.status).toBe(400)
  const { secret } = await scout.callTool('svc_webhooks', 'configure', {
    ...{ agent_id: 'self', url: webhook.url, events: ['comment.created', 'comment.mention'] },
  })
  expect(secret).toStartWith('whsec_')
  expect(JSON.stringify((await ada.rest('GET', path)).data)).not.toContain(secret)
  const text = '<p>Careful, it is wet</p>'
  await scout.callTool('svc_comments', 'add', { ticket_number: thirdKey, text: '<p>Mine</p>' })
  const { comment_id } = await ada.callTool('svc_comments', 'add', {
    ticket_number: thirdKey,
    text,
  })
  const request = await waitUntil(() =>
    webhook.requests.find((one) => one.text.includes('comment.created')),
  )
  const body = new Webhook(secret).verify(request.text, request.headers) as Json
  expect(body).toMatchObject({
    ...{ type: 'comment.created', project_id, actor: { name: 'Ada' } },
    data: { ticket_number: thirdKey, comment_id },
  })
  expect(() => new Webhook(secret).verify(`${request.text} `, request.headers)).toThrow()
  expect(webhook.requests.some((one) => one.text.includes('Mine'))).toBe(false)
  // A message that cannot be delivered can be polled, also after the webhook is deleted.
  webhook.response.status = 500
  const comment = { ticket_number: thirdKey, text: '<p>Still wet</p>' }
  const { comment_id: second } = await ada.callTool('svc_comments', 'add', comment)
  const polled = await waitUntil(async () => {
    const { data } = await scout.rest('GET', '/api/v1/agents/self/messages?limit=50')
    return data.find((one: Json) => one.data.comment_id === second)
  })
  const delivered = await waitUntil(() =>
    webhook.requests.find((one) => one.text.includes('Still wet')),
  )
  expect(JSON.parse(delivered.text)).toEqual(polled)
  expect(delivered.headers['webhook-id']).toBe(polled.id)
  await scout.callTool('svc_webhooks', 'delete', { agent_id: 'self' })
  expect((await acknowledgeAll(scout)).map(({ id }) => id)).toContain(polled.id)
})

test('an escalation and a decision request reach the person, and the answer the agent', async () => {
  const ticket_number = firstKey
  await scribe.rest('POST', CLAIM, { ticket_number })
  const escalation = await scribe.rest('POST', `/api/v1/tasks/${ticket_number}/escalations`, {
    reason: 'The ladder is broken',
  })
  expect(escalation.status).toBe(201)
  const notification = await waitForNotification(ada, 'escalated', ticket_number)
  expect(notification).toMatchObject({ important: true, actor: { name: 'Scribe' } })
  expect(notification.snippet).toContain('The ladder is broken')
  const { decision_request_id } = await scribe.callTool('svc_decision_requests', 'create', {
    ...{ ticket_number, question: 'Buy or borrow one?', options: ['Buy', 'Borrow'] },
    user_ids: [server.user_id],
  })
  const decision = await waitForNotification(ada, 'decision_requested', ticket_number)
  expect(decision).toMatchObject({
    important: true,
    decision_request_id,
    actor: { name: 'Scribe' },
  })
  await ada.rest('POST', `/api/v1/decision-requests/${decision_request_id}/answer`, {
    selected_option: 'Borrow',
  })
  const answer = await waitForNotification(scribe, 'decision_answered', ticket_number)
  expect(answer).toMatchObject({ actor: { name: 'Ada' } })
  const { escalation_id } = escalation.data
  const path = `/api/v1/tasks/${ticket_number}/escalations/${escalation_id}/resolve`
  expect((await ada.rest('POST', path, { note: 'Ask Ben for his' })).status).toBe(200)
  expect((await ada.rest('POST', path, {})).status).toBe(409)
})

test('a finished run notifies the person, and a completed task loses its lease', async () => {
  const ticket_number = firstKey
  const { data: runs } = await scribe.rest('GET', `/api/v1/tasks/${ticket_number}/runs`)
  const [{ run_id }] = runs
  for (const state of ['running', 'done']) {
    const update = await scribe.rest('PATCH', `/api/v1/runs/${run_id}`, { state })
    expect([update.status, update.data.state]).toEqual([200, state])
  }
  expect(await waitForNotification(ada, 'run_finished', ticket_number)).toMatchObject({
    actor: { name: 'Scribe' },
  })
  await scribe.callTool('svc_tasks', 'update', { ticket_number, section_id: sectionIds.done })
  expect(await readTask(ada, ticket_number)).toMatchObject({ done: true, lease: null })
  const refusal = await scribe.expectRefusal('svc_tasks', 'update', {
    ticket_number,
    priority: 'Low',
  })
  expect(refusal.error).toBe('AgentMutationLeaseMissingError')
})

test('the activity, the change log, the inbox and the audit name the actor of every change', async () => {
  const activity = await ada.callTool('svc_comments', 'list', {
    ...{ ticket_number: firstKey, include_activity: true, limit: 50 },
  })
  const authors = activity.map((one: Json) => [
    one.type ?? one.kind,
    (one.author ?? one.actor).name,
  ])
  for (const line of [
    ['comment', 'Scout'],
    ['task.assigned', 'Ada'],
    ['task.updated', 'Scout'],
    ['task.updated', 'Scribe'],
  ])
    expect(authors).toContainEqual(line)
  const log = await ada.readAllEvents()
  const actorsOf = (type: string) => [
    ...new Set(log.filter((one) => one.type === type).map((one) => one.actor.name)),
  ]
  expect(actorsOf('lease.claimed').sort()).toEqual(['Scout', 'Scribe'])
  expect(actorsOf('task.updated').sort()).toEqual(['Scout', 'Scribe'])
  expect(actorsOf('task.assigned')).toEqual(['Ada'])
  expect(actorsOf('evidence.added')).toEqual(['Scout'])
  expect(actorsOf('escalation.created')).toEqual(['Scribe'])
  expect(actorsOf('escalation.resolved')).toEqual(['Ada'])
  expect(actorsOf('decision.answered')).toEqual(['Ada'])
  expect(actorsOf('run.done')).toEqual(['Scribe'])
  const inbox = await ada.callTool('svc_inbox', 'list')
  expect(inbox.filter(({ actor }: Json) => actor.name === 'Ada')).toEqual([])
  const { data: audit } = await ada.rest('GET', `/api/v1/teams/${server.team_id}/audit?limit=50`)
  const entries = audit.map((one: Json) => [one.type, one.actor.name])
  expect(entries.filter(([type]: string[]) => type === 'agent.created')).toHaveLength(2)
  for (const type of ['webhook.configured', 'webhook.deleted'])
    expect(entries).toContainEqual([type, 'Scout'])
  expect(JSON.stringify([log, audit])).not.toMatch(/whsec_|corkagent_|lease_id/)
})

test('a deactivated, revoked or deleted agent is refused with 401, even with a lease', async () => {
  await scout.rest('POST', CLAIM, { ticket_number: thirdKey })
  const manage = async (verb: string) => {
    const { status, data } = await ada.rest('POST', `/api/v1/agents/${agentIds.scout}/${verb}`)
    expect([verb, status]).toEqual([verb, 200])
    return data
  }
  const helloStatus = async () => (await scout.rest('GET', '/api/v1/user/hello')).status
  await manage('deactivate')
  expect(await helloStatus()).toBe(401)
  expect((await manage('enable')).token).toBeUndefined()
  expect(await helloStatus()).toBe(200)
  await manage('revoke')
  expect(await helloStatus()).toBe(401)
  const reconnected = await connectClient((await manage('enable')).client_configuration)
  expect(await reconnected.callTool('svc_user_context', 'hello')).toMatchObject({
    you: { name: 'Scout' },
  })
  expect(await helloStatus()).toBe(401)
  const { data } = await ada.rest('DELETE', `/api/v1/agents/${agentIds.scout}`)
  expect(data).toMatchObject({ state: 'deleted' })
  expect((await reconnected.rest('GET', '/api/v1/user/hello')).status).toBe(401)
  const activity = await ada.callTool('svc_comments', 'list', { ticket_number: firstKey })
  expect(activity.map((one: Json) => one.author.name)).toContain('Scout')
  await reconnected.close()
})
