import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { type World, world } from '../../../support/world.ts'

const MINUTE = 60_000
const timeAfter = (w: World, ms: number) => new Date(w.clock.now.getTime() + ms).toISOString()

/** Creates a world with a second agent of the same owner. */
async function worldWithTwoAgents() {
  const w = await world()
  return { ...w, mate: await w.addAgent(w.team_id, w.cleo, 'Mate') }
}

test('a claim returns the lease, and everybody sees who holds the task', async () => {
  const w = await world()
  const { bot, ada, tasks } = w
  const lease = await bot['leases.claim']({ ...tasks.logo, owner_id: 'worker-1', ttl: 5 * MINUTE })
  expect(lease).toEqual({
    ...{ lease_id: expect.any(String), ticket_number: 'HP-1', owner_id: 'worker-1' },
    ...{ expires_at: timeAfter(w, 5 * MINUTE), ttl: 5 * MINUTE, fencing_token: 1 },
  })
  const holder = { kind: 'agent' as const, agent_id: bot.caller.agent_id!, name: 'Bot' }
  const [change] = await w.changes()
  const { expires_at } = lease
  expect(change).toMatchObject({ type: 'lease.claimed', task_id: tasks.logo.task_id })
  expect(change!.data).toEqual({
    ...{ ticket_number: 'HP-1', holder, owner_id: 'worker-1', fencing_token: 1, expires_at },
  })
  const visibleLease = { holder, owner_id: 'worker-1', expires_at }
  expect(await ada['tasks.get'](tasks.logo)).toMatchObject({ lease: visibleLease })
  expect((await ada['tasks.context'](tasks.logo)) as object).toMatchObject({
    task: { lease: visibleLease },
  })
  const currentLease = (await ada['leases.get'](tasks.logo)).lease
  expect(currentLease).toEqual({ ...visibleLease, claimed_at: timeAfter(w, 0), fencing_token: 1 })
  expect((await bot['leases.get'](tasks.logo)).lease).toEqual({
    ...{ ...currentLease!, lease_id: lease.lease_id },
  })
  expect(await ada['tasks.get'](tasks.copy)).toMatchObject({ lease: null })
  expect((await ada['leases.get'](tasks.copy)).lease).toBeNull()
})

test('a lease lasts 30 minutes by default, and a ttl must be 10 seconds to 4 hours', async () => {
  const w = await world()
  const { bot, tasks } = w
  expect(await claimTask(bot, tasks.logo)).toMatchObject({ owner_id: null, ttl: 30 * MINUTE })
  for (const ttl of [10_000, 240 * MINUTE])
    expect(await bot['leases.claim']({ ...tasks.copy, ttl })).toMatchObject({ ttl })
  for (const ttl of [9_999, 240 * MINUTE + 1]) {
    const { code, details } = await faultOf(bot['leases.claim']({ ...tasks.link, ttl }))
    expect([code, details]).toEqual(['invalid', { field: 'ttl', code: 'out_of_range', value: ttl }])
  }
})

test('claiming a task again renews the same lease', async () => {
  const w = await world()
  const { bot, tasks, clock } = w
  const first = await claimTask(bot, tasks.logo)
  clock.advance(10 * MINUTE)
  const again = await bot['leases.claim']({ ...tasks.logo, ttl: MINUTE })
  expect(again).toEqual({ ...first, ttl: MINUTE, expires_at: timeAfter(w, MINUTE) })
  expect(await claimTask(bot, tasks.logo)).toMatchObject({ ttl: MINUTE })
  expect(await w.changeTypes()).toEqual(['lease.claimed'])
})

