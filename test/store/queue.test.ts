import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Tx } from '../../src/kernel/caller.ts'
import { int, table } from '../../src/store/columns.ts'
import { WriteQueue } from '../../src/store/queue.ts'

const notes = table('notes', { exported: 'exists only in this test' }, { n: int('n').primaryKey() })

function openQueue() {
  const database = new Database(':memory:', { strict: true })
  database.run('create table notes (n integer primary key)')
  let commits = 0
  let ms = 0
  const queue = new WriteQueue({
    database,
    tx: drizzle(database) as unknown as Tx,
    takeTouched: () => [],
    onCommit() {
      commits++
    },
    clock: () => ms,
  })
  const storedNumbers = () =>
    database
      .query<{ n: number }, []>('select n from notes order by n')
      .all()
      .map(({ n }) => n)
  return {
    database,
    queue,
    storedNumbers,
    commits: () => commits,
    advance: (by: number) => (ms += by),
  }
}
const insertNote = (n: number) => (tx: Tx) => tx.insert(notes).values({ n })

test('only an unchecked write may leave a missing reference, and it shares its commit with none', async () => {
  const { database, queue, storedNumbers, commits } = openQueue()
  database.run('PRAGMA foreign_keys=ON')
  database.run('create table replies (n integer references notes (n))')
  database.run('insert into notes values (1), (2); insert into replies values (1), (2)')
  const remove = (n: number) => (tx: Tx) => tx.delete(notes).where(eq(notes.n, n))
  const [checked, unchecked, later] = await Promise.allSettled([
    queue.push(remove(1)),
    queue.push(remove(2), { isUnchecked: true }),
    queue.push(remove(1)),
  ])
  expect([checked, unchecked, later].map(({ status }) => status).join(' ')).toBe(
    'rejected fulfilled rejected',
  )
  expect(storedNumbers()).toEqual([1])
  expect(commits()).toBe(3)
})

test('writes that wait together share one commit', async () => {
  const { queue, storedNumbers, commits } = openQueue()
  await Promise.all(Array.from({ length: 100 }, (_, n) => queue.push(insertNote(n))))
  expect(storedNumbers()).toHaveLength(100)
  expect(commits()).toBe(1)
})

test('slow writes are split into several commits and keep their order', async () => {
  const { queue, commits, advance } = openQueue()
  const order: number[] = []
  const jobTaking = (ms: number) => (n: number) => async (tx: Tx) => {
    await insertNote(n)(tx)
    order.push(n)
    advance(ms)
  }
  await Promise.all([0, 1, 2, 3, 4, 5].map(jobTaking(3)).map((job) => queue.push(job)))
  expect(commits()).toBe(2)
  await Promise.all([6, 7, 8].map(jobTaking(4)).map((job) => queue.push(job)))
  expect(commits()).toBe(5)
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('a failed write leaves nothing, and the other writes of its group succeed', async () => {
  const { queue, storedNumbers } = openQueue()
  const failing = queue.push(async (tx) => {
    await insertNote(2)(tx)
    throw new Error('no')
  })
  const results = await Promise.allSettled([
    queue.push(insertNote(1)),
    failing,
    queue.push(insertNote(3)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(storedNumbers()).toEqual([1, 3])
})

test('all writes of a group are rejected if its commit fails', async () => {
  const { database, queue, storedNumbers } = openQueue()
  // A deferred constraint fails at COMMIT, when both jobs have already run.
  database.run('PRAGMA foreign_keys=ON')
  database.run('create table parents (n integer primary key)')
  database.run('create table children (n integer references parents deferrable initially deferred)')
  const rejected = queue.push(async () => database.run('insert into children values (1)'))
  const results = await Promise.allSettled([queue.push(insertNote(1)), rejected])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(storedNumbers()).toEqual([])
  await queue.push(insertNote(2))
  expect(storedNumbers()).toEqual([2])
})

test('a write that waits for anything but the database is rolled back', async () => {
  const { queue, storedNumbers } = openQueue()
  const slow = queue.push(async (tx) => {
    await insertNote(1)(tx)
    await Bun.sleep(5)
  })
  expect(slow).rejects.toThrow('something other than the database')
  await queue.push(insertNote(2))
  expect(storedNumbers()).toEqual([2])
})

test('a write inside a write is refused instead of causing a deadlock', async () => {
  const { queue, storedNumbers } = openQueue()
  expect(queue.push(() => queue.push(insertNote(1)))).rejects.toThrow('began inside a write')
  await queue.push(insertNote(2))
  expect(storedNumbers()).toEqual([2])
})

test('a write pushed at the moment the queue becomes empty is executed', async () => {
  const { queue, storedNumbers } = openQueue()
  for (let n = 0; n < 200; n++) await queue.push(insertNote(n))
  await queue.close()
  expect(storedNumbers()).toHaveLength(200)
})

test('closing waits for pushed writes and refuses new ones', async () => {
  const { queue, storedNumbers } = openQueue()
  const before = queue.push(insertNote(1))
  const closing = queue.close()
  expect(queue.push(insertNote(2))).rejects.toThrow('closed')
  await Promise.all([before, closing])
  expect(storedNumbers()).toEqual([1])
})
