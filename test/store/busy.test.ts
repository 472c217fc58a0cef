import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { teams } from '../../src/features/identity/teams/model/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import type { Fault } from '../../src/kernel/fault.ts'
import { addCleanup, createDatabaseLocation, openTestStore } from '../support/database.ts'
import { onPostgres } from '../support/postgres.ts'

/** Returns the error that a job fails with. */
const faultOf = (job: Promise<unknown>): Promise<Fault> =>
  job.then(
    () => {
      throw new Error('The job was not refused')
    },
    (error) => error,
  )

const clock = () => new Date('2026-11-20T12:00:00.000Z')
const addTeam = (name: string) => (tx: Tx) =>
  tx.insert(teams).values({ name, team_uuid: crypto.randomUUID(), created_at: clock() })
const teamNames = (tx: Tx) => tx.select({ name: teams.name }).from(teams)

const sqliteTest = test.skipIf(onPostgres)
const postgresTest = test.skipIf(!onPostgres)

/** Opens another connection to the same file, which holds a lock until it is closed. */
function lockDatabase(path: string, ...statements: string[]) {
  const other = new Database(path)
  for (const statement of statements) other.run(statement)
  addCleanup(() => other.close())
  return other
}

sqliteTest(
  'a write waits for a lock without blocking reads, and succeeds once it is released',
  async () => {
    const { path } = await createDatabaseLocation()
    const store = await openTestStore({ path }, clock)
    const other = lockDatabase(path, 'begin immediate')
    const write = store.write(addTeam('late'))
    let longestMs = 0
    for (let round = 0; round < 30; round++) {
      const startedAt = performance.now()
      expect(await store.read(teamNames)).toEqual([])
      await Bun.sleep(5)
      longestMs = Math.max(longestMs, performance.now() - startedAt)
    }
    expect(longestMs).toBeLessThan(2000)
    other.run('rollback')
    await write
    expect(await store.read(teamNames)).toEqual([{ name: 'late' }])
  },
)

sqliteTest(
  'a write that stays locked out is refused as unavailable and changes nothing',
  async () => {
    const { path } = await createDatabaseLocation()
    const store = await openTestStore({ path }, clock)
    const other = lockDatabase(path, 'begin immediate')
    const fault = await faultOf(store.write(addTeam('refused')))
    expect(fault).toMatchObject({ code: 'unavailable', details: { retry_after: 2 } })
    expect(fault.message).toBe(
      'The database cannot be written now: another program keeps the database locked. Nothing was changed',
    )
    other.run('rollback')
    await store.write(addTeam('written'))
    expect(await store.read(teamNames)).toEqual([{ name: 'written' }])
  },
)

postgresTest(
  'reads and writes are refused as unavailable while the database accepts no connections',
  async () => {
    const { url = '' } = await createDatabaseLocation()
    const store = await openTestStore({ path: '', url }, clock)
    const { pathname } = new URL(url)
    const database = pathname.slice(1)
    const admin = new Client(Object.assign(new URL(url), { pathname: '/postgres' }).href)
    await admin.connect()
    await admin.query(`alter database "${database}" allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ])
    const faults = await Promise.all([
      faultOf(store.read(teamNames)),
      faultOf(store.write(addTeam('lost'))),
    ])
    await admin.query(`alter database "${database}" allow_connections true`)
    await admin.end()
    expect(faults).toMatchObject([
      { code: 'unavailable', details: { retry_after: 5 } },
      { code: 'unavailable', details: { retry_after: 5 } },
    ])
    expect(faults[1]!.message).toEndWith('Nothing was changed')
    // A connection of the pool may turn out to be dead only when it is used.
    const isWritten = () =>
      store.write(addTeam('written')).then(
        () => true,
        () => false,
      )
    while (!(await isWritten())) await Bun.sleep(100)
    expect(await store.read(teamNames)).toEqual([{ name: 'written' }])
  },
)

postgresTest(
  'a read is refused as unavailable when all connections of the pool are in use',
  async () => {
    const { url = '' } = await createDatabaseLocation()
    const store = await openTestStore({ path: '', url: `${url}?pool=1` }, clock)
    const slow = store.write(async (tx) => {
      await addTeam('slow')(tx)
      await Bun.sleep(11_000)
    })
    const fault = await faultOf(store.read(teamNames))
    expect(fault).toMatchObject({ code: 'unavailable', details: { retry_after: 2 } })
    expect(fault.message).toContain('all connections to the database server are in use')
    await slow.catch(() => {})
  },
)