test('a leased task cannot be claimed by others or by another worker of its holder', async () => {
  const { bot, mate, ben, tasks, ...w } = await worldWithTwoAgents()
  const { expires_at } = await bot['leases.claim']({ ...tasks.logo, owner_id: 'one' })
  const lease = (await bot['leases.get'](tasks.logo)).lease!
  for (const actor of [mate, ben]) {
    const { code, details, message } = await faultOf(claimTask(actor, tasks.logo))
    expect([code, details]).toMatchObject(['conflict', { holder: 'Bot', expires_at }])
    expect(message).toBe(`HP-1 is leased by Bot until ${expires_at}`)
    expect(JSON.stringify(details)).not.toContain(lease.lease_id!)
  }
  for (const input of [{ owner_id: 'two' }, {}]) {
    const { code, message } = await faultOf(bot['leases.claim']({ ...tasks.logo, ...input }))
    expect([code, message]).toEqual([
      'conflict',
      `HP-1 is leased by you as one until ${expires_at}`,
    ])
  }
  expect(await w.changeTypes()).toEqual(['lease.claimed'])
})

test('an expired lease frees the task and changes nothing else', async () => {
  const { bot, mate, ada, tasks, clock, ...w } = await worldWithTwoAgents()
  const first = await claimTask(bot, tasks.logo)
  const before = (await ada['tasks.get'](tasks.logo)) as object
  clock.advance(30 * MINUTE - 1)
  expect((await faultOf(claimTask(mate, tasks.logo))).code).toBe('conflict')
  clock.advance(1)
  expect(await ada['tasks.get'](tasks.logo)).toEqual({ ...before, lease: null } as never)
  const next = await claimTask(mate, tasks.logo)
  expect(next.fencing_token).toBe(2)
  expect(next.lease_id).not.toBe(first.lease_id)
  const fault = await faultOf(bot['leases.heartbeat']({ lease_id: first.lease_id }))
  expect([fault.code, fault.details.field]).toEqual(['not_found', 'lease_id'])
  expect(await w.changeTypes()).toEqual(['lease.claimed', 'lease.claimed'])
})

test('a heartbeat extends a live lease, but not an expired one or that of another agent', async () => {
  const w = await worldWithTwoAgents()
  const { bot, mate, tasks, clock } = w
  const { lease_id } = await claimTask(bot, tasks.logo)
  clock.advance(29 * MINUTE)
  const renewed = await bot['leases.heartbeat']({ lease_id })
  expect(renewed).toMatchObject({
    lease_id,
    ttl: 30 * MINUTE,
    expires_at: timeAfter(w, 30 * MINUTE),
  })
  const longer = await bot['leases.heartbeat']({ lease_id, ttl: 60 * MINUTE })
  expect(longer).toMatchObject({ ttl: 60 * MINUTE, expires_at: timeAfter(w, 60 * MINUTE) })
  for (const id of ['nothing', crypto.randomUUID()])
    expect((await faultOf(bot['leases.heartbeat']({ lease_id: id }))).code).toBe('not_found')
  expect((await faultOf(mate['leases.heartbeat']({ lease_id }))).code).toBe('not_found')
  const { expires_at } = longer
  clock.advance(60 * MINUTE)
  const { code, message } = await faultOf(bot['leases.heartbeat']({ lease_id }))
  expect([code, message]).toEqual(['conflict', `Your lease on HP-1 ended at ${expires_at}`])
  expect((await bot['leases.get'](tasks.logo)).lease).toBeNull()
})

test('a released task can be claimed by others, and releasing it again changes nothing', async () => {
  const { bot, mate, tasks, ...w } = await worldWithTwoAgents()
  const { lease_id } = await claimTask(bot, tasks.logo)
  expect((await faultOf(mate['leases.release']({ lease_id }))).code).toBe('not_found')
  for (const _ of [1, 2])
    expect(await bot['leases.release']({ lease_id })).toEqual({ released: true })
  expect((await bot['leases.get'](tasks.logo)).lease).toBeNull()
  expect((await faultOf(bot['leases.heartbeat']({ lease_id }))).code).toBe('conflict')
  const last = (await w.changes()).at(-1)!
  expect(last.data).toMatchObject({ reason: 'released', holder: { name: 'Bot' } })
  expect(await claimTask(mate, tasks.logo)).toMatchObject({ fencing_token: 2 })
  expect(await claimTask(bot, tasks.copy)).toMatchObject({ fencing_token: 1 })
  // The other agent has the task by now, and the old lease_id must not release that lease.
  expect((await faultOf(bot['leases.release']({ lease_id }))).code).toBe('not_found')
  expect(await w.changeTypes()).toEqual([
    ...['lease.claimed', 'lease.released', 'lease.claimed', 'lease.claimed'],
  ])
})

