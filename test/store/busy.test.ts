import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { teams } from '../../src/features/teams/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import type { Fault } from '../../src/kernel/fault.ts'
import { afterwards, opened, place } from '../database.ts'
import { onPostgres } from '../server.ts'

/** The fault that a job is refused with. */
const refusal = (job: Promise<unknown>): Promise<Fault> =>
  job.then(
    () => {
      throw new Error('It was not refused')
    },
    (error) => error,
  )

const clock = () => new Date('2026-11-20T12:00:00.000Z')
const add = (name: string) => (tx: Tx) =>
  tx.insert(teams).values({ name, team_uuid: crypto.randomUUID(), created_at: clock() })
const named = (tx: Tx) => tx.select({ name: teams.name }).from(teams)

const embedded = test.skipIf(onPostgres)
const served = test.skipIf(!onPostgres)

/** Another connection to the same file, which holds a lock until it is closed. */
function holding(path: string, ...statements: string[]) {
  const other = new Database(path)
  for (const statement of statements) other.run(statement)
  afterwards(() => other.close())
  return other
}

embedded(
  'a write waits for a lock without blocking reads, and succeeds once it is released',
  async () => {
    const { path } = await place()
    const store = await opened({ path }, clock)
    const other = holding(path, 'begin immediate')
    const write = store.write(add('late'))
    let longest = 0
    for (let turn = 0; turn < 30; turn++) {
      const began = performance.now()
      expect(await store.read(named)).toEqual([])
      await Bun.sleep(5)
      longest = Math.max(longest, performance.now() - began)
    }
    expect(longest).toBeLessThan(200)
    other.run('rollback')
    await write
    expect(await store.read(named)).toEqual([{ name: 'late' }])
  },
)

embedded(
  'a write that stays locked out is refused as unavailable and changes nothing',
  async () => {
    const { path } = await place()
    const store = await opened({ path }, clock)
    const other = holding(path, 'begin immediate')
    const refused = await refusal(store.write(add('refused')))
    expect(refused).toMatchObject({ code: 'unavailable', details: { retry_after: 2 } })
    expect(refused.message).toBe(
      'The database cannot be written now: another program keeps the database locked. Nothing was changed',
    )
    other.run('rollback')
    await store.write(add('kept'))
    expect(await store.read(named)).toEqual([{ name: 'kept' }])
  },
  20_000,
)

served(
  'reads and writes are refused as unavailable while the database accepts no connections',
  async () => {
    const { url = '' } = await place()
    const store = await opened({ path: '', url }, clock)
    const { pathname } = new URL(url)
    const database = pathname.slice(1)
    const admin = new Client(Object.assign(new URL(url), { pathname: '/postgres' }).href)
    await admin.connect()
    await admin.query(`alter database "${database}" allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ])
    const reasons = await Promise.all([
      refusal(store.read(named)),
      refusal(store.write(add('lost'))),
    ])
    await admin.query(`alter database "${database}" allow_connections true`)
    await admin.end()
    expect(reasons).toMatchObject([
      { code: 'unavailable', details: { retry_after: 5 } },
      { code: 'unavailable', details: { retry_after: 5 } },
    ])
    expect(reasons[1]!.message).toEndWith('Nothing was changed')
    // A connection of the pool may turn out to be dead only when it is used.
    const isWritten = () =>
      store.write(add('kept')).then(
        () => true,
        () => false,
      )
    while (!(await isWritten())) await Bun.sleep(100)
    expect(await store.read(named)).toEqual([{ name: 'kept' }])
  },
)

served(
  'a read is refused as unavailable when all connections of the pool are in use',
  async () => {
    const { url = '' } = await place()
    const store = await opened({ path: '', url: `${url}?pool=1` }, clock)
    const slow = store.write(async (tx) => {
      await add('slow')(tx)
      await Bun.sleep(11_000)
    })
    const refused = await refusal(store.read(named))
    expect(refused).toMatchObject({ code: 'unavailable', details: { retry_after: 2 } })
    expect(refused.message).toContain('all connections to the database server are in use')
    await slow.catch(() => {})
  },
  30_000,
)
