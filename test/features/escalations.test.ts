import { expect, test } from 'bun:test'
import { Fault } from '../../src/kernel/fault.ts'
import { caughtUp } from '../caughtup.ts'
import { refused } from '../refused.ts'
import { type Actor, type World, world } from '../world.ts'

const id = ({ caller }: Actor) => caller.actor_id

const escalated = (w: World, who: Actor = w.bot, more: object = {}) =>
  who['escalations.create']({
    ...{ task_id: w.tasks.logo.task_id, reason: 'The deploy key has expired.', ...more },
  })

test('an agent’s escalation goes to its owner, as an important notification', async () => {
  const w = await world()
  const made = await escalated(w)
  const { escalation_id } = made
  expect(made).toEqual({
    ...{ escalation_id, task_id: w.tasks.logo.task_id, ticket_number: 'HP-1' },
    ...{ reason: 'The deploy key has expired.', state: 'open', note: null },
    to: { kind: 'person', user_id: id(w.cleo), name: 'Cleo' },
    created_by: { kind: 'agent', agent_id: w.bot.caller.agent_id!, name: 'Bot' },
    created_at: '2026-11-20T12:00:00.000Z',
    ...{ resolved_by: null, resolved_at: null },
  })
  await caughtUp(w)
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
  const { escalation_id } = await escalated(w)
  await caughtUp(w)
  w.clock.pass(60_000)
  expect(
    await w.cleo['escalations.resolve']({ task_id, escalation_id, note: 'Renewed it.' }),
  ).toMatchObject({
    ...{ state: 'resolved', note: 'Renewed it.', resolved_by: { name: 'Cleo' } },
    resolved_at: '2026-11-20T12:01:00.000Z',
  })
  await caughtUp(w)
  const [call] = (await w.cleo['inbox.list']({ kind: 'escalated' })).items
  expect(call!.read_at).toBe('2026-11-20T12:01:00.000Z')
  const { items } = await w.bot['inbox.list']({})
  expect(items).toMatchObject([
    { kind: 'escalated', important: true, escalation_id, snippet: 'Resolved: Renewed it.' },
  ])
  const told = (await w.changes()).filter(({ type }) => type.startsWith('escalation.'))
  expect(told.map(({ type, actor_id, data }) => [type, actor_id, data])).toEqual([
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
  const name = async (who: Actor, more: object) => (await escalated(w, who, more)).to.name
  expect(await name(w.bot, { to_user_id: id(w.ben) })).toBe('Ben')
  expect(await name(w.cleo, {})).toBe('Ada')
  const { project_id } = w.board
  const own = await w.cleo['tasks.create']({ project_id, title: 'Of her own' })
  expect(await name(w.ben, { task_id: own.task_id })).toBe('Cleo')
  expect(await name(w.cleo, { task_id: own.task_id })).toBe('Ada')
  expect(await refused(escalated(w, w.ada))).toMatchObject({
    ...{ code: 'invalid', details: { field: 'to_user_id', code: 'required' } },
  })
  for (const who of [w.gus, w.otto, w.bot])
    expect(await refused(escalated(w, w.bot, { to_user_id: id(who) }))).toMatchObject({
      ...{ code: 'invalid', details: { field: 'to_user_id', code: 'not_found' } },
    })
})

test('an escalation is resolved once, by its recipient, its author or a manager', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const dora = await w.member(w.team_id, 'Dora', 'member')
  for (const who of [w.cleo, w.bot, w.ben]) {
    const { escalation_id } = await escalated(w)
    const given = { task_id, escalation_id }
    expect(await refused(dora['escalations.resolve'](given))).toMatchObject({ code: 'forbidden' })
    const ends = await Promise.allSettled([
      who['escalations.resolve'](given),
      w.ada['escalations.resolve'](given),
    ])
    const lost = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(lost.map((one) => one instanceof Fault && one.code)).toEqual(['conflict'])
    expect(await refused(who['escalations.resolve'](given))).toMatchObject({ code: 'conflict' })
  }
  const told = (await w.emitted()).filter((type) => type === 'escalation.resolved')
  expect(told).toHaveLength(3)
})

test('escalations of a task are listed newest first, filtered by state and text', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const first = await escalated(w)
  w.clock.pass(1000)
  const second = await escalated(w, w.bot, { reason: 'The disk is full.' })
  await w.cleo['escalations.resolve']({ task_id, escalation_id: first.escalation_id })
  const listed = async (more: object) =>
    (await w.ada['escalations.list']({ task_id, ...more })).items.map((one) => one.escalation_id)
  expect(await listed({})).toEqual([second.escalation_id, first.escalation_id])
  expect(await listed({ state: 'open' })).toEqual([second.escalation_id])
  expect(await listed({ state: 'resolved' })).toEqual([first.escalation_id])
  expect(await listed({ query: 'disk' })).toEqual([second.escalation_id])
  const elsewhere = { task_id: w.tasks.copy.task_id, escalation_id: second.escalation_id }
  expect(await refused(w.cleo['escalations.resolve'](elsewhere))).toMatchObject({
    code: 'not_found',
  })
})

test('over REST creating an escalation returns 201, resolving it 200, and resolving it again 409', async () => {
  const w = await world()
  const path = '/api/v1/tasks/HP-1/escalations'
  const made = await w.http(w.bot, 'POST', path, { reason: 'The key has expired' })
  expect([made.status, made.body.data.to.name]).toEqual([201, 'Cleo'])
  const end = `${path}/${made.body.data.escalation_id}/resolve`
  expect((await w.http(w.cleo, 'POST', end, {})).status).toBe(200)
  expect((await w.http(w.cleo, 'POST', end, {})).status).toBe(409)
})
