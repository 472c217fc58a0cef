import { expect, test } from 'bun:test'
import pino from 'pino'
import { readConfig } from '../../src/config/index.ts'
import { setUpFromCli } from '../../src/features/identity/accounts/model/index.ts'
import { SigningKey } from '../../src/features/identity/credentials/model/index.ts'
import { people } from '../../src/features/identity/people/model/index.ts'
import { tasks } from '../../src/features/tasks/tasks/model/index.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { createApp, createServer } from '../../src/server/app.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { TestClock, type World, world } from '../support/world.ts'

const MANY = 20

/** Runs many jobs concurrently; counts those that succeed and collects the codes of refusals. */
async function runConcurrently(job: (i: number) => Promise<unknown>, many = MANY) {
  const results = await Promise.allSettled(Array.from({ length: many }, (_, i) => job(i)))
  const outcomes = results.map((end): string => {
    if (end.status === 'fulfilled') return 'done'
    if (end.reason instanceof Fault) return end.reason.code
    throw end.reason
  })
  return {
    done: outcomes.filter((one) => one === 'done').length,
    refused: new Set(outcomes).difference(new Set(['done'])),
  }
}

const setOf = (...codes: string[]) => new Set(codes)

/** Counts the changes of a type in the log. */
const types = async (w: World, type: string) =>
  (await w.changeTypes()).filter((one) => one === type).length

test('of concurrent setups of an empty server one succeeds and the others conflict', async () => {
  const clock = new TestClock()
  const store = await openTestStore(await createDatabaseLocation(), clock.read)
  const config = { ...readConfig({}), url: 'http://localhost' }
  const key = new SigningKey(new Uint8Array(32))
  const setup = { store, clock: clock.read, server: createServer({ config, key }), key }
  const found = (i: number) =>
    setUpFromCli(setup, { email: `p${i}@example.com`, name: 'P', team: 'T' })
  expect(await runConcurrently(found)).toEqual({ done: 1, refused: setOf('conflict') })
  expect(await store.read((tx) => tx.select().from(people))).toHaveLength(1)
  createApp({ config, store, clock: clock.read, key, log: pino({ level: 'silent' }) }).feed.close()
})

test('of concurrent answers to one invitation one joins and the others are refused', async () => {
  const w = await world({ hasBoard: false })
  const ask = { team_id: w.team_id, email: 'new@example.com', role: 'member' } as const
  const { link } = await w.ada['invitations.create'](ask)
  const path = new URL(link).pathname
  const body = new URLSearchParams({ name: 'New', password: 'correct horse battery' }).toString()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'http://localhost',
    'sec-fetch-site': 'same-origin',
  }
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => w.http(undefined, 'POST', path, body, headers)),
  )
  const [first, ...rest] = answers.map(({ status }) => status).sort()
  expect(first).toBe(303)
  // One that comes when the invitation is used finds none.
  for (const status of rest) expect([404, 409]).toContain(status)
  const { items } = await w.ada['teams.members']({ team_id: w.team_id, query: 'New' })
  expect(items).toHaveLength(1)
})

test('concurrent invitations of one address leave only one open', async () => {
  const w = await world({ hasBoard: false })
  const ask = { team_id: w.team_id, email: 'new@example.com', role: 'guest' } as const
  expect((await runConcurrently(() => w.ada['invitations.create'](ask))).done).toBe(MANY)
  expect((await w.ada['invitations.list']({ team_id: w.team_id })).page.total).toBe(1)
})

test('concurrent updates of a description all succeed, each with a version of its own', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  const write = (i: number) => w.cleo['tasks.update']({ task_id, description: `Text ${i}` })
  expect((await runConcurrently(write)).done).toBe(MANY)
  expect(await w.cleo['tasks.get']({ task_id })).toMatchObject({ description_version: MANY })
  expect(await types(w, 'task.updated')).toBe(MANY)
})

test('of concurrent updates with one if_version one succeeds, for descriptions and playbooks', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const revise = (i: number) =>
    w.cleo['tasks.update']({ task_id, description: `Text ${i}`, if_version: 1 })
  expect(await runConcurrently(revise)).toEqual({ done: 1, refused: setOf('conflict') })
  const { project_id } = w.board
  const rule = (i: number) =>
    w.cleo['projects.set_playbook']({ project_id, notes: `Note ${i}`, if_version: 1 })
  expect(await runConcurrently(rule)).toEqual({ done: 1, refused: setOf('conflict') })
})

