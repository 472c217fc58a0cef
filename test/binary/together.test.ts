import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { type House, openHouse } from './house.ts'
import { type Answer, type Player, player, postbox, soon } from './players.ts'

/**
 * A person and two agents share a board. Each test builds on the previous ones. The person uses REST
 * and MCP; the agents have nothing but the configuration that was shown once.
 */
let house: House
let ada: Player
let scout: Player
let scribe: Player
const ids: Record<'scout' | 'scribe', string> = { scout: '', scribe: '' }
let project_id: number
let columns: Record<'todo' | 'doing' | 'done', number>
/** The ticket numbers of the tasks on the board. */
let roof: string
let door: string
let lamp: string

const CLAIM = '/api/mcp/tasks/lease/claim'
const hook = postbox()

beforeAll(async () => {
  house = await openHouse({ CORK_ALLOW_HOSTS: '127.0.0.1', CORK_WEBHOOK_CYCLE: '0.2' })
  ada = await player({
    ...{ type: 'http', url: `${house.url}/mcp` },
    headers: { Authorization: `Bearer ${house.key}` },
  })
}, 60_000)

afterAll(async () => {
  for (const one of [ada, scout, scribe]) await one?.close()
  hook.close()
  await house?.close()
})

/** A task as that caller sees it. */
const seen = async (who: Player, ticket_number: string): Promise<Answer> =>
  who.tool('svc_tasks', 'get', { ticket_number })

/** Reads and acknowledges all pending messages of an agent. */
async function acked(who: Player): Promise<Answer[]> {
  const { data } = await who.rest('GET', '/api/v1/agents/self/messages?limit=50')
  const ids = data.map(({ id }: Answer) => id)
  const { data: told } = await who.rest('POST', '/api/v1/agents/self/messages/ack', { ids })
  expect(told).toEqual({ acknowledged: ids.length, unknown: [] })
  return data
}

/** Waits for a notification of that kind about that task. */
const told = (who: Player, kind: string, ticket_number: string): Promise<Answer> =>
  soon(async () =>
    (await who.tool('svc_inbox', 'list')).find(
      (one: Answer) => one.kind === kind && one.task.ticket_number === ticket_number,
    ),
  )

test('a person creates a board and two agents, which connect with the configuration shown once', async () => {
  const { team_id } = house
  const board = await ada.tool('svc_projects', 'create', {
    ...{ team_id, title: 'Hut' },
    sections: ['To do', 'Doing', 'Done'].map((title) => ({ title })),
    tasks: ['Mend the roof', 'Hang the door', 'Light the lamp'].map((title, at) => ({
      ...{ title, section_index: 0, priority: at + 1 },
    })),
  })
  project_id = board.project_id
  const [todo, doing, done] = board.sections.map((one: Answer) => one.section_id)
  columns = { todo, doing, done }
  ;[roof, door, lamp] = board.tasks
  await ada.rest('PUT', `/api/mcp/projects/${project_id}/instructions`, {
    custom_instruction: 'Measure twice',
  })
  const overRest = await ada.rest('POST', '/api/v1/agents', { team_id, name: 'Scout' })
  expect(overRest.status).toBe(201)
  const overMcp = await ada.tool('svc_agents', 'create', { team_id, name: 'Scribe' })
  ids.scout = overRest.data.agent_id
  ids.scribe = overMcp.agent_id
  scout = await player(overRest.data.client_configuration)
  scribe = await player(overMcp.client_configuration)
  for (const [one, name] of [
    [scout, 'Scout'],
    [scribe, 'Scribe'],
  ] as const) {
    const hello = await one.tool('svc_user_context', 'hello')
    expect(hello).toMatchObject({ you: { kind: 'agent', name, owner_id: house.user_id } })
    expect(hello.start).toContain('svc_tasks next')
  }
  const listed = await ada.tool('svc_agents', 'list', { team_id })
  expect(listed.map((one: Answer) => one.name).sort()).toEqual(['Scout', 'Scribe'])
  const token = overRest.data.client_configuration.headers.Authorization.split(' ')[1]
  expect(JSON.stringify([listed, await ada.heard()])).not.toContain(token)
  const { data } = await ada.rest('GET', `/api/v1/agents/${ids.scout}`)
  expect(data).toMatchObject({ hasMcpToken: true, present: true })
})

let lease: { lease_id: string; ticket_number: string }

