import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { callTool } from '../../../support/surface-calls.ts'
import { type Actor, world } from '../../../support/world.ts'

const HALF_AN_HOUR = 30 * 60_000

/** A board whose tasks were created in queue order, and two agents. */
async function createQueue(taskCount = 6) {
  const w = await world({ hasBoard: false })
  const { project_id, sections } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Queue', labels: [{ name: 'bug' }] },
    sections: ['Now', 'Later', 'Done'].map((title) => ({ title })),
  })
  const [now, later, done] = sections.map(({ section_id }) => section_id) as [
    number,
    number,
    number,
  ]
  const drafts = [
    { title: 'urgent', section_id: later, priority: 'Urgent' },
    { title: 'due first', section_id: later, due_date: '2026-11-23' },
    { title: 'due then', section_id: now, due_date: '2026-11-27' },
    { title: 'top', section_id: now, labels: ['bug'] },
    { title: 'low', section_id: now },
    { title: 'last', section_id: later },
  ].slice(0, taskCount)
  for (const draft of drafts) await w.ada['tasks.create']({ project_id, ...draft })
  const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
  const queueTitles = async (actor: Actor, overrides: object = {}) =>
    (await actor['tasks.next']({ project_id, ...overrides })).items.map(({ title }) => title)
  const claimNext = async (actor: Actor, overrides: object = {}) => {
    const { items, page } = await actor['tasks.next']({ project_id, claim: true, ...overrides })
    return { task: items[0], lease: items[0]?.lease, count: items.length, page }
  }
  return { ...w, project_id, now, later, done, mate, queueTitles, claimNext }
}

const ORDER = ['urgent', 'due first', 'due then', 'top', 'low', 'last']

test('claiming the next task returns each task once, in queue order, with a lease', async () => {
  const { bot, mate, ada, claimNext, ...w } = await createQueue()
  const claimedTitles = []
  for (const [i, title] of ORDER.entries()) {
    const { task, lease, count, page } = await claimNext(i % 2 ? mate : bot, { owner_id: `w${i}` })
    claimedTitles.push(task?.title)
    expect([title, count, page.total, page.has_more]).toEqual([title, 1, 1, false])
    expect(lease).toMatchObject({ owner_id: `w${i}`, ttl: HALF_AN_HOUR, fencing_token: 1 })
    const holder = { name: i % 2 ? 'Mate' : 'Bot' }
    const { task_id } = task!
    expect((await ada['leases.get']({ task_id })).lease).toMatchObject({ holder })
  }
  expect(claimedTitles).toEqual(ORDER)
  expect(await claimNext(bot)).toMatchObject({ count: 0, page: { total: 0 } })
  expect(await w.changeTypes()).toHaveLength(5 + 6 + 6)
})

test('a leased task is in its holder’s queue only, until the lease expires or ends', async () => {
  const { bot, mate, ada, clock, queueTitles, claimNext, done } = await createQueue()
  const first = await claimNext(bot, { ttl: 60_000 })
  const second = await claimNext(mate)
  expect(await queueTitles(bot)).toEqual(['urgent', 'due then', 'top', 'low', 'last'])
  expect(await queueTitles(mate)).toEqual(['due first', 'due then', 'top', 'low', 'last'])
  expect(await queueTitles(ada)).toEqual(['due then', 'top', 'low', 'last'])
  clock.advance(60_000)
  for (const actor of [bot, ada, ada])
    expect(await queueTitles(actor)).toEqual(['urgent', 'due then', 'top', 'low', 'last'])
  await mate['leases.release']({ lease_id: second.lease!.lease_id })
  expect(await queueTitles(ada)).toEqual(ORDER)
  expect((await claimNext(mate)).task).toMatchObject({
    title: 'urgent',
    task_id: first.task!.task_id,
  })
  const { task_id } = (await claimNext(bot)).task!
  await bot['tasks.update']({ task_id, section_id: done })
  expect(await queueTitles(ada)).toEqual(['due then', 'top', 'low', 'last'])
})

test('a task with an expired lease returns to its place and gets a higher fencing token', async () => {
  const { bot, mate, clock, claimNext } = await createQueue()
  for (const _ of ORDER) await claimNext(bot)
  expect((await claimNext(mate)).count).toBe(0)
  clock.advance(HALF_AN_HOUR)
  for (const title of ORDER) {
    const { task, lease } = await claimNext(mate)
    expect([task?.title, lease?.fencing_token]).toEqual([title, 2])
  }
  expect((await claimNext(bot)).count).toBe(0)
})

test('pages and totals of the queue leave out tasks leased by others', async () => {
  const { ada, bot, mate, project_id, queueTitles, claimNext, clock } = await createQueue()
  for (const _ of [1, 2]) await claimNext(bot, { ttl: 60_000 })
  await claimNext(mate)
  const page = async (actor: Actor, overrides: object = {}) => {
    const { items, page } = await actor['tasks.next']({ project_id, limit: 2, ...overrides })
    return { titles: items.map(({ title }) => title), ...page }
  }
  const first = await page(ada)
  expect(first).toMatchObject({ titles: ['top', 'low'], total: 3, has_more: true })
  const cursor = first.next_cursor!
  expect(await page(ada, { cursor })).toMatchObject({ titles: ['last'], total: 3, offset: 2 })
  const botPage = await page(bot)
  expect(botPage).toMatchObject({ titles: ['urgent', 'due first'], total: 5, has_more: true })
  const next = await page(bot, { cursor: botPage.next_cursor! })
  expect(next).toMatchObject({ titles: ['top', 'low'], total: 5, has_more: true })
  const labelled = await page(ada, { labels: 'bug', limit: 1 })
  expect(labelled).toMatchObject({ titles: ['top'], total: 1 })
  clock.advance(60_000)
  expect(await page(ada)).toMatchObject({ titles: ['urgent', 'due first'], total: 5 })
  expect(await queueTitles(ada)).toHaveLength(5)
})

