import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { queueRuns } from '../../../../src/features/agents/runs/model/index.ts'
import { handleBatch } from '../../../../src/store/follow.ts'
import { migrate } from '../../../../src/store/migrate.ts'
import { migrationsOf } from '../../../../src/store/migrations.ts'
import { createDatabaseLocation } from '../../../support/database.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { onPostgres } from '../../../support/postgres.ts'
import { type Actor, NOON, type World, world } from '../../../support/world.ts'

const id = ({ caller }: Actor) => caller.actor_id
const uuid = ({ caller }: Actor) => caller.agent_id!

const assign = (w: World, actor: Actor = w.cleo, overrides: object = {}) =>
  actor['tasks.assign']({ task_id: w.tasks.logo.task_id, agent_id: uuid(w.bot), ...overrides })

const mention = (w: World, text: string, actor: Actor = w.ben) =>
  actor['comments.add']({
    task_id: w.tasks.logo.task_id,
    text: `<p>@Bot ${text}</p>`,
    mentions: [{ agent_id: uuid(w.bot), display_name: 'Bot' }],
  })

const runsOf = async (w: World, task = w.tasks.logo) =>
  (await w.ada['runs.list']({ task_id: task.task_id, sort: 'createdAt:asc' })).items

const runChanges = async (w: World) =>
  (await w.changes()).filter(({ type }) => type.startsWith('run.'))

test('assigning an agent to a task queues a run in the name of the person who assigned it', async () => {
  const w = await world()
  await assign(w)
  await waitForFollowers(w, 'runs')
  const [run, ...rest] = await runsOf(w)
  expect(run).toMatchObject({
    ...{ state: 'queued', origin: 'assigned', prompt: null },
    ...{ agent: { name: 'Bot' }, created_by: { user_id: id(w.cleo) } },
  })
  expect(rest).toEqual([])
  expect(await runChanges(w)).toMatchObject([
    {
      ...{ type: 'run.created', actor_id: id(w.cleo), task_id: w.tasks.logo.task_id },
      data: { run_id: run!.run_id, agent_id: uuid(w.bot), ticket_number: 'HP-1', state: 'queued' },
    },
  ])
})

test('mentioning an agent queues a run with the comment as prompt, or prompts an open run', async () => {
  const w = await world()
  const first = await mention(w, 'draw it in blue')
  await waitForFollowers(w, 'runs')
  const second = await mention(w, 'and <b>hurry</b>')
  await waitForFollowers(w, 'runs')
  const items = await runsOf(w)
  expect(items).toMatchObject([
    {
      ...{ origin: 'mentioned', prompt: '@Bot and hurry', comment_id: second.comment_id },
      ...{ entry_count: 2, prompted_by: { user_id: id(w.ben) } },
    },
  ])
  expect(
    (await runChanges(w)).map(({ type, data }) => [type, data.prompt, data.comment_id]),
  ).toEqual([
    ['run.created', '@Bot draw it in blue', first.comment_id],
    ['run.prompted', '@Bot and hurry', second.comment_id],
  ])
})

test('mentioning an agent in a description queues a run as well', async () => {
  const w = await world()
  await w.ada['tasks.update']({
    task_id: w.tasks.copy.task_id,
    description: '<p>@Bot writes it.</p>',
    mentions: [{ agent_id: uuid(w.bot), display_name: 'Bot' }],
  })
  await waitForFollowers(w, 'runs')
  expect(await runsOf(w, w.tasks.copy)).toMatchObject([
    { origin: 'mentioned', prompt: '@Bot writes it.', comment_id: null },
  ])
})

