import { expect, test } from 'bun:test'
import { follow } from '../../src/store/follow.ts'
import type { LoggedChange } from '../../src/store/log.ts'
import { followers } from '../../src/store/tables.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { waitUntil } from '../support/wait.ts'
import { world } from '../support/world.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')

async function createWorld() {
  const w = await world()
  const logChange = (name: string) =>
    w.store.write((tx) =>
      w.store.append(tx, w.ada.caller, w.clock.now, [
        { type: 'label.created', place: { team_id: w.team_id }, data: { name } },
      ]),
    )
  return { ...w, logChange }
}

test('a follower sees every change once, in order, and resumes where it stopped', async () => {
  const { store, logChange } = await createWorld()
  const handled: unknown[] = []
  const handleNames = async (_: unknown, changes: readonly LoggedChange[]) =>
    void handled.push(...changes.map(({ data }) => data.name))
  const fail = (error: unknown) => expect(error).toBeUndefined()
  const stop = follow(store, 'test', handleNames, fail)
  await logChange('one')
  await logChange('two')
  await waitUntil(() => handled.includes('two'))
  await stop()
  await logChange('three')
  expect(handled).not.toContain('three')
  const stopAgain = follow(store, 'test', handleNames, fail)
  await waitUntil(() => handled.includes('three'))
  await stopAgain()
  expect(handled.filter((name) => ['one', 'two', 'three'].includes(String(name)))).toEqual([
    'one',
    'two',
    'three',
  ])
})

test('a change that a follower fails to handle is reported and retried', async () => {
  const { store, logChange } = await createWorld()
  const handled: unknown[] = []
  const failures: unknown[] = []
  const stop = follow(
    store,
    'shaky',
    async (_, changes) => {
      if (!failures.length) throw new Error('not now')
      handled.push(...changes.map(({ data }) => data.name))
    },
    (error) => failures.push(error),
  )
  await logChange('one')
  await waitUntil(() => handled.includes('one'))
  await stop()
  expect(failures).toHaveLength(1)
  expect(handled.filter((name) => name === 'one')).toHaveLength(1)
})

test('two processes that follow under one name handle each change once, in order', async () => {
  const where = await createDatabaseLocation()
  const stores = [await openTestStore(where, clock), await openTestStore(where, clock)]
  const handled: number[] = []
  const handle = async (_: unknown, changes: readonly LoggedChange[]) => {
    // This gives the other process time to take the same change.
    await stores[0]!.read((tx) => tx.select().from(followers))
    handled.push(...changes.map(({ seq }) => seq))
  }
  const fail = (error: unknown) => expect(error).toBeUndefined()
  const stops = stores.map((store) => follow(store, 'both', handle, fail))
  const logChange = (i: number) =>
    stores[i % 2]!.write((tx) =>
      stores[i % 2]!.append(tx, { actor_id: 1 }, clock(), [
        { type: 'label.created', place: {}, data: { i } },
      ]),
    )
  await Promise.all(Array.from({ length: 60 }, (_, i) => logChange(i)))
  await waitUntil(() => handled.length >= 60)
  await Promise.all(stops.map((stop) => stop()))
  expect(handled).toEqual(Array.from({ length: 60 }, (_, i) => i + 1))
})
