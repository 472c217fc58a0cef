import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { changesSince, lastSeq } from '../../src/store/log.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { opened, place } from '../database.ts'
import { onPostgres } from '../server.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')

/** Two stores of one database, as in two processes, with helpers to log and read changes. */
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

test('changes are read in the order of their numbers, starting after any number', async () => {
  const { say, seen, store } = await played()
  for (const type of ['one', 'two', 'three']) await say(type)
  expect(await seen()).toEqual(['one', 'two', 'three'])
  expect(await seen(1)).toEqual(['two', 'three'])
  expect(await store.read(lastSeq)).toBe(3)
})

const many = test.skipIf(!onPostgres)

many('later changes are withheld until an earlier open transaction has committed', async () => {
  const { where, say, seen, store, other } = await played()
  await say('before')
  const slow = await hand(where.url!)
  await say('after', other)
  // Longer than readers wait for a number that was lost to a rollback.
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

many('a number lost to a rollback delays readers only briefly', async () => {
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

many('a gap from before this process started is skipped as well', async () => {
  const { where, say, seen } = await played()
  await say('before')
  await (await hand(where.url!)).end('rollback')
  await say('after')
  const late = await opened(where, clock)
  await eventually(async () => (await seen(0, late)).length === 2)
  expect(await late.read(lastSeq)).toBe(3)
})

many('commit listeners are called again once a gap is skipped', async () => {
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
