import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Client } from 'pg'
import { teams } from '../../src/features/teams/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { openStore } from '../../src/store/open.ts'
import { opened, place } from '../database.ts'
import { onPostgres } from '../server.ts'

const many = test.skipIf(!onPostgres)
const clock = () => new Date('2026-11-20T12:00:00.000Z')

const team =
  (name: string, team_uuid: string = crypto.randomUUID()) =>
  (tx: Tx) =>
    tx.insert(teams).values({ name, team_uuid, created_at: clock() })

async function played() {
  const where = await place()
  const store = await opened(where, clock)
  const names = async () =>
    (await store.read((tx) => tx.select().from(teams).orderBy(teams.team_id))).map(
      ({ name }) => name,
    )
  return { where, store, names }
}

async function ask(url: string, statement: string) {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

many('servers started at once migrate a new database, each migration once', async () => {
  const where = await place()
  const stores = await Promise.all(Array.from({ length: 6 }, () => opened(where, clock)))
  await Promise.all(stores.map((store, i) => store.write(team(`Team ${i}`))))
  expect(await stores[0]!.read((tx) => tx.select().from(teams))).toHaveLength(6)
  const applied = await ask(where.url!, 'select name from migrations')
  expect(new Set(applied.map(({ name }) => name)).size).toBe(applied.length)
})

many('a database of a newer cork is refused with the unknown migration', async () => {
  const { where, store } = await played()
  await store.close()
  await ask(where.url!, "insert into migrations values ('9999_later', 0)")
  expect(openStore(where, clock)).rejects.toThrow('newer cork (migration 9999_later)')
})

many('a failed write leaves nothing, and concurrent writes succeed', async () => {
  const { store, names } = await played()
  const refused = store.write(async (tx) => {
    await team('half')(tx)
    throw new Error('no')
  })
  const results = await Promise.allSettled([store.write(team('one')), refused])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await names()).toEqual(['one'])
})

many('a write that loses a race is retried and sees the row of the winner', async () => {
  const { store, names } = await played()
  const uuid = crypto.randomUUID()
  let looks = 0
  const once = (name: string) =>
    store.write(async (tx) => {
      looks++
      const [there] = await tx.select().from(teams).where(eq(teams.team_uuid, uuid))
      await Bun.sleep(20)
      if (!there) await team(name, uuid)(tx)
      return !there
    })
  const first = await Promise.all(['a', 'b', 'c'].map(once))
  expect(first.filter(Boolean)).toHaveLength(1)
  expect(await names()).toHaveLength(1)
  expect(looks).toBeGreaterThan(3)
})

many('a failed statement fails its write, even if the error is caught', async () => {
  const { store, names } = await played()
  const uuid = crypto.randomUUID()
  await store.write(team('one', uuid))
  const careless = store.write(async (tx) => {
    await team('two')(tx)
    await team('three', uuid)(tx).catch(() => {})
  })
  expect(careless).rejects.toThrow('went on after one of its statements had failed')
  expect(await names()).toEqual(['one'])
})

many('a write inside a write is refused instead of causing a deadlock', async () => {
  const { store, names } = await played()
  expect(store.write(() => store.write(team('in')))).rejects.toThrow('began inside a write')
  expect(await names()).toEqual([])
})

many('a lost connection fails the write that ran on it, and later writes succeed', async () => {
  const { where, store, names } = await played()
  const cut =
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'corkboard' and datname = current_database()"
  const during = store.write(async (tx) => {
    await team('lost')(tx)
    await ask(where.url!, cut)
    await team('lost too')(tx)
  })
  expect(await during.catch(({ message }) => message)).toBe(
    'The database cannot be written now: the database server cannot be reached. Nothing was changed',
  )
  await ask(where.url!, cut)
  await Bun.sleep(50)
  await store.write(team('kept'))
  expect(await names()).toEqual(['kept'])
})

many('closing waits for running writes and refuses new ones', async () => {
  const { where, store } = await played()
  const running = store.write(async (tx) => {
    await Bun.sleep(50)
    await team('kept')(tx)
  })
  const closing = store.close()
  expect(store.write(team('late'))).rejects.toThrow('closed before this began')
  await Promise.all([running, closing])
  expect(await ask(where.url!, 'select name from teams')).toEqual([{ name: 'kept' }])
})

many('an error of the database contains no value of the statement', async () => {
  const { store } = await played()
  const error = await store
    .write((tx) =>
      tx.insert(teams).values({ name: 'a secret', team_uuid: null as never, created_at: clock() }),
    )
    .catch((error: Error) => error)
  expect(Bun.inspect(error)).toContain('violates not-null constraint')
  expect(`${(error as Error).message} ${(error as Error).stack}`).not.toContain('a secret')
})

const url = (rest: string) => openStore({ path: '', url: `postgres://cork:geheim@${rest}` }, clock)

many.each([
  ['127.0.0.1:1/cork', 'Check that the server runs'],
  ['nowhere.invalid/cork', 'Check that the server runs'],
  ['127.0.0.1/cork?sslmode=prefer', 'sslmode in DATABASE_URL must be one of'],
  ['127.0.0.1/cork?pool=many', 'pool in DATABASE_URL must be a whole number'],
])('%s is refused with the reason or a hint, without the password', async (rest, words) => {
  const { message } = await url(rest).then(
    () => ({ message: 'opened' }),
    (error: Error) => error,
  )
  expect(message).toContain(words)
  expect(message).not.toContain('geheim')
})

many('a missing database is refused with its name', async () => {
  const { where } = await played()
  const missing = where.url!.replace(/\/\w+$/, '/no_such_database')
  expect(openStore({ path: '', url: missing }, clock)).rejects.toThrow(
    'database "no_such_database" does not exist. Create it first',
  )
})
