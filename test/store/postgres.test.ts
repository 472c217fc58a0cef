import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Client } from 'pg'
import { teams } from '../../src/features/identity/teams/model/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { openStore } from '../../src/store/open.ts'
import { send } from '../../src/store/send.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { onPostgres } from '../support/postgres.ts'

const postgresTest = test.skipIf(!onPostgres)
const clock = () => new Date('2026-11-20T12:00:00.000Z')

const insertTeam =
  (name: string, team_uuid: string = crypto.randomUUID()) =>
  (tx: Tx) =>
    tx.insert(teams).values({ name, team_uuid, created_at: clock() })

async function openNewStore() {
  const where = await createDatabaseLocation()
  const store = await openTestStore(where, clock)
  const names = async () =>
    (await store.read((tx) => tx.select().from(teams).orderBy(teams.team_id))).map(
      ({ name }) => name,
    )
  return { where, store, names }
}

async function runQuery(openUrl: string, statement: string) {
  const client = new Client(openUrl)
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

postgresTest('servers started at once migrate a new database, each migration once', async () => {
  const where = await createDatabaseLocation()
  const stores = await Promise.all(Array.from({ length: 6 }, () => openTestStore(where, clock)))
  await Promise.all(stores.map((store, i) => store.write(insertTeam(`Team ${i}`))))
  expect(await stores[0]!.read((tx) => tx.select().from(teams))).toHaveLength(6)
  const applied = await runQuery(where.url!, 'select name from migrations')
  expect(new Set(applied.map(({ name }) => name)).size).toBe(applied.length)
})

postgresTest('a database of a newer cork is refused with the unknown migration', async () => {
  const { where, store } = await openNewStore()
  await store.close()
  await runQuery(where.url!, "insert into migrations values ('9999_later', 0)")
  expect(openStore(where, clock)).rejects.toThrow('newer cork (migration 9999_later)')
})

postgresTest('a failed write leaves nothing, and concurrent writes succeed', async () => {
  const { store, names } = await openNewStore()
  const failing = store.write(async (tx) => {
    await insertTeam('half')(tx)
    throw new Error('no')
  })
  const results = await Promise.allSettled([store.write(insertTeam('one')), failing])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await names()).toEqual(['one'])
})

postgresTest.each([
  ['awaits', async (_: Tx, statement: PromiseLike<unknown>) => void (await statement)],
  ['sends', send],
])('a write that loses a race with a statement that it %s is retried', async (_, execute) => {
  const { store, names } = await openNewStore()
  const uuid = crypto.randomUUID()
  let attempts = 0
  const allHaveRead = Promise.withResolvers<void>()
  const createTeamOnce = (name: string) =>
    store.write(async (tx) => {
      const [existing] = await tx.select().from(teams).where(eq(teams.team_uuid, uuid))
      if (++attempts === 3) allHaveRead.resolve()
      await allHaveRead.promise
      if (!existing) await execute(tx, insertTeam(name, uuid)(tx))
      return !existing
    })
  const first = await Promise.all(['a', 'b', 'c'].map(createTeamOnce))
  expect(first.filter(Boolean)).toHaveLength(1)
  expect(await names()).toHaveLength(1)
  expect(attempts).toBeGreaterThan(3)
})

