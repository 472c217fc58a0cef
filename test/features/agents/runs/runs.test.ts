import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  canMove,
  isOver,
  movesFrom,
  STATES,
  type State,
  stateAfterPrompt,
} from '../../../../src/features/agents/runs/model/rules.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const id = ({ caller }: Actor) => caller.actor_id
const uuid = ({ caller }: Actor) => caller.agent_id!

/** Creates a run of the agent on the logo task, requested by its owner. */
const requestRun = (w: World, overrides: object = {}) =>
  w.cleo['runs.create']({ task_id: w.tasks.logo.task_id, agent_id: uuid(w.bot), ...overrides })

test('a person creates a run, and the agent starts it and completes it with a summary', async () => {
  const w = await world()
  const created = await requestRun(w, { prompt: 'Draw it in blue.' })
  const { run_id } = created
  expect(created).toEqual({
    ...{ run_id, task_id: w.tasks.logo.task_id, ticket_number: 'HP-1' },
    ...{ agent_id: uuid(w.bot), state: 'queued', created: true },
    updated_at: '2026-11-20T12:00:00.000Z',
  })
  w.clock.advance(1000)
  expect(await w.bot['runs.update']({ run_id, state: 'running' })).toMatchObject({
    ...{ state: 'running', changed: ['state'] },
  })
  w.clock.advance(1000)
  await w.bot['runs.update']({ run_id, state: 'done', summary: 'Drawn in blue.' })
  const read = await w.ada['runs.get']({ run_id })
  expect(read).toMatchObject({
    ...{ run_id, state: 'done', origin: 'asked', prompt: 'Draw it in blue.' },
    agent: { kind: 'agent', agent_id: uuid(w.bot), name: 'Bot' },
    task: { ticket_number: 'HP-1', title: 'Draw the logo', section: 'Doing', done: false },
    created_by: { user_id: id(w.cleo) },
    ...{ summary: 'Drawn in blue.', reason: null, entry_count: 1 },
    created_at: '2026-11-20T12:00:00.000Z',
    started_at: '2026-11-20T12:00:01.000Z',
    ended_at: '2026-11-20T12:00:02.000Z',
  })
  const changes = await w.changes()
  expect(changes.map(({ type, actor_id }) => [type, actor_id])).toEqual([
    ['run.created', id(w.cleo)],
    ['run.started', id(w.bot)],
    ['run.done', id(w.bot)],
  ])
  expect(changes[0]!.data).toEqual({
    ...{ run_id, agent_id: uuid(w.bot), agent_name: 'Bot', task_id: w.tasks.logo.task_id },
    ...{ ticket_number: 'HP-1', title: 'Draw the logo', state: 'queued', origin: 'asked' },
    prompt: 'Draw it in blue.',
  })
  expect(changes[2]!.data).toMatchObject({ summary: 'Drawn in blue.', askers: [id(w.cleo)] })
})

test('an agent that creates a run for itself starts it at once, or starts its queued run', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  const ownRun = await w.bot['runs.create']({ task_id })
  expect(ownRun).toMatchObject({ state: 'running', created: true })
  expect(await w.bot['runs.create']({ task_id, agent_id: 'self' })).toMatchObject({
    ...{ run_id: ownRun.run_id, created: false },
  })
  const queued = await requestRun(w)
  expect(queued.run_id).not.toBe(ownRun.run_id)
  expect(await w.bot['runs.create']({ task_id: w.tasks.logo.task_id })).toMatchObject({
    ...{ run_id: queued.run_id, state: 'running', created: false },
  })
  expect(await w.changeTypes()).toEqual(['run.created', 'run.created', 'run.started'])
})

test('creating a run while one is open adds the prompt to the open run', async () => {
  const w = await world()
  const { run_id } = await requestRun(w)
  expect(await requestRun(w)).toMatchObject({ run_id, created: false })
  expect(await requestRun(w, { prompt: 'And hurry.' })).toMatchObject({ run_id, created: false })
  expect((await w.changes()).map(({ type, data }) => [type, data.prompt])).toEqual([
    ['run.created', null],
    ['run.prompted', 'And hurry.'],
  ])
})

