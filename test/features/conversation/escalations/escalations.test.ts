import { expect, test } from 'bun:test'
import { Fault } from '../../../../src/kernel/fault.ts'
import { faultOf } from '../../../support/faults.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const id = ({ caller }: Actor) => caller.actor_id

const createEscalation = (w: World, actor: Actor = w.bot, overrides: object = {}) =>
  actor['escalations.create']({
    ...{ task_id: w.tasks.logo.task_id, reason: 'The deploy key has expired.', ...overrides },
  })

test('an agent’s escalation goes to its owner, as an important notification', async () => {
  const w = await world()
  const escalation = await createEscalation(w)
  const { escalation_id } = escalation
  expect(escalation).toEqual({
    ...{ escalation_id, task_id: w.tasks.logo.task_id, ticket_number: 'HP-1' },
    ...{ reason: 'The deploy key has expired.', state: 'open', note: null },
    to: { kind: 'person', user_id: id(w.cleo), name: 'Cleo' },
    created_by: { kind: 'agent', agent_id: w.bot.caller.agent_id!, name: 'Bot' },
    created_at: '2026-11-20T12:00:00.000Z',
    ...{ resolved_by: null, resolved_at: null },
  })
  await waitForFollowers(w)
  const { items } = await w.cleo['inbox.list']({ kind: 'escalated' })
  expect(items).toMatchObject([
    {
      ...{ important: true, escalation_id, snippet: 'The deploy key has expired.' },
      ...{ actor: { name: 'Bot' }, task: { ticket_number: 'HP-1' }, read_at: null },
    },
  ])
  expect((await w.ada['inbox.list']({ kind: 'escalated' })).items).toEqual([])
})

test('resolving an escalation notifies its author and marks the recipient’s notification read', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { escalation_id } = await createEscalation(w)
  await waitForFollowers(w)
  w.clock.advance(60_000)
  expect(
    await w.cleo['escalations.resolve']({ task_id, escalation_id, note: 'Renewed it.' }),
  ).toMatchObject({
    ...{ state: 'resolved', note: 'Renewed it.', resolved_by: { name: 'Cleo' } },
    resolved_at: '2026-11-20T12:01:00.000Z',
  })
  await waitForFollowers(w)
  const [notification] = (await w.cleo['inbox.list']({ kind: 'escalated' })).items
  expect(notification!.read_at).toBe('2026-11-20T12:01:00.000Z')
  const { items } = await w.bot['inbox.list']({})
  expect(items).toMatchObject([
    { kind: 'escalated', important: true, escalation_id, snippet: 'Resolved: Renewed it.' },
  ])
  const escalationChanges = (await w.changes()).filter(({ type }) => type.startsWith('escalation.'))
  expect(escalationChanges.map(({ type, actor_id, data }) => [type, actor_id, data])).toEqual([
    [
      ...['escalation.created', id(w.bot)],
      {
        ...{ escalation_id, ticket_number: 'HP-1', title: 'Draw the logo' },
        ...{ reason: 'The deploy key has expired.', to_user_id: id(w.cleo) },
      },
    ],
    [
      ...['escalation.resolved', id(w.cleo)],
      {
        ...{ escalation_id, ticket_number: 'HP-1', title: 'Draw the logo' },
        ...{ to_user_id: id(w.cleo), author_id: id(w.bot), note: 'Renewed it.' },
      },
    ],
  ])
})

test('an escalation goes to the named person, else the task’s creator, else the board’s creator', async () => {
  const w = await world()
  const recipientName = async (actor: Actor, overrides: object) =>
    (await createEscalation(w, actor, overrides)).to.name
  expect(await recipientName(w.bot, { to_user_id: id(w.ben) })).toBe('Ben')
  expect(await recipientName(w.cleo, {})).toBe('Ada')
  const { project_id } = w.board
  const cleosTask = await w.cleo['tasks.create']({ project_id, title: 'Of her own' })
  expect(await recipientName(w.ben, { task_id: cleosTask.task_id })).toBe('Cleo')
  expect(await recipientName(w.cleo, { task_id: cleosTask.task_id })).toBe('Ada')
  expect(await faultOf(createEscalation(w, w.ada))).toMatchObject({
    ...{ code: 'invalid', details: { field: 'to_user_id', code: 'required' } },
  })
  for (const actor of [w.gus, w.otto, w.bot])
    expect(await faultOf(createEscalation(w, w.bot, { to_user_id: id(actor) }))).toMatchObject({
      ...{ code: 'invalid', details: { field: 'to_user_id', code: 'not_found' } },
    })
})

test('an escalation is resolved once, by its recipient, its author or a manager', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const dora = await w.addMember(w.team_id, 'Dora', 'member')
  for (const actor of [w.cleo, w.bot, w.ben]) {
    const { escalation_id } = await createEscalation(w)
    const input = { task_id, escalation_id }
    expect(await faultOf(dora['escalations.resolve'](input))).toMatchObject({ code: 'forbidden' })
    const results = await Promise.allSettled([
      actor['escalations.resolve'](input),
      w.ada['escalations.resolve'](input),
    ])
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason] : [],
    )
    expect(errors.map((error) => error instanceof Fault && error.code)).toEqual(['conflict'])
    expect(await faultOf(actor['escalations.resolve'](input))).toMatchObject({ code: 'conflict' })
  }
  const resolvedChanges = (await w.changeTypes()).filter((type) => type === 'escalation.resolved')
  expect(resolvedChanges).toHaveLength(3)
})

test('escalations of a task are listed newest first, filtered by state and text', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const first = await createEscalation(w)
  w.clock.advance(1000)
  const second = await createEscalation(w, w.bot, { reason: 'The disk is full.' })
  await w.cleo['escalations.resolve']({ task_id, escalation_id: first.escalation_id })
  const listIds = async (overrides: object) =>
    (await w.ada['escalations.list']({ task_id, ...overrides })).items.map(
      (escalation) => escalation.escalation_id,
    )
  expect(await listIds({})).toEqual([second.escalation_id, first.escalation_id])
  expect(await listIds({ state: 'open' })).toEqual([second.escalation_id])
  expect(await listIds({ state: 'resolved' })).toEqual([first.escalation_id])
  expect(await listIds({ query: 'disk' })).toEqual([second.escalation_id])
  const otherTaskInput = { task_id: w.tasks.copy.task_id, escalation_id: second.escalation_id }
  expect(await faultOf(w.cleo['escalations.resolve'](otherTaskInput))).toMatchObject({
    code: 'not_found',
  })
})

test('over REST creating an escalation returns 201, resolving it 200, and resolving it again 409', async () => {
  const w = await world()
  const path = '/api/v1/tasks/HP-1/escalations'
  const response = await w.http(w.bot, 'POST', path, { reason: 'The key has expired' })
  expect([response.status, response.body.data.to.name]).toEqual([201, 'Cleo'])
  const resolvePath = `${path}/${response.body.data.escalation_id}/resolve`
  expect((await w.http(w.cleo, 'POST', resolvePath, {})).status).toBe(200)
  expect((await w.http(w.cleo, 'POST', resolvePath, {})).status).toBe(409)
})