test('people, agents that name themselves and agents without board access get no run', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.ada['tasks.assign']({ task_id, user_id: id(w.ben) })
  await w.bot['leases.claim']({ ticket_number: w.tasks.copy.ticket_number })
  await w.bot['tasks.assign']({ task_id: w.tasks.copy.task_id, assign_self: true })
  await mention(w, 'that is me', w.bot)
  await mention(w, 'are you there?')
  // The agent loses the board with its owner before the follower reads the log.
  await w.ada['teams.remove_member']({ team_id: w.team_id, user_id: id(w.cleo) })
  await waitForFollowers(w, 'runs')
  for (const task of [w.tasks.logo, w.tasks.copy]) expect(await runsOf(w, task)).toEqual([])
  expect(await runChanges(w)).toEqual([])
})

test('assigning an agent to a completed task queues no run', async () => {
  const w = await world()
  const { task_id } = w.tasks.domain
  await w.cleo['tasks.assign']({ task_id, agent_id: uuid(w.bot) })
  await waitForFollowers(w, 'runs')
  expect(await runsOf(w, w.tasks.domain)).toEqual([])
})

test('unassigning an agent stops its queued run, unless a mention queued it', async () => {
  const w = await world()
  await assign(w)
  await waitForFollowers(w, 'runs')
  await assign(w, w.ben, { intent: 'unassign' })
  await waitForFollowers(w, 'runs')
  expect(await runsOf(w)).toMatchObject([{ state: 'stopped', reason: 'The agent was unassigned' }])
  await mention(w, 'look at this')
  await assign(w)
  await waitForFollowers(w, 'runs')
  await assign(w, w.cleo, { intent: 'unassign' })
  await waitForFollowers(w, 'runs')
  expect((await runsOf(w)).map(({ state }) => state)).toEqual(['stopped', 'queued'])
  expect((await runChanges(w)).map(({ type, actor_id }) => [type, actor_id])).toEqual([
    ['run.created', id(w.cleo)],
    ['run.stopped', id(w.ben)],
    ['run.created', id(w.ben)],
  ])
})

test('completing, archiving or deleting a task stops queued runs but not running ones', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const other = await w.addAgent(w.team_id, w.cleo, 'Other')
  await w.bot['runs.create']({ task_id })
  for (const [change, reason] of [
    [{ section_id: w.sections.Done }, 'The task was completed'],
    [{ section_id: w.sections.Doing, status: 'Archive' }, 'The task was archived'],
    [{ status: 'Deleted' }, 'The task was deleted'],
  ] as const) {
    await w.ada['tasks.update']({ task_id, section_id: w.sections.Doing, status: 'Normal' })
    const { run_id } = await w.ada['runs.create']({ task_id, agent_id: uuid(other) })
    await w.ada['tasks.update']({ task_id, ...change })
    await waitForFollowers(w, 'runs')
    expect(await w.ada['runs.get']({ run_id })).toMatchObject({ state: 'stopped', reason })
  }
  expect((await runsOf(w))[0]).toMatchObject({ state: 'running', agent: { name: 'Bot' } })
})

test('renaming a task stops no run, and moving it to another board moves its runs', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const garden = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Garden', sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  const { run_id } = await w.bot['runs.create']({ task_id })
  await w.ada['tasks.update']({ task_id, title: 'Draw a better logo' })
  await w.ada['tasks.move']({ task_id, target_project_id: garden.project_id })
  await waitForFollowers(w, 'runs')
  const elsewhere = await w.ada['sessions.list']({ project_id: garden.project_id })
  expect(elsewhere.items).toMatchObject([{ run_id, state: 'running' }])
  const sessions = await w.ada['sessions.list']({ project_id: w.board.project_id })
  expect(sessions.items).toEqual([])
})

test('a run stops when its task moves to a board that the agent cannot access', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { project_id } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Garden', sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  const agent_id = uuid(w.bot)
  await w.cleo['agents.update']({ agent_id, project_ids: [w.board.project_id] })
  await w.cleo['runs.create']({ task_id, agent_id })
  await w.ada['tasks.move']({ task_id, target_project_id: project_id })
  await waitForFollowers(w, 'runs')
  expect(await runsOf(w)).toMatchObject([
    { state: 'stopped', reason: 'The agent has no access to the new board of the task' },
  ])
})