test('a run without agent_id is for the assigned agent, and is refused if none is assigned', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  expect(await faultOf(w.cleo['runs.create']({ task_id }))).toMatchObject({
    ...{ code: 'invalid', details: { field: 'agent_id', code: 'required' } },
  })
  await w.cleo['tasks.assign']({ task_id, agent_id: uuid(w.bot) })
  expect(await w.cleo['runs.create']({ task_id })).toMatchObject({ agent_id: uuid(w.bot) })
})

test('a run is refused for members without rights to the agent, outsiders and archived tasks', async () => {
  const w = await world()
  const dora = await w.addMember(w.team_id, 'Dora', 'member')
  const { task_id } = w.tasks.logo
  const agent_id = uuid(w.bot)
  for (const actor of [dora, await w.addAgent(w.team_id, dora, 'Other')])
    expect(await faultOf(actor['runs.create']({ task_id, agent_id }))).toMatchObject({
      code: 'forbidden',
    })
  expect(await faultOf(w.cleo['runs.create']({ task_id, agent_id: 'self' }))).toMatchObject({
    code: 'forbidden',
  })
  expect(await faultOf(w.otto['runs.create']({ task_id, agent_id }))).toMatchObject({
    code: 'not_found',
  })
  await w.ada['tasks.update']({ task_id, status: 'Archive' })
  expect(await faultOf(requestRun(w))).toMatchObject({
    ...{ code: 'conflict', details: { status: 'Archive' } },
  })
  expect((await w.changeTypes()).filter((type) => type.startsWith('run.'))).toEqual([])
})

test('a prompt of a person queues a waiting run again and is added to the transcript', async () => {
  const w = await world()
  const { run_id } = await w.bot['runs.create']({ task_id: w.tasks.logo.task_id })
  await w.bot['runs.update']({ run_id, state: 'waiting', summary: 'Which blue?' })
  expect(await w.ben['runs.prompt']({ run_id, text: 'The dark one.' })).toMatchObject({
    ...{ state: 'queued', changed: ['prompt', 'state'] },
  })
  await w.bot['runs.update']({ run_id, state: 'running' })
  expect(await w.ben['runs.prompt']({ run_id, text: 'Or black.' })).toMatchObject({
    ...{ state: 'running', changed: ['prompt'] },
  })
  const { items } = await w.cleo['runs.transcript']({ run_id })
  expect(items.map(({ number, kind, text, author }) => [number, kind, text, author.name])).toEqual([
    [1, 'prompt', 'The dark one.', 'Ben'],
    [2, 'prompt', 'Or black.', 'Ben'],
  ])
  expect(await faultOf(w.bot['runs.prompt']({ run_id, text: 'Go on.' }))).toMatchObject({
    code: 'forbidden',
  })
  const [, , first] = await w.changes()
  expect(first).toMatchObject({ type: 'run.prompted', actor_id: id(w.ben) })
  expect(first!.data).toMatchObject({ prompt: 'The dark one.', state: 'queued' })
})

test('a stopped run stays stopped, and refuses updates, prompts and transcript entries', async () => {
  const w = await world()
  const { run_id } = await requestRun(w)
  const stopped = await w.cleo['runs.stop']({ run_id, reason: 'Not needed.' })
  expect(stopped).toMatchObject({ state: 'stopped', changed: ['state'] })
  expect(await w.cleo['runs.stop']({ run_id })).toMatchObject({ changed: [] })
  for (const attempt of [
    () => w.bot['runs.update']({ run_id, state: 'running' }),
    () => w.bot['runs.update']({ run_id, summary: 'Too late' }),
    () => w.ben['runs.prompt']({ run_id, text: 'Go on.' }),
    () => w.bot['runs.append']({ run_id, entries: [{ text: 'Drawing' }] }),
  ]) {
    const fault = await faultOf(attempt())
    expect(fault).toMatchObject({ code: 'conflict', details: { state: 'stopped' } })
    expect(fault.hint).toContain('POST /api/v1/tasks/{task}/runs')
  }
  expect(await w.ada['runs.get']({ run_id })).toMatchObject({
    ...{ state: 'stopped', reason: 'Not needed.', entry_count: 0 },
  })
  expect(await w.changeTypes()).toEqual(['run.created', 'run.stopped'])
  expect((await w.changes())[1]!.data).toMatchObject({ reason: 'Not needed.' })
  // A new run can be created afterwards.
  expect(await requestRun(w)).toMatchObject({ created: true })
})

