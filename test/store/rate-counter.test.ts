import { expect, test } from 'bun:test'
import type { Pool } from 'pg'
import { connectSeparately } from '../../src/store/connect.ts'
import { RateCounter } from '../../src/store/rate-counter.ts'
import { addCleanup, createDatabaseLocation, openTestStore } from '../support/database.ts'
import { onPostgres } from '../support/postgres.ts'

const postgresTest = test.skipIf(!onPostgres)

/** A new database, and a function that connects one more rate counter to it. */
async function createDatabase() {
  const { url } = await createDatabaseLocation()
  await openTestStore({ path: '', url: url! }, () => new Date())
  const connectCounter = () => {
    const pool = connectSeparately(url!)
    const statements: unknown[] = []
    const query = pool.query.bind(pool)
    Object.assign(pool, {
      query: (...args: Parameters<Pool['query']>) => {
        statements.push(args[0])
        return query(...args)
      },
    })
    const counter = new RateCounter(pool)
    addCleanup(() => counter.close())
    return { counter, pool, statements }
  }
  return connectCounter
}

postgresTest('rate counters of servers that share a database count together', async () => {
  const connectCounter = await createDatabase()
  const [one, two] = [connectCounter().counter, connectCounter().counter]
  const rounds = Array.from({ length: 50 }, () => [one.count('key:1'), two.count('key:1')])
  const results = await Promise.all(rounds.flat())
  const counts = results.map(({ count }) => count).sort((a, b) => a - b)
  expect(counts).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
  for (const { endsInMs } of results) expect(endsInMs).toBeWithin(50_000, 60_001)
  expect((await one.count('key:2')).count).toBe(1)
})

postgresTest(
  'counters that count many names at once, in different orders, do not deadlock',
  async () => {
    const connectCounter = await createDatabase()
    const counters = [connectCounter().counter, connectCounter().counter, connectCounter().counter]
    const names = Array.from({ length: 20 }, (_, at) => `key:${at}`)
    const jobs = counters.map(async (counter, at) => {
      const order = at % 2 ? names : names.toReversed()
      for (let round = 0; round < 30; round++)
        await Promise.all(order.map((name) => counter.count(name)))
    })
    await Promise.all(jobs)
    for (const name of names) expect((await counters[0]!.count(name)).count).toBe(91)
  },
)

postgresTest('counts that arrive during a statement are batched into the next one', async () => {
  const connectCounter = await createDatabase()
  const { counter, statements } = connectCounter()
  await counter.count('key:1')
  const before = statements.length
  const counting = Array.from({ length: 40 }, (_, at) => counter.count(`key:${at % 4}`))
  await Promise.all(counting)
  expect(statements.length - before).toBeLessThanOrEqual(2)
})

postgresTest(
  'a count starts again at 1 after its minute, and sweep removes expired counts',
  async () => {
    const connectCounter = await createDatabase()
    const { counter, pool } = connectCounter()
    await counter.count('key:1')
    await counter.count('key:2')
    await pool.query(`update rate_counts set ends_at = now() - interval '1 second'`)
    expect((await counter.count('key:1')).count).toBe(1)
    await counter.sweep()
    const { rows } = await pool.query('select name from rate_counts')
    expect(rows).toEqual([{ name: 'key:1' }])
  },
)

postgresTest('counts are stored in an unlogged table', async () => {
  const connectCounter = await createDatabase()
  const { rows } = await connectCounter().pool.query(
    `select relpersistence as kind from pg_class where relname = 'rate_counts'`,
  )
  expect(rows).toEqual([{ kind: 'u' }])
})

postgresTest('a count fails soon if the database does not respond', async () => {
  const connectCounter = await createDatabase()
  const { counter, pool } = connectCounter()
  const other = connectCounter().pool
  await counter.count('key:1')
  const client = await other.connect()
  await client.query('begin')
  await client.query('lock table rate_counts')
  const startedAt = performance.now()
  await expect(counter.count('key:1')).rejects.toThrow('cannot be reached')
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  await client.query('rollback')
  client.release()
  expect((await counter.count('key:1')).count).toBeWithin(2, 4)
  await pool.query('select 1')
})

postgresTest(
  'a request that is older than the request that began the minute is counted in that minute',
  async () => {
    const connectCounter = await createDatabase()
    const { counter, pool } = connectCounter()
    await counter.count('key:1')
    await pool.query(`update rate_counts set ends_at = now() + interval '61 seconds'`)
    expect(await counter.count('key:1')).toEqual({ count: 2, endsInMs: 60_000 })
  },
)

postgresTest(
  'a minute that ends too far ahead, as after a clock was set back, is expired',
  async () => {
    const connectCounter = await createDatabase()
    const { counter, pool } = connectCounter()
    for (let i = 0; i < 3; i++) await counter.count('key:1')
    await pool.query(`update rate_counts set ends_at = now() + interval '1 hour'`)
    expect((await counter.count('key:1')).count).toBe(1)
    expect((await counter.count('key:1')).count).toBe(2)
  },
)