test('deactivating an agent stops its open runs', async () => {
  const w = await world()
  await w.bot['runs.create']({ task_id: w.tasks.logo.task_id })
  await w.cleo['runs.create']({ task_id: w.tasks.copy.task_id, agent_id: uuid(w.bot) })
  await w.cleo['agents.deactivate']({ agent_id: uuid(w.bot) })
  await waitForFollowers(w, 'runs')
  for (const task of [w.tasks.logo, w.tasks.copy])
    expect(await runsOf(w, task)).toMatchObject([
      { state: 'stopped', reason: 'The agent was deactivated' },
    ])
})

test('several followers and a crash between them queue a run only once', async () => {
  const w = await world()
  await assign(w)
  await mention(w, 'one')
  const crash = handleBatch(w.store, 'runs', async (tx, changes) => {
    await queueRuns(tx, changes)
    throw new Error('the power went')
  })
  await expect(crash).rejects.toThrow('the power went')
  expect(await runsOf(w)).toEqual([])
  expect(await runChanges(w)).toEqual([])
  const follow = () => waitForFollowers(w, 'runs')
  await Promise.all([follow(), follow(), follow()])
  await follow()
  expect((await runChanges(w)).map(({ type }) => type)).toEqual(['run.created', 'run.prompted'])
  expect(await runsOf(w)).toMatchObject([{ state: 'queued', prompt: '@Bot one', entry_count: 1 }])
})

test('the end of a run notifies who created and prompted it, and the creator of the task', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { run_id } = await w.cleo['runs.create']({ task_id, agent_id: uuid(w.bot) })
  await w.ben['runs.prompt']({ run_id, text: 'In blue.' })
  await w.bot['runs.update']({ run_id, state: 'failed', summary: 'No blue left' })
  await waitForFollowers(w)
  for (const actor of [w.cleo, w.ben, w.ada]) {
    const { items } = await actor['inbox.list']({ kind: 'run_finished' })
    expect(items).toMatchObject([
      { run_id, important: false, snippet: 'Failed: No blue left', actor: { name: 'Bot' } },
    ])
  }
  expect((await w.bot['inbox.list']({ kind: 'run_finished' })).items).toEqual([])
  const { activity } = (await w.ada['tasks.context']({ task_id })) as {
    activity: { summary: string }[]
  }
  expect(activity.slice(-3).map(({ summary }) => summary)).toEqual([
    'started a run of Bot',
    'prompted Bot: In blue.',
    'ended the run as failed: No blue left',
  ])
})

test.skipIf(onPostgres)('the migration that adds runs skips all earlier changes', async () => {
  const { path } = await createDatabaseLocation()
  const database = new Database(path, { create: true, strict: true })
  const migrations = migrationsOf('sqlite')
  const earlier = migrations.filter(({ name }) => name < '0004')
  migrate(database, path, NOON, earlier)
  const change = `insert into changes (type, actor_id, data, created_at) values ('x', 1, '{}', 0)`
  for (let i = 0; i < 3; i++) database.run(change)
  migrate(database, path, NOON, migrations)
  const follower = database.query(`select seq from followers where name = 'runs'`).get()
  expect(follower).toEqual({ seq: 3 })
  database.close()
})

test('removing a person from the team stops the runs of that person’s agents only', async () => {
  const w = await world()
  const mate = await w.addAgent(w.team_id, w.ben, 'Mate')
  await assign(w)
  await w.ben['runs.create']({ task_id: w.tasks.copy.task_id, agent_id: uuid(mate) })
  await waitForFollowers(w, 'runs')
  await w.ada['teams.remove_member']({ team_id: w.team_id, user_id: id(w.cleo) })
  await waitForFollowers(w, 'runs')
  const [run] = await runsOf(w)
  expect(run).toMatchObject({ state: 'stopped', reason: 'Its owner left the team' })
  expect(await runsOf(w, w.tasks.copy)).toMatchObject([{ state: 'queued' }])
})