test('a run can be stopped by its agent, its creator and the admins, but by no other member', async () => {
  const w = await world()
  const dora = await w.addMember(w.team_id, 'Dora', 'member')
  for (const actor of [w.bot, w.cleo, w.ben, w.ada]) {
    const { run_id } = await requestRun(w)
    expect(await faultOf(dora['runs.stop']({ run_id }))).toMatchObject({ code: 'forbidden' })
    expect(await actor['runs.stop']({ run_id })).toMatchObject({ state: 'stopped' })
  }
})

test('only the agent of a run updates it and writes its transcript; outsiders do not find it', async () => {
  const w = await world()
  const other = await w.addAgent(w.team_id, w.cleo, 'Other')
  const { run_id } = await requestRun(w)
  for (const actor of [w.ada, w.cleo, other]) {
    for (const call of [
      () => actor['runs.update']({ run_id, state: 'done' }),
      () => actor['runs.append']({ run_id, entries: [{ text: 'Mine' }] }),
    ])
      expect(await faultOf(call())).toMatchObject({ code: 'forbidden' })
  }
  for (const actor of [w.otto, w.gus]) {
    expect(await faultOf(actor['runs.get']({ run_id }))).toMatchObject({ code: 'not_found' })
    expect(await faultOf(actor['runs.transcript']({ run_id }))).toMatchObject({ code: 'not_found' })
  }
})

test('transcript entries are numbered and paged, and invalid ones are refused by field', async () => {
  const w = await world()
  const { run_id } = await w.bot['runs.create']({ task_id: w.tasks.logo.task_id })
  const first = await w.bot['runs.append']({
    run_id,
    entries: [
      { kind: 'thought', text: 'Blue it is' },
      { kind: 'action', text: 'Opened the file', at: '2026-11-20T11:59:00Z' },
    ],
  })
  expect(first).toEqual({ run_id, first: 1, last: 2, entry_count: 2 })
  await w.bot['runs.append']({ run_id, entries: [{ text: 'Drawn' }] })
  const page = await w.ada['runs.transcript']({ run_id, limit: 2 })
  expect(page.items.map(({ number, kind, at }) => [number, kind, at])).toEqual([
    [1, 'thought', '2026-11-20T12:00:00.000Z'],
    [2, 'action', '2026-11-20T11:59:00.000Z'],
  ])
  const rest = await w.ada['runs.transcript']({ run_id, cursor: page.page.next_cursor! })
  expect(rest.items.map(({ number, text }) => [number, text])).toEqual([[3, 'Drawn']])
  for (const [entries, field] of [
    [[{ text: 'x', at: 'yesterday' }], 'entries.0.at'],
    [[{ text: 'x'.repeat(20_001) }], 'entries.0.text'],
    [[{ text: 'x', kind: 'prompt' }], 'entries.0.kind'],
    [[], 'entries'],
  ] as const)
    expect(await faultOf(w.bot['runs.append']({ run_id, entries } as never))).toMatchObject({
      ...{ code: 'invalid', details: { field } },
    })
  // The log has the change for the board. It is not part of the activity of the task.
  const changes = (await w.changes()).filter(({ type }) => type === 'run.transcript')
  expect(changes.map(({ task_id, data }) => [task_id, data.first, data.last])).toEqual([
    [null, 1, 2],
    [null, 3, 3],
  ])
})