postgresTest(
  'a write is refused while the server allows only reads, and succeeds after it',
  async () => {
    const { where, store, names } = await openNewStore()
    const { pathname } = new URL(where.url!)
    const database = `"${pathname.slice(1)}"`
    const allowWrites = (isAllowed: boolean) =>
      runQuery(
        where.url!,
        `begin read write; alter database ${database} set default_transaction_read_only = ${!isAllowed}; commit`,
      )
    await allowWrites(false)
    // The connections that are open still write; the server ends them, as it does in a failover.
    await runQuery(
      where.url!,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    expect(store.write(insertTeam('refused'))).rejects.toMatchObject({
      code: 'unavailable',
      details: { retry_after: 5 },
    })
    expect(await names()).toEqual([])
    await allowWrites(true)
    await store.write(insertTeam('stored'))
    expect(await names()).toEqual(['stored'])
  },
)

postgresTest('a failed statement fails its write, even if the error is caught', async () => {
  const { store, names } = await openNewStore()
  const uuid = crypto.randomUUID()
  await store.write(insertTeam('one', uuid))
  const writeAfterFailure = store.write(async (tx) => {
    await insertTeam('two')(tx)
    await insertTeam('three', uuid)(tx).catch(() => {})
  })
  expect(writeAfterFailure).rejects.toThrow('went on after one of its statements had failed')
  expect(await names()).toEqual(['one'])
})

postgresTest(
  'a write does not wait for a statement that it sends, but later ones see it',
  async () => {
    const { store, names } = await openNewStore()
    const seen = await store.write(async (tx) => {
      await send(tx, insertTeam('sent')(tx))
      return tx.select({ name: teams.name }).from(teams)
    })
    expect(seen).toEqual([{ name: 'sent' }])
    expect(await names()).toEqual(['sent'])
  },
)

postgresTest.each([
  ['is the last one', async () => []],
  ['is followed by another', (tx: Tx) => tx.select().from(teams)],
])('a statement that was sent fails its write with its own error if it %s', async (_, then) => {
  const { store, names } = await openNewStore()
  const failing = store.write(async (tx) => {
    await insertTeam('half')(tx)
    await send(tx, insertTeam(null as never)(tx))
    await then(tx)
  })
  expect(failing).rejects.toThrow('null value in column "name"')
  expect(await names()).toEqual([])
  await store.write(insertTeam('next'))
  expect(await names()).toEqual(['next'])
})

postgresTest('a write inside a write is refused instead of causing a deadlock', async () => {
  const { store, names } = await openNewStore()
  expect(store.write(() => store.write(insertTeam('in')))).rejects.toThrow('began inside a write')
  expect(await names()).toEqual([])
})

postgresTest(
  'a lost connection fails the write that ran on it, and later writes succeed',
  async () => {
    const { where, store, names } = await openNewStore()
    const terminateConnections =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'corkboard' and datname = current_database()"
    const interrupted = store.write(async (tx) => {
      await insertTeam('lost')(tx)
      await runQuery(where.url!, terminateConnections)
      await insertTeam('lost too')(tx)
    })
    expect(await interrupted.catch(({ message }) => message)).toBe(
      'The database cannot be written now: the database server cannot be reached. Nothing was changed',
    )
    await runQuery(where.url!, terminateConnections)
    await Bun.sleep(50)
    await store.write(insertTeam('committed'))
    expect(await names()).toEqual(['committed'])
  },
)

postgresTest('closing waits for running writes and refuses new ones', async () => {
  const { where, store } = await openNewStore()
  const running = store.write(async (tx) => {
    await Bun.sleep(50)
    await insertTeam('committed')(tx)
  })
  const closing = store.close()
  expect(store.write(insertTeam('late'))).rejects.toThrow('closed before this began')
  await Promise.all([running, closing])
  expect(await runQuery(where.url!, 'select name from teams')).toEqual([{ name: 'committed' }])
})

postgresTest('an error of the database contains no value of the statement', async () => {
  const { store } = await openNewStore()
  const error = await store
    .write((tx) =>
      tx.insert(teams).values({ name: 'a secret', team_uuid: null as never, created_at: clock() }),
    )
    .catch((error: Error) => error)
  expect(Bun.inspect(error)).toContain('violates not-null constraint')
  expect(`${(error as Error).message} ${(error as Error).stack}`).not.toContain('a secret')
})

const openUrl = (rest: string) =>
  openStore({ path: '', url: `postgres://cork:geheim@${rest}` }, clock)

postgresTest.each([
  ['127.0.0.1:1/cork', 'Check that the server runs'],
  ['nowhere.invalid/cork', 'Check that the server runs'],
  ['127.0.0.1/cork?sslmode=prefer', 'sslmode in DATABASE_URL must be one of'],
  ['127.0.0.1/cork?pool=many', 'pool in DATABASE_URL must be a whole number'],
])('%s is refused with the reason or a hint, without the password', async (rest, expectedText) => {
  const { message } = await openUrl(rest).then(
    () => ({ message: 'opened' }),
    (error: Error) => error,
  )
  expect(message).toContain(expectedText)
  expect(message).not.toContain('geheim')
})

postgresTest('a missing database is refused with its name', async () => {
  const { where } = await openNewStore()
  const missing = where.url!.replace(/\/\w+$/, '/no_such_database')
  expect(openStore({ path: '', url: missing }, clock)).rejects.toThrow(
    'database "no_such_database" does not exist. Create it first',
  )
})
