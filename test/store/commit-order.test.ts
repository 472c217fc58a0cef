import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { CommitOrder } from '../../src/store/commit-order.ts'
import { changesSince, lastSeq } from '../../src/store/log.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { onPostgres } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')

/** Two stores of one database, as in two processes, with helpers to log and read changes. */
async function openTwoStores() {
  const where = await createDatabaseLocation()
  const [store, other] = [await openTestStore(where, clock), await openTestStore(where, clock)]
  const logChange = (name: string, by: OpenStore = store) =>
    by.write((tx) =>
      by.append(tx, { actor_id: 1 }, clock(), [
        { type: 'label.created', place: {}, data: { name } },
      ]),
    )
  const loggedNames = async (from = 0, by = store) =>
    (await by.read((tx) => changesSince(tx, from, 100))).map(({ data }) => data.name)
  return { where, store, other, logChange, loggedNames }
}

async function openSlowTransaction(url: string) {
  const client = new Client(url)
  await client.connect()
  await client.query('begin')
  await client.query(
    `insert into changes (type, actor_id, data, created_at)
     values ('label.created', 1, '{"name": "slow"}', now())`,
  )
  return {
    end: async (statement: 'commit' | 'rollback') => {
      await client.query(statement)
      await client.end()
    },
  }
}

test('changes are read in the order of their numbers, starting after any number', async () => {
  const { logChange, loggedNames, store } = await openTwoStores()
  for (const name of ['one', 'two', 'three']) await logChange(name)
  expect(await loggedNames()).toEqual(['one', 'two', 'three'])
  expect(await loggedNames(1)).toEqual(['two', 'three'])
  expect(await store.read(lastSeq)).toBe(3)
})

const postgresTest = test.skipIf(!onPostgres)

postgresTest(
  'later changes are withheld until an earlier open transaction has committed',
  async () => {
    const { where, logChange, loggedNames, store, other } = await openTwoStores()
    await logChange('before')
    const slowTransaction = await openSlowTransaction(where.url!)
    await logChange('after', other)
    // Longer than readers wait for a number that was lost to a rollback.
    for (let i = 0; i < 8; i++) {
      expect(await loggedNames()).toEqual(['before'])
      expect(await store.read(lastSeq)).toBe(1)
      await Bun.sleep(100)
    }
    await slowTransaction.end('commit')
    expect(await loggedNames()).toEqual(['before', 'slow', 'after'])
    expect(await store.read(lastSeq)).toBe(3)
    expect(await loggedNames(0, other)).toEqual(['before', 'slow', 'after'])
  },
)

postgresTest('a slow reader does not skip a number that another reader saw meanwhile', async () => {
  const { store } = await openTwoStores()
  const order = new CommitOrder(4, true)
  const rows = (...numbers: number[]) => numbers.map((seq) => ({ seq }))
  const slowRows = Promise.withResolvers<{ seq: number }[]>()
  await store.read(async (tx) => {
    // Its statement began before the transaction with the number 5 had committed.
    const slow = order.settledRows(tx, 4, () => slowRows.promise)
    expect(await order.settledRows(tx, 4, async () => rows(5, 6, 7))).toEqual(rows(5, 6, 7))
    slowRows.resolve(rows(6, 7))
    expect(await slow).toEqual([])
  })
  order.close()
})

postgresTest('a number lost to a rollback delays readers only briefly', async () => {
  const { where, logChange, loggedNames, store, other } = await openTwoStores()
  await logChange('before')
  const slowTransaction = await openSlowTransaction(where.url!)
  await logChange('after')
  expect(await loggedNames()).toEqual(['before'])
  await slowTransaction.end('rollback')
  await waitUntil(async () => (await loggedNames()).includes('after'))
  expect(await loggedNames()).toEqual(['before', 'after'])
  await waitUntil(async () => (await other.read(lastSeq)) === 3)
  await logChange('later', other)
  expect(await loggedNames(3)).toEqual(['later'])
  expect(await store.read(lastSeq)).toBe(4)
})

postgresTest(
  'a lost number does not wait for transactions that write to other tables',
  async () => {
    const { where, logChange, loggedNames } = await openTwoStores()
    await logChange('before')
    const writer = new Client(where.url!)
    await writer.connect()
    await writer.query('begin')
    await writer.query(`insert into followers (name, seq) values ('other', 0)`)
    const reader = new Client(where.url!)
    await reader.connect()
    await reader.query('begin')
    await reader.query('select from changes')
    await (await openSlowTransaction(where.url!)).end('rollback')
    await logChange('after')
    await waitUntil(async () => (await loggedNames()).includes('after'))
    for (const client of [reader, writer]) {
      await client.query('rollback')
      await client.end()
    }
  },
)

postgresTest('a gap from before this process started is skipped as well', async () => {
  const { where, logChange, loggedNames } = await openTwoStores()
  await logChange('before')
  await (await openSlowTransaction(where.url!)).end('rollback')
  await logChange('after')
  const third = await openTestStore(where, clock)
  await waitUntil(async () => (await loggedNames(0, third)).length === 2)
  expect(await third.read(lastSeq)).toBe(3)
})

postgresTest('commit listeners are called again once a gap is skipped', async () => {
  const { where, store, other, logChange, loggedNames } = await openTwoStores()
  await logChange('before')
  const slowTransaction = await openSlowTransaction(where.url!)
  const readNames: unknown[] = []
  store.onCommit(
    () => void loggedNames().then((names) => readNames.splice(0, readNames.length, ...names)),
  )
  await logChange('after')
  await slowTransaction.end('rollback')
  await waitUntil(async () => readNames.includes('after'))
  expect(await loggedNames(0, other)).toContain('before')
})