test('two agents that claim the next task at once get different tasks', async () => {
  const take = (who: Player) => who.tool('svc_tasks', 'next', { project_id, claim: true })
  const taken = await Promise.all([take(scout), take(scribe)])
  const [mine, other] = taken.map(([one]) => one)
  expect([mine.ticket_number, other.ticket_number].sort()).toEqual([roof, door].sort())
  lease = { lease_id: mine.lease.lease_id, ticket_number: mine.ticket_number }
  // Scout cannot claim Scribe's task and gets its name; it claims the third task over REST.
  const held = await scout.rest('POST', CLAIM, { ticket_number: other.ticket_number })
  expect([held.status, held.told.details.expires_at]).toEqual([409, other.lease.expires_at])
  expect(held.told.message).toContain('Scribe')
  expect(JSON.stringify(held)).not.toContain(other.lease.lease_id)
  const third = await scout.rest('POST', CLAIM, { ticket_number: lamp, ttl: 60_000 })
  expect(third.data).toMatchObject({ ticket_number: lamp, ttl: 60_000 })
  expect(await take(scribe)).toEqual([])
  const { status, data } = await scout.rest('POST', '/api/mcp/tasks/lease/release', {
    lease_id: third.data.lease_id,
  })
  expect([status, data.released]).toEqual([200, true])
  // From here on `roof` is the task that Scout claimed and `door` the one that Scribe claimed.
  ;[roof, door] = [mine.ticket_number, other.ticket_number]
})

test('an agent without a lease is refused an update and gets a hint how to claim one', async () => {
  const before = await seen(ada, lamp)
  const asked = { ticket_number: lamp, priority: 'Urgent' }
  const overMcp = await scout.refused('svc_tasks', 'update', asked)
  expect(overMcp).toMatchObject({ error: 'AgentMutationLeaseMissingError' })
  const overRest = await scout.rest('PATCH', `/api/v1/tasks/${lamp}`, { priority: 'Urgent' })
  expect([overRest.status, overRest.told.error]).toEqual([428, overMcp.error])
  for (const { message, hint } of [overMcp, overRest.told])
    expect(`${message} ${hint}`).toContain('POST /api/mcp/tasks/lease/claim')
  const foreign = await scout.rest('PATCH', `/api/v1/tasks/${door}`, { priority: 'Urgent' })
  expect([foreign.status, foreign.told.message]).toEqual([409, expect.stringContaining('Scribe')])
  expect(await seen(ada, lamp)).toEqual(before)
})

test('under its lease an agent updates the task, comments on it and adds evidence', async () => {
  const { ticket_number, lease_id } = lease
  const context = await scout.tool('svc_tasks', 'context', { ticket_number })
  expect(context.board.custom_instruction).toBe('Measure twice')
  await scout.tool('svc_tasks', 'update', { ticket_number, section_id: columns.doing, lease_id })
  const beat = await scout.rest('POST', '/api/mcp/tasks/lease/heartbeat', { lease_id })
  expect(beat.data).toMatchObject({ lease_id, ticket_number })
  const text = 'Twelve **shingles** are missing'
  await scout.tool('svc_comments', 'add', { ticket_number, text, content_type: 'markdown' })
  const shown = await scout.rest('POST', `/api/v1/tasks/${ticket_number}/evidence`, {
    ...{ kind: 'link', summary: 'The roof', url: 'https://example.com/roof.jpg' },
  })
  expect(shown.status).toBe(201)
  const { data } = await ada.rest('GET', `/api/v1/tasks/${ticket_number}/evidence`)
  expect(data).toMatchObject([{ summary: 'The roof', created_by: { name: 'Scout' } }])
})

test('assigning a task ends the other agent’s long poll and queues a run for it', async () => {
  const { ticket_number, lease_id } = lease
  await scout.rest('POST', '/api/mcp/tasks/lease/release', { lease_id })
  const before = await acked(scribe)
  expect(before.map(({ type, actor }) => `${type} by ${actor.name}`)).toEqual([
    ...['task.updated by Scout', 'comment.created by Scout'],
  ])
  const waiting = scribe.rest('GET', '/api/v1/agents/self/messages?wait=20')
  await Bun.sleep(200)
  const began = performance.now()
  await ada.tool('svc_tasks', 'assign', { ticket_number, agent_id: ids.scribe })
  const { data } = await waiting
  expect(performance.now() - began).toBeLessThan(5000)
  expect(data.map((one: Answer) => [one.type, one.actor.name])).toContainEqual([
    ...['task.assigned', 'Ada'],
  ])
  const run = await soon(async () => {
    const runs = await scribe.rest('GET', `/api/v1/tasks/${ticket_number}/runs`)
    return runs.data.find((one: Answer) => one.agent.agent_id === ids.scribe)
  })
  expect(run.state).toBe('queued')
  // A mention during an open run prompts the run and is sent as a message as well.
  await scout.tool('svc_comments', 'add', {
    ...{ ticket_number, text: '<p>@Scribe the ladder is behind the hut</p>' },
    mentions: [{ agent_id: ids.scribe, display_name: 'Scribe' }],
  })
  const types = new Set<string>()
  await soon(async () => {
    const { data } = await scribe.rest('GET', '/api/v1/agents/self/messages?wait=1&limit=50')
    for (const { id, type } of data) types.add(type).add(id)
    return types.has('comment.mention') && types.has('run.prompted') ? true : undefined
  })
  const again = await acked(scribe)
  expect((await scribe.rest('GET', '/api/v1/agents/self/messages')).data).toEqual([])
  expect(again.every(({ actor }: Answer) => actor.agent_id !== ids.scribe)).toBe(true)
})

