import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { sectionCounts } from '../../src/features/tasks/tasks/model/index.ts'
import { Fault } from '../../src/kernel/fault.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { onPostgres } from '../support/postgres.ts'
import { sampleInput } from '../support/samples.ts'
import { worldWithReaders } from './readers-world.ts'

const sqliteTest = test.skipIf(onPostgres)

const heavyOperations = catalog.filter((op: AnyOperation) => op.heavy) as readonly AnyOperation[]

/** The data or the fault of a call, as JSON sends it. */
const outcomeOf = (call: Promise<{ data: unknown; page?: unknown; warnings?: unknown }>) =>
  call
    .then(({ data, page, warnings }) => JSON.parse(JSON.stringify({ data, page, warnings })))
    .catch((error) => {
      if (!(error instanceof Fault)) throw error
      const { code, message, details, hint } = error
      return { code, message, details, hint }
    })

for (const op of heavyOperations)
  sqliteTest(`${op.name} on a reader thread gives every caller the usual answer`, async () => {
    const w = await worldWithReaders()
    const input = await sampleInput(op.name, w)
    w.readers.isReady()
    for (const actor of [w.ada, w.cleo, w.gus, w.bot, w.otto]) {
      const usual = await outcomeOf(w.dispatch(actor.caller, op, input))
      expect(await outcomeOf(w.readers.read(actor.caller, op, input))).toEqual(usual)
    }
    const refused = { ...(input as object), nonsense: true }
    expect(await outcomeOf(w.readers.read(w.ada.caller, op, refused))).toMatchObject({
      code: 'invalid',
    })
  })

sqliteTest('the first heavy read does not wait for the start of a thread', async () => {
  const { readBoard, store, readers, cleo, board } = await worldWithReaders()
  const first = await readBoard()
  expect(first.dataText).toBeUndefined()
  expect(readers.isReady()).toBe(true)
  // A write, so that the next answer does not come from the cache.
  await cleo['tasks.create']({ project_id: board.project_id, title: 'Second' })
  const second = await readBoard()
  expect(second.dataText).toBeString()
  expect(JSON.parse(second.dataText!)).toEqual(second.data)
  expect(store.version!()).toBeGreaterThan(0)
})

sqliteTest('a reader thread sees every write that was answered before the read began', async () => {
  const { readBoard, readers, cleo, ben, board } = await worldWithReaders()
  readers.isReady()
  for (let count = 0; count < 60; count++) {
    const title = `Written ${count}`
    const writer = count % 2 ? cleo : ben
    const { task_id } = await writer['tasks.create']({ project_id: board.project_id, title })
    const { data } = await readBoard()
    const { cards } = data as { cards: { task_id: number; title: string }[] }
    expect(cards.find((card) => card.task_id === task_id)?.title).toBe(title)
    await writer['tasks.update']({ task_id, title: `${title}, changed` })
    const changed = (await readBoard()).data as typeof data & { cards: { title: string }[] }
    expect(changed.cards.map((card) => card.title)).toContain(`${title}, changed`)
  }
})

sqliteTest('a filter of many tasks and a long My Tasks are read on a reader thread', async () => {
  const { readers, threadDispatch, cleo, board, store } = await worldWithReaders()
  readers.isReady()
  const isOnThread = async (name: string, input: object) => {
    const op = catalog.find((candidate) => candidate.name === name)!
    return (await threadDispatch(cleo.caller, op, input)).dataText !== undefined
  }
  const { project_id } = board
  const filtered = { project_id, has_comments: false }
  expect(await isOnThread('tasks.list', filtered)).toBe(false)
  expect(await isOnThread('my_tasks.list', {})).toBe(false)
  await store.write((tx) => tx.update(sectionCounts).set({ tasks: 25_001 }))
  const own = { project_id, title: 'One of many', assignee_ids: [cleo.caller.actor_id] }
  await Promise.all(Array.from({ length: 2001 }, () => cleo['tasks.create'](own)))
  expect(await isOnThread('tasks.list', filtered)).toBe(true)
  expect(await isOnThread('tasks.list', { has_comments: true })).toBe(true)
  expect(await isOnThread('tasks.list', { project_id })).toBe(false)
  expect(await isOnThread('tasks.list', { ...filtered, query: 'logo' })).toBe(false)
  expect(await isOnThread('my_tasks.list', {})).toBe(true)
  expect(await isOnThread('my_tasks.groups', {})).toBe(true)
})

sqliteTest('a role that was taken away counts on a reader thread at once', async () => {
  const { readBoard, readers, ada, board, gus } = await worldWithReaders()
  readers.isReady()
  const { caller } = gus
  await ada['projects.invite_member']({
    ...{ project_id: board.project_id, member_identifier: caller.actor_id },
  })
  expect(await outcomeOf(readBoard(caller))).toMatchObject({ data: { title: board.title } })
  await ada['projects.remove_member']({ project_id: board.project_id, user_id: caller.actor_id })
  expect(await outcomeOf(readBoard(caller))).toMatchObject({ code: 'not_found' })
})

sqliteTest('after its threads were stopped, a server reads on its main thread', async () => {
  const { readBoard, readers, cleo, board } = await worldWithReaders()
  readers.isReady()
  expect((await readBoard()).dataText).toBeString()
  readers.stop()
  await cleo['tasks.create']({ project_id: board.project_id, title: 'Later' })
  expect((await readBoard()).dataText).toBeUndefined()
})