test('tasks moved to or created in one column concurrently get distinct ranks and ticket numbers', async () => {
  const w = await world()
  const { project_id } = w.board
  const ids: number[] = []
  for (let i = 0; i < MANY; i++)
    ids.push((await w.cleo['tasks.create']({ project_id, title: `${i}` })).task_id)
  const move = (i: number) =>
    i % 2
      ? w.cleo['tasks.update']({ task_id: ids[i]!, section_id: w.sections.Review })
      : w.cleo['tasks.create']({ project_id, title: `n${i}`, section_id: w.sections.Review })
  expect((await runConcurrently(move)).done).toBe(MANY)
  const rows = await w.store.read((tx) => tx.select().from(tasks))
  const inReview = rows.filter(({ section_id }) => section_id === w.sections.Review)
  expect(inReview).toHaveLength(MANY)
  expect(new Set(inReview.map(({ rank }) => rank)).size).toBe(MANY)
  expect(new Set(rows.map(({ ticket_number }) => ticket_number)).size).toBe(rows.length)
})

test('two tasks cannot become subtasks of each other concurrently', async () => {
  const w = await world()
  const { logo, copy } = w.tasks
  const nestTask = (i: number) => {
    const [task, parent] = i % 2 ? [logo, copy] : [copy, logo]
    return w.cleo['tasks.update']({ task_id: task.task_id, parent_task_id: parent.task_id })
  }
  const { refused } = await runConcurrently(nestTask)
  expect(refused).toEqual(setOf('invalid'))
})

test('concurrent requests with one idempotency key create one task', async () => {
  const w = await world()
  const body = { project_id: w.board.project_id, title: 'Once' }
  const send = () => w.http(w.cleo, 'POST', '/api/v1/tasks', body, { 'idempotency-key': 'k1' })
  const answers = await Promise.all(Array.from({ length: MANY }, send))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map((answer) => answer.body.data.task_id)).size).toBe(1)
  expect(await types(w, 'task.created')).toBe(1)
})

test('concurrent requests create a label or column of one name only once', async () => {
  const w = await world()
  const { project_id } = w.board
  const label = (i: number) =>
    w.cleo['labels.create']({ project_id, name: i % 2 ? 'Großes' : 'GROSSES'.toLowerCase() })
  expect((await runConcurrently(label)).done).toBe(2)
  const column = () => w.cleo['sections.create']({ project_id, title: 'Blocked' })
  expect(await runConcurrently(column)).toEqual({ done: 1, refused: setOf('conflict') })
})

test('a team keeps one owner when all owners leave concurrently', async () => {
  const w = await world({ hasBoard: false })
  const { team_id, ada, ben, cleo } = w
  for (const one of [ben, cleo])
    await ada['teams.set_role']({ team_id, user_id: one.caller.actor_id, role: 'owner' })
  const owners = [
    ada,
    await w.authenticateAs(ben.caller.actor_id),
    await w.authenticateAs(cleo.caller.actor_id),
  ]
  const leaveTeam = (i: number) => owners[i]!['teams.leave']({ team_id })
  expect(await runConcurrently(leaveTeam, 3)).toEqual({ done: 2, refused: setOf('conflict') })
})

test('concurrent requests create no more than ten API keys for a person', async () => {
  const w = await world({ hasBoard: false })
  const before = (await w.ben['api_keys.list']({})).items.length
  const { done, refused } = await runConcurrently((i) =>
    w.ben['api_keys.create']({ name: `Key ${i}` }),
  )
  expect(done).toBe(10 - before)
  expect(refused).toEqual(setOf('conflict'))
})

test('concurrent updates of different fields of a task all apply', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  await runConcurrently(
    (i) =>
      w.cleo['tasks.update'](
        [
          { task_id, title: 'New title' },
          { task_id, priority: 1 },
          { task_id, labels: ['bug'] },
          { task_id, assignee_ids: [w.ben.caller.actor_id] },
          { task_id, due_date: '2026-12-01' },
        ][i]!,
      ),
    5,
  )
  expect(await w.cleo['tasks.get']({ task_id })).toMatchObject({
    title: 'New title',
    priority: 1,
    labels: [{ name: 'bug' }],
    assignees: [{ name: 'Ben' }],
    due_date: '2026-12-01',
  })
})