test('only open tasks that the caller can see can be claimed', async () => {
  const { ada, bot, otto, tasks, ...w } = await world()
  for (const status of ['Archive', 'Deleted'] as const) {
    await ada['tasks.update']({ ...tasks.logo, status })
    const { code, message, hint } = await faultOf(claimTask(bot, tasks.logo))
    expect([code, message]).toEqual([
      'conflict',
      `HP-1 is ${status === 'Archive' ? 'archived' : 'deleted'}, so it cannot be claimed`,
    ])
    expect(hint).toContain('status Normal')
  }
  const done = await faultOf(claimTask(bot, tasks.domain))
  expect([done.code, done.message]).toEqual(['conflict', 'HP-4 is done, so it cannot be claimed'])
  expect((await faultOf(claimTask(otto, tasks.copy))).code).toBe('not_found')
  expect((await faultOf(otto['leases.get'](tasks.copy))).code).toBe('not_found')
  expect((await faultOf(bot['leases.claim']({}))).details).toMatchObject({ code: 'required' })
  expect(await w.changeTypes()).not.toContain('lease.claimed')
})

test('people need no lease, but can claim a task, which agents then cannot change', async () => {
  const { ada, bot, tasks } = await world()
  await claimTask(bot, tasks.logo)
  await ada['tasks.update']({ ...tasks.logo, title: 'Draw the logo again' })
  const { lease_id } = await claimTask(ada, tasks.copy)
  const { code, message } = await faultOf(bot['tasks.update']({ ...tasks.copy, title: 'Mine' }))
  expect(code).toBe('conflict')
  expect(message).toStartWith('HP-2 is leased by Ada until ')
  await ada['leases.release']({ lease_id })
  await claimTask(bot, tasks.copy)
  // A lease_id that has ended is refused even for a person, who needs none.
  const staleUpdate = ada['tasks.update']({ ...tasks.copy, title: 'Mine', lease_id })
  expect((await faultOf(staleUpdate)).details).toMatchObject({
    field: 'lease_id',
    code: 'conflict',
  })
})

test('every write of the holder to the task renews the lease, and other writes do not', async () => {
  const w = await worldWithTwoAgents()
  const { ada, bot, mate, tasks, clock } = w
  const lease = await bot['leases.claim']({ ...tasks.logo, ttl: MINUTE })
  const readExpiry = async () => (await ada['leases.get'](tasks.logo)).lease?.expires_at
  const { task_id } = tasks.logo
  const holderWrites = [
    () => bot['tasks.update']({ task_id, priority: 'Low' }),
    () => bot['comments.add']({ task_id, text: 'Going on' }),
    () => bot['custom_fields.set']({ task_id, field_name: 'Points', value: 3 }),
    () => bot['drafts.create']({ task_id, text: '<p>Soon</p>' }),
  ]
  for (const write of holderWrites) {
    clock.advance(MINUTE / 2)
    await write()
    expect(await readExpiry()).toBe(timeAfter(w, MINUTE))
  }
  const before = await readExpiry()
  clock.advance(MINUTE / 2)
  await mate['comments.add']({ task_id, text: 'How far?' })
  await ada['tasks.update']({ task_id, priority: 'High' })
  await bot['comments.add']({ ...tasks.copy, text: 'Later' })
  await faultOf(bot['tasks.update']({ task_id, title: '' }))
  expect(await readExpiry()).toBe(before)
  expect(await bot['leases.claim']({ task_id })).toMatchObject({
    ...lease,
    expires_at: timeAfter(w, MINUTE),
  })
})

