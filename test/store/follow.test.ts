import { expect, test } from 'bun:test'
import { follow } from '../../src/store/follow.ts'
import type { LoggedChange } from '../../src/store/log.ts'
import { followers } from '../../src/store/tables.ts'
import { opened, place } from '../database.ts'
import { world } from '../world.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')

const ready = async (done: () => boolean) => {
  for (let i = 0; i < 1000 && !done(); i++) await Bun.sleep(5)
  expect(done()).toBe(true)
}

async function played() {
  const w = await world()
  const say = (type: string) =>
    w.store.write((tx) =>
      w.store.append(tx, w.ada.caller, w.clock.now, [
        { type, place: { team_id: w.team_id }, data: {} },
      ]),
    )
  return { ...w, say }
}

test('a follower sees every change once, in order, and resumes where it stopped', async () => {
  const { store, say } = await played()
  const seen: string[] = []
  const note = async (_: unknown, changes: readonly LoggedChange[]) =>
    void seen.push(...changes.map(({ type }) => type))
  const fail = (error: unknown) => expect(error).toBeUndefined()
  const stop = follow(store, 'test', note, fail)
  await say('one')
  await say('two')
  await ready(() => seen.includes('two'))
  await stop()
  await say('three')
  expect(seen).not.toContain('three')
  const stopAgain = follow(store, 'test', note, fail)
  await ready(() => seen.includes('three'))
  await stopAgain()
  expect(seen.filter((type) => ['one', 'two', 'three'].includes(type))).toEqual([
    'one',
    'two',
    'three',
  ])
})

test('a change that a follower fails to handle is reported and retried', async () => {
  const { store, say } = await played()
  const seen: string[] = []
  const failures: unknown[] = []
  const stop = follow(
    store,
    'shaky',
    async (_, changes) => {
      if (!failures.length) throw new Error('not now')
      seen.push(...changes.map(({ type }) => type))
    },
    (error) => failures.push(error),
  )
  await say('one')
  await ready(() => seen.includes('one'))
  await stop()
  expect(failures).toHaveLength(1)
  expect(seen.filter((type) => type === 'one')).toHaveLength(1)
})

test('two processes that follow under one name handle each change once, in order', async () => {
  const where = await place()
  const stores = [await opened(where, clock), await opened(where, clock)]
  const seen: number[] = []
  const handle = async (_: unknown, changes: readonly LoggedChange[]) => {
    // This gives the other process time to take the same change.
    await stores[0]!.read((tx) => tx.select().from(followers))
    seen.push(...changes.map(({ seq }) => seq))
  }
  const fail = (error: unknown) => expect(error).toBeUndefined()
  const stops = stores.map((store) => follow(store, 'both', handle, fail))
  const say = (i: number) =>
    stores[i % 2]!.write((tx) =>
      stores[i % 2]!.append(tx, { actor_id: 1 }, clock(), [
        { type: `change ${i}`, place: {}, data: {} },
      ]),
    )
  await Promise.all(Array.from({ length: 60 }, (_, i) => say(i)))
  await ready(() => seen.length >= 60)
  await Promise.all(stops.map((stop) => stop()))
  expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => i + 1))
})