test('a signed webhook delivers the selected events of others, not the agent’s own', async () => {
  const path = `/api/v1/agents/${ids.scout}/webhook`
  const far = await ada.rest('PUT', path, { url: 'http://10.0.0.7/x', events: ['task.created'] })
  expect(far.status).toBe(400)
  const { secret } = await scout.tool('svc_webhooks', 'configure', {
    ...{ agent_id: 'self', url: hook.url, events: ['comment.created', 'comment.mention'] },
  })
  expect(secret).toStartWith('whsec_')
  expect(JSON.stringify((await ada.rest('GET', path)).data)).not.toContain(secret)
  const text = '<p>Careful, it is wet</p>'
  await scout.tool('svc_comments', 'add', { ticket_number: lamp, text: '<p>Mine</p>' })
  const { comment_id } = await ada.tool('svc_comments', 'add', { ticket_number: lamp, text })
  const letter = await soon(() => hook.letters.find((one) => one.text.includes('comment.created')))
  const body = new Webhook(secret).verify(letter.text, letter.headers) as Answer
  expect(body).toMatchObject({
    ...{ type: 'comment.created', project_id, actor: { name: 'Ada' } },
    data: { ticket_number: lamp, comment_id },
  })
  expect(() => new Webhook(secret).verify(`${letter.text} `, letter.headers)).toThrow()
  expect(hook.letters.some((one) => one.text.includes('Mine'))).toBe(false)
  // A message that cannot be delivered can be polled, also after the webhook is deleted.
  hook.box.status = 500
  const still = { ticket_number: lamp, text: '<p>Still wet</p>' }
  const { comment_id: second } = await ada.tool('svc_comments', 'add', still)
  const back = await soon(async () => {
    const { data } = await scout.rest('GET', '/api/v1/agents/self/messages?limit=50')
    return data.find((one: Answer) => one.data.comment_id === second)
  })
  const sent = await soon(() => hook.letters.find((one) => one.text.includes('Still wet')))
  expect(JSON.parse(sent.text)).toEqual(back)
  expect(sent.headers['webhook-id']).toBe(back.id)
  await scout.tool('svc_webhooks', 'delete', { agent_id: 'self' })
  expect((await acked(scout)).map(({ id }) => id)).toContain(back.id)
})

test('an escalation and a decision request reach the person, and the answer the agent', async () => {
  const ticket_number = roof
  await scribe.rest('POST', CLAIM, { ticket_number })
  const escalated = await scribe.rest('POST', `/api/v1/tasks/${ticket_number}/escalations`, {
    reason: 'The ladder is broken',
  })
  expect(escalated.status).toBe(201)
  const urgent = await told(ada, 'escalated', ticket_number)
  expect(urgent).toMatchObject({ important: true, actor: { name: 'Scribe' } })
  expect(urgent.snippet).toContain('The ladder is broken')
  const { decision_request_id } = await scribe.tool('svc_decision_requests', 'create', {
    ...{ ticket_number, question: 'Buy or borrow one?', options: ['Buy', 'Borrow'] },
    user_ids: [house.user_id],
  })
  const asked = await told(ada, 'decision_requested', ticket_number)
  expect(asked).toMatchObject({ important: true, decision_request_id, actor: { name: 'Scribe' } })
  await ada.rest('POST', `/api/v1/decision-requests/${decision_request_id}/answer`, {
    selected_option: 'Borrow',
  })
  const answer = await told(scribe, 'decision_answered', ticket_number)
  expect(answer).toMatchObject({ actor: { name: 'Ada' } })
  const { escalation_id } = escalated.data
  const path = `/api/v1/tasks/${ticket_number}/escalations/${escalation_id}/resolve`
  expect((await ada.rest('POST', path, { note: 'Ask Ben for his' })).status).toBe(200)
  expect((await ada.rest('POST', path, {})).status).toBe(409)
})

