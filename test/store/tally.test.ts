import { expect, test } from 'bun:test'
import type { Pool } from 'pg'
import { connectSeparately } from '../../src/store/connect.ts'
import { RateCounter } from '../../src/store/rate-counter.ts'
import { afterwards, opened, place } from '../database.ts'
import { onPostgres } from '../server.ts'

const many = test.skipIf(!onPostgres)

/** A new database, and a function that connects one more rate counter to it. */
async function counted() {
  const { url } = await place()
  await opened({ path: '', url: url! }, () => new Date())
  const connected = () => {
    const pool = connectSeparately(url!)
    const statements: unknown[] = []
    const ask = pool.query.bind(pool)
    Object.assign(pool, {
      query: (...args: Parameters<Pool['query']>) => {
        statements.push(args[0])
        return ask(...args)
      },
    })
    const tally = new RateCounter(pool)
    afterwards(() => tally.close())
    return { tally, pool, statements }
  }
  return connected
}

many('rate counters of servers that share a database count together', async () => {
  const connected = await counted()
  const [one, two] = [connected().tally, connected().tally]
  const rounds = Array.from({ length: 50 }, () => [one.count('key:1'), two.count('key:1')])
  const all = await Promise.all(rounds.flat())
  const counts = all.map(({ count }) => count).sort((a, b) => a - b)
  expect(counts).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
  for (const { endsInMs } of all) expect(endsInMs).toBeWithin(50_000, 60_001)
  expect((await one.count('key:2')).count).toBe(1)
})

many('counters that count many names at once, in different orders, do not deadlock', async () => {
  const connected = await counted()
  const tallies = [connected().tally, connected().tally, connected().tally]
  const names = Array.from({ length: 20 }, (_, at) => `key:${at}`)
  const work = tallies.map(async (tally, at) => {
    const order = at % 2 ? names : names.toReversed()
    for (let round = 0; round < 30; round++)
      await Promise.all(order.map((name) => tally.count(name)))
  })
  await Promise.all(work)
  for (const name of names) expect((await tallies[0]!.count(name)).count).toBe(91)
})

many('counts that arrive during a statement are batched into the next one', async () => {
  const connected = await counted()
  const { tally, statements } = connected()
  await tally.count('key:1')
  const before = statements.length
  const asked = Array.from({ length: 40 }, (_, at) => tally.count(`key:${at % 4}`))
  await Promise.all(asked)
  expect(statements.length - before).toBeLessThanOrEqual(2)
})

many('a count starts again at 1 after its minute, and sweep removes expired counts', async () => {
  const connected = await counted()
  const { tally, pool } = connected()
  await tally.count('key:1')
  await tally.count('key:2')
  await pool.query(`update rate_counts set ends_at = now() - interval '1 second'`)
  expect((await tally.count('key:1')).count).toBe(1)
  await tally.sweep()
  const { rows } = await pool.query('select name from rate_counts')
  expect(rows).toEqual([{ name: 'key:1' }])
})

many('counts are stored in an unlogged table', async () => {
  const connected = await counted()
  const { rows } = await connected().pool.query(
    `select relpersistence as kind from pg_class where relname = 'rate_counts'`,
  )
  expect(rows).toEqual([{ kind: 'u' }])
})

many('a count fails within 3 seconds if the database does not respond', async () => {
  const connected = await counted()
  const { tally, pool } = connected()
  const other = connected().pool
  await tally.count('key:1')
  const client = await other.connect()
  await client.query('begin')
  await client.query('lock table rate_counts')
  const began = performance.now()
  await expect(tally.count('key:1')).rejects.toThrow('cannot be reached')
  expect(performance.now() - began).toBeLessThan(3000)
  await client.query('rollback')
  client.release()
  expect((await tally.count('key:1')).count).toBeWithin(2, 4)
  await pool.query('select 1')
})

many('a minute that ends too far ahead, as after a clock was set back, is expired', async () => {
  const connected = await counted()
  const { tally, pool } = connected()
  for (let i = 0; i < 3; i++) await tally.count('key:1')
  await pool.query(`update rate_counts set ends_at = now() + interval '1 hour'`)
  expect((await tally.count('key:1')).count).toBe(1)
  expect((await tally.count('key:1')).count).toBe(2)
})