test('completing, archiving or deleting a task ends its lease, for every caller', async () => {
  const w = await world()
  const { ada, bot, sections, tasks } = w
  const cases = [
    [tasks.logo, bot, { section_id: sections.Done }, 'done'],
    [tasks.copy, ada, { section_id: sections.Done }, 'done'],
    [tasks.link, bot, { status: 'Archive' }, 'archived'],
    [
      await ada['tasks.create']({ project_id: w.board.project_id, title: 'x' }),
      ada,
      { status: 'Deleted' },
      'deleted',
    ],
  ] as const
  for (const [{ task_id }, actor, change, reason] of cases) {
    const { lease_id } = await claimTask(bot, { task_id })
    await bot['tasks.update']({ task_id, section_id: sections.Review })
    expect((await ada['leases.get']({ task_id })).lease).not.toBeNull()
    await actor['tasks.update']({ task_id, ...change })
    expect((await ada['leases.get']({ task_id })).lease).toBeNull()
    const last = (await w.changes()).at(-1)!
    expect([last.type, last.data.reason]).toEqual(['lease.released', reason])
    expect((await faultOf(bot['leases.heartbeat']({ lease_id }))).code).toBe('conflict')
    expect((await faultOf(bot['tasks.update']({ task_id, title: 'y' }))).code).toBe('lease_missing')
  }
  await ada['tasks.update']({ ...tasks.logo, section_id: sections.Doing })
  expect(await claimTask(bot, tasks.logo)).toMatchObject({ fencing_token: 2 })
})

test('deleting a column and moving its tasks to a done one ends their leases', async () => {
  const { ada, bot, board, sections, tasks, ...w } = await world()
  const { project_id } = board
  for (let i = 0; i < 3; i++)
    await ada['tasks.create']({ project_id, section_id: sections.Next, title: `More ${i}` })
  const { items } = await ada['tasks.list']({ project_id, section_id: sections.Next })
  expect(items).toHaveLength(4)
  const taskRefs = items.map(({ task_id }) => ({ task_id }))
  for (const task of taskRefs) await claimTask(bot, task)
  await claimTask(bot, tasks.logo)
  await ada['sections.delete']({
    ...{ project_id, section_id: sections.Next, move_tasks_to_section_id: sections.Done },
  })
  for (const task of taskRefs) expect((await ada['leases.get'](task)).lease).toBeNull()
  expect((await ada['leases.get'](tasks.logo)).lease).not.toBeNull()
  expect((await w.changeTypes()).filter((type) => type === 'lease.released')).toHaveLength(4)
})

test('leases are claimed, renewed, shown and released over REST', async () => {
  const { http, bot, tasks } = await world()
  const post = async (action: string, body: object) => {
    const { status, body: response } = await http(
      bot,
      'POST',
      `/api/mcp/tasks/lease/${action}`,
      body,
    )
    return { status, ...response }
  }
  const { status, data } = await post('claim', { ticket_number: 'HP-1', owner_id: 'a' })
  expect(status).toBe(200)
  expect(data).toMatchObject({ ticket_number: 'HP-1', owner_id: 'a', fencing_token: 1 })
  const { lease_id } = data
  expect(await post('heartbeat', { lease_id, ttl: 20_000 })).toMatchObject({
    data: { ttl: 20_000 },
  })
  const response = await http(bot, 'GET', '/api/v1/tasks/HP-1/lease')
  expect(response.body.data.lease).toMatchObject({ lease_id, holder: { name: 'Bot' } })
  const changed = await http(bot, 'PATCH', '/api/v1/tasks/HP-1', { title: 'Changed', lease_id })
  expect([changed.status, changed.body.data.changed]).toEqual([200, ['title']])
  expect(await post('release', { lease_id })).toMatchObject({
    status: 200,
    data: { released: true },
  })
  expect(await post('claim', { ticket_number: 'HP-4' })).toMatchObject({ status: 409 })
  expect(await post('claim', { ticket_number: 'HP-99' })).toMatchObject({ status: 404 })
  expect(await post('claim', { ticket_number: 'HP-1', ttl: 1 })).toMatchObject({ status: 400 })
  expect((await http(undefined, 'POST', '/api/mcp/tasks/lease/claim', {})).status).toBe(401)
  expect(tasks.logo.ticket_number).toBe('HP-1')
})
