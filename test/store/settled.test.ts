import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { changesSince, lastSeq } from '../../src/store/log.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { opened, place } from '../database.ts'
import { onPostgres } from '../server.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')

/** Two stores of one database, as two processes have them, and a transaction held in hand. */
async function played() {
  const where = await place()
  const [store, other] = [await opened(where, clock), await opened(where, clock)]
  const say = (type: string, by: OpenStore = store) =>
    by.write((tx) => by.append(tx, { actor_id: 1 }, clock(), [{ type, place: {}, data: {} }]))
  const seen = async (from = 0, by = store) =>
    (await by.read((tx) => changesSince(tx, from, 100))).map(({ type }) => type)
  return { where, store, other, say, seen }
}

const eventually = async (look: () => Promise<boolean>) => {
  for (let i = 0; i < 400 && !(await look()); i++) await Bun.sleep(10)
  expect(await look()).toBe(true)
}

async function hand(url: string) {
  const client = new Client(url)
  await client.connect()
  await client.query('begin')
  await client.query(
    "insert into changes (type, actor_id, data, created_at) values ('slow', 1, '{}', now())",
  )
  return {
    end: async (how: 'commit' | 'rollback') => {
      await client.query(how)
      await client.end()
    },
  }
}

test('changes are read in the order of their numbers, after any', async () => {
  const { say, seen, store } = await played()
  for (const type of ['one', 'two', 'three']) await say(type)
  expect(await seen()).toEqual(['one', 'two', 'three'])
  expect(await seen(1)).toEqual(['two', 'three'])
  expect(await store.read(lastSeq)).toBe(3)
})

const many = test.skipIf(!onPostgres)

many('a change that commits after a later one is waited for, and not skipped', async () => {
  const { where, say, seen, store, other } = await played()
  await say('before')
  const slow = await hand(where.url!)
  await say('after', other)
  // Longer than a number is waited for that nobody is going to use.
  for (let i = 0; i < 8; i++) {
    expect(await seen()).toEqual(['before'])
    expect(await store.read(lastSeq)).toBe(1)
    await Bun.sleep(100)
  }
  await slow.end('commit')
  expect(await seen()).toEqual(['before', 'slow', 'after'])
  expect(await store.read(lastSeq)).toBe(3)
  expect(await seen(0, other)).toEqual(['before', 'slow', 'after'])
})

many('a number that was taken in vain holds nobody up for long', async () => {
  const { where, say, seen, store, other } = await played()
  await say('before')
  const slow = await hand(where.url!)
  await say('after')
  expect(await seen()).toEqual(['before'])
  await slow.end('rollback')
  await eventually(async () => (await seen()).includes('after'))
  expect(await seen()).toEqual(['before', 'after'])
  await eventually(async () => (await other.read(lastSeq)) === 3)
  await say('later', other)
  expect(await seen(3)).toEqual(['later'])
  expect(await store.read(lastSeq)).toBe(4)
})

many('an old gap, from before this process, is passed as well', async () => {
  const { where, say, seen } = await played()
  await say('before')
  await (await hand(where.url!)).end('rollback')
  await say('after')
  const late = await opened(where, clock)
  await eventually(async () => (await seen(0, late)).length === 2)
  expect(await late.read(lastSeq)).toBe(3)
})

many('whoever listens is called again once a gap is closed', async () => {
  const { where, store, other, say, seen } = await played()
  await say('before')
  const slow = await hand(where.url!)
  const told: string[] = []
  store.onCommit(() => void seen().then((types) => told.splice(0, told.length, ...types)))
  await say('after')
  await slow.end('rollback')
  await eventually(async () => told.includes('after'))
  expect(await seen(0, other)).toContain('before')
})