test('claiming the next task respects label, section and assignee filters', async () => {
  const { bot, cleo, claimNext, later, project_id } = await createQueue()
  expect((await claimNext(bot, { labels: ['bug'] })).task?.title).toBe('top')
  expect((await claimNext(bot, { labels: ['bug'] })).count).toBe(0)
  expect((await claimNext(bot, { section: later })).task?.title).toBe('urgent')
  expect((await claimNext(bot, { section: 'Now', exclude_blocked: true })).task?.title).toBe(
    'due then',
  )
  expect((await claimNext(bot, { assignee: 'me' })).count).toBe(0)
  const { items } = await cleo['tasks.list']({ project_id, query: 'last' })
  const { task_id } = items[0]!
  await cleo['tasks.assign']({ task_id, agent_id: bot.caller.agent_id! })
  expect((await claimNext(bot, { assignee: 'me' })).task?.title).toBe('last')
  expect((await claimNext(bot, { assignee: 'none' })).task?.title).toBe('due first')
})

test('a claim with a cursor or a limit above 1, or its options without a claim, is refused', async () => {
  const { bot, project_id, queueTitles, changeTypes } = await createQueue()
  const invalidInputs = [
    [{ claim: true, limit: 2 }, 'limit', 'conflict'],
    [{ claim: true, cursor: 'abc' }, 'cursor', 'conflict'],
    [{ claim: true, ttl: 1 }, 'ttl', 'out_of_range'],
    [{ claim: 'yes' }, 'claim', 'invalid_type'],
    [{ owner_id: 'a' }, 'owner_id', 'conflict'],
    [{ claim: false, ttl: 60_000 }, 'ttl', 'conflict'],
  ] as const
  for (const [input, field, code] of invalidInputs) {
    const { details } = await faultOf(bot['tasks.next']({ project_id, ...(input as object) }))
    expect([input, details.field, details.code]).toEqual([input, field, code])
  }
  const { items } = await bot['tasks.next']({ project_id, claim: true, limit: 1, fields: 'title' })
  expect(items).toEqual([{ title: 'urgent', lease: expect.any(Object) } as never])
  expect(await queueTitles(bot)).toEqual(ORDER)
  expect((await changeTypes()).filter((type) => type === 'lease.claimed')).toHaveLength(1)
})

test('claiming needs POST and tasks:write, and a repeated idempotency key claims once', async () => {
  const { bot, cleo, http, addAgent, team_id, project_id, claimNext } = await createQueue(2)
  const path = `/api/v1/projects/${project_id}/next`
  expect((await http(bot, 'GET', `${path}?claim=true`)).status).toBe(405)
  const reader = await addAgent(team_id, cleo, 'Reader', ['tasks:read'])
  expect((await http(reader, 'GET', path)).status).toBe(200)
  expect((await http(reader, 'POST', path, {})).status).toBe(200)
  expect((await http(reader, 'POST', path, { claim: true })).status).toBe(403)
  const key = { 'idempotency-key': 'again' }
  const [one, two] = [
    await http(bot, 'POST', path, { claim: true }, key),
    await http(bot, 'POST', path, { claim: true }, key),
  ]
  expect(one.body.data[0].lease.lease_id).toBe(two.body.data[0].lease.lease_id)
  expect((await claimNext(bot)).task?.title).toBe('due first')
  const emptyQueue = await http(bot, 'POST', path, { claim: true })
  expect([emptyQueue.status, emptyQueue.body.data]).toEqual([200, []])
  expect(emptyQueue.body.warnings).toEqual([
    { field: 'claim', code: 'not_found', message: 'No task on "Queue" is free to claim' },
  ])
})

test('an agent can claim, update and complete tasks with MCP tools only', async () => {
  const w = await createQueue(2)
  const { bot, ada, project_id, done } = w
  const call = async (action: string, input: object) => {
    const { body } = await callTool(w, bot, 'svc_tasks', { action, input })
    return body.result.structuredContent
  }
  const { data } = await call('next', { project_id, claim: true })
  expect(data).toMatchObject([{ title: 'urgent', lease: { fencing_token: 1 } }])
  const [{ ticket_number, lease }] = data
  const { lease_id } = lease
  expect(await call('update', { ticket_number, estimate: 3, lease_id })).toMatchObject({
    data: { changed: ['estimate'] },
  })
  await call('update', { ticket_number, section_id: done })
  const lateUpdate = await call('update', { ticket_number, estimate: 4 })
  expect(lateUpdate).toMatchObject({ error: 'AgentMutationLeaseMissingError' })
  const nextTask = await call('next', { project_id, claim: true })
  expect(nextTask.data).toMatchObject([{ title: 'due first' }])
  expect((await ada['leases.get']({ ticket_number })).lease).toBeNull()
})
