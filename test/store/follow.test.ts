import { expect, test } from 'bun:test'
import { follow } from '../../src/store/follow.ts'
import type { Logged } from '../../src/store/log.ts'
import { world } from '../world.ts'

const ready = async (done: () => boolean) => {
  for (let i = 0; i < 200 && !done(); i++) await Bun.sleep(5)
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

test('a follower sees every change once, in order, and goes on where it stopped', async () => {
  const { store, say } = await played()
  const seen: string[] = []
  const note = async (_: unknown, changes: readonly Logged[]) =>
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

test('what a follower fails at is told and handled again, with nothing half done', async () => {
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