test('a finished run notifies the person, and a completed task loses its lease', async () => {
  const ticket_number = roof
  const { data: runs } = await scribe.rest('GET', `/api/v1/tasks/${ticket_number}/runs`)
  const [{ run_id }] = runs
  for (const state of ['running', 'done']) {
    const moved = await scribe.rest('PATCH', `/api/v1/runs/${run_id}`, { state })
    expect([moved.status, moved.data.state]).toEqual([200, state])
  }
  expect(await told(ada, 'run_finished', ticket_number)).toMatchObject({
    actor: { name: 'Scribe' },
  })
  await scribe.tool('svc_tasks', 'update', { ticket_number, section_id: columns.done })
  expect(await seen(ada, ticket_number)).toMatchObject({ done: true, lease: null })
  const late = await scribe.refused('svc_tasks', 'update', { ticket_number, priority: 'Low' })
  expect(late.error).toBe('AgentMutationLeaseMissingError')
})

test('the activity, the change log, the inbox and the audit name the actor of every change', async () => {
  const story = await ada.tool('svc_comments', 'list', {
    ...{ ticket_number: roof, include_activity: true, limit: 50 },
  })
  const signed = story.map((one: Answer) => [one.type ?? one.kind, (one.author ?? one.actor).name])
  for (const line of [
    ['comment', 'Scout'],
    ['task.assigned', 'Ada'],
    ['task.updated', 'Scout'],
    ['task.updated', 'Scribe'],
  ])
    expect(signed).toContainEqual(line)
  const log = await ada.heard()
  const by = (type: string) => [
    ...new Set(log.filter((one) => one.type === type).map((one) => one.actor.name)),
  ]
  expect(by('lease.claimed').sort()).toEqual(['Scout', 'Scribe'])
  expect(by('task.updated').sort()).toEqual(['Scout', 'Scribe'])
  expect(by('task.assigned')).toEqual(['Ada'])
  expect(by('evidence.added')).toEqual(['Scout'])
  expect(by('escalation.created')).toEqual(['Scribe'])
  expect(by('escalation.resolved')).toEqual(['Ada'])
  expect(by('decision.answered')).toEqual(['Ada'])
  expect(by('run.done')).toEqual(['Scribe'])
  const inbox = await ada.tool('svc_inbox', 'list')
  expect(inbox.filter(({ actor }: Answer) => actor.name === 'Ada')).toEqual([])
  const { data: audit } = await ada.rest('GET', `/api/v1/teams/${house.team_id}/audit?limit=50`)
  const acts = audit.map((one: Answer) => [one.type, one.actor.name])
  expect(acts.filter(([type]: string[]) => type === 'agent.created')).toHaveLength(2)
  for (const type of ['webhook.configured', 'webhook.deleted'])
    expect(acts).toContainEqual([type, 'Scout'])
  expect(JSON.stringify([log, audit])).not.toMatch(/whsec_|corkagent_|lease_id/)
})

test('a deactivated, revoked or deleted agent is refused with 401, even with a lease', async () => {
  await scout.rest('POST', CLAIM, { ticket_number: lamp })
  const manage = async (verb: string) => {
    const { status, data } = await ada.rest('POST', `/api/v1/agents/${ids.scout}/${verb}`)
    expect([verb, status]).toEqual([verb, 200])
    return data
  }
  const works = async () => (await scout.rest('GET', '/api/v1/user/hello')).status
  await manage('deactivate')
  expect(await works()).toBe(401)
  expect((await manage('enable')).token).toBeUndefined()
  expect(await works()).toBe(200)
  await manage('revoke')
  expect(await works()).toBe(401)
  const again = await player((await manage('enable')).client_configuration)
  expect(await again.tool('svc_user_context', 'hello')).toMatchObject({ you: { name: 'Scout' } })
  expect(await works()).toBe(401)
  const { data } = await ada.rest('DELETE', `/api/v1/agents/${ids.scout}`)
  expect(data).toMatchObject({ state: 'deleted' })
  expect((await again.rest('GET', '/api/v1/user/hello')).status).toBe(401)
  const story = await ada.tool('svc_comments', 'list', { ticket_number: roof })
  expect(story.map((one: Answer) => one.author.name)).toContain('Scout')
  await again.close()
})