test('runs of a task are listed newest first with shortened prompts, and filtered by state', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const first = await requestRun(w, { prompt: `Draw ${'very '.repeat(300)}well` })
  await w.cleo['runs.stop']({ run_id: first.run_id })
  w.clock.advance(1000)
  const second = await requestRun(w)
  const { items, page } = await w.ada['runs.list']({ task_id })
  expect(items.map(({ run_id, state }) => [run_id, state])).toEqual([
    [second.run_id, 'queued'],
    [first.run_id, 'stopped'],
  ])
  expect(page.total).toBe(2)
  expect(items[1]!.prompt!.length).toBeLessThanOrEqual(500)
  const fullRun = await w.ada['runs.get']({ run_id: first.run_id })
  expect(fullRun.prompt).toEndWith('well')
  const open = await w.ada['runs.list']({ task_id, state: 'queued' })
  expect(open.items.map(({ run_id }) => run_id)).toEqual([second.run_id])
  expect((await w.ada['runs.list']({ task_id: w.tasks.copy.task_id })).items).toEqual([])
})

test('concurrent requests for a run create one run, and all of them return it', async () => {
  const w = await world()
  const runs = await Promise.all([requestRun(w), requestRun(w), requestRun(w), requestRun(w)])
  expect(new Set(runs.map(({ run_id }) => run_id)).size).toBe(1)
  expect(runs.filter(({ created }) => created)).toHaveLength(1)
  expect(await w.changeTypes()).toEqual(['run.created'])
})

test('concurrent entries are numbered without gaps, and of two concurrent ends one is refused', async () => {
  const w = await world()
  const { run_id } = await w.bot['runs.create']({ task_id: w.tasks.logo.task_id })
  const entries = [{ text: 'One' }, { text: 'Two' }]
  const appends = Array.from({ length: 6 }, () => w.bot['runs.append']({ run_id, entries }))
  const firstNumbers = (await Promise.all(appends)).map(({ first }) => first)
  expect(firstNumbers.sort((a, b) => a - b)).toEqual([1, 3, 5, 7, 9, 11])
  const ends = await Promise.allSettled([
    w.bot['runs.update']({ run_id, state: 'done' }),
    w.cleo['runs.stop']({ run_id }),
  ])
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const last = (await w.changeTypes()).filter((type) => /^run.(done|stopped)$/.test(type))
  expect(last).toHaveLength(1)
  const { state } = await w.ada['runs.get']({ run_id })
  expect(last).toEqual([`run.${state}`])
})

test('over REST a new run answers 201, an open one 200 and an impossible state 409', async () => {
  const w = await world()
  const path = '/api/v1/tasks/HP-1/runs'
  const first = await w.http(w.bot, 'POST', path, {})
  expect([first.status, first.body.data.state]).toEqual([201, 'running'])
  expect((await w.http(w.bot, 'POST', path, {})).status).toBe(200)
  const { run_id } = first.body.data
  const response = await w.http(w.bot, 'PATCH', `/api/v1/runs/${run_id}`, { state: 'queued' })
  expect([response.status, response.body.details.code]).toEqual([409, 'conflict'])
  const page = await w.http(w.ada, 'GET', `${path}?limit=1`)
  expect(page.body.data[0]).toMatchObject({ run_id, agent: { name: 'Bot' } })
})

const states = fc.constantFrom(...STATES)

test('a run changes state only along the state table, and never after it has ended', () => {
  fc.assert(
    fc.property(fc.array(states), (sequence) => {
      let state: State = 'queued'
      for (const next of sequence) {
        const before: State = state
        if (canMove(before, next)) state = next
        if (isOver(before)) expect(state).toBe(before)
        if (state !== before) expect(movesFrom(before)).toContain(state)
        expect(isOver(stateAfterPrompt(state))).toBe(isOver(state))
      }
    }),
  )
  expect(STATES.filter(isOver)).toEqual(['stopped', 'done', 'failed'])
  expect(STATES.filter((state) => movesFrom(state).includes('queued'))).toEqual([])
  expect(stateAfterPrompt('waiting')).toBe('queued')
})
