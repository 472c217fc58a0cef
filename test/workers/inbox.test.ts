import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import pino from 'pino'
import { migrate } from '../../src/store/migrate.ts'
import { migrationsOf } from '../../src/store/migrations.ts'
import { startWorkers } from '../../src/workers/index.ts'
import { createDatabaseLocation } from '../support/database.ts'
import { onPostgres } from '../support/postgres.ts'
import { NOON, type World, world } from '../support/world.ts'

const log = pino({ level: 'silent' })

const unread = async ({ ben }: World) => (await ben['inbox.summary']({})).unread

async function reached(w: World, many: number) {
  for (let i = 0; i < 300 && (await unread(w)) < many; i++) await Bun.sleep(10)
  expect(await unread(w)).toBe(many)
}

test('inboxes receive each notification once, also after a pause and with two servers', async () => {
  const w = await world()
  const assign = async (title: string) => {
    const assignee_ids = [w.ben.caller.actor_id]
    await w.ada['tasks.create']({ project_id: w.board.project_id, title, assignee_ids })
  }
  await assign('Before')
  const stop = startWorkers({ store: w.store, log })
  await reached(w, 1)
  await assign('Meanwhile')
  await reached(w, 2)
  await stop()
  await assign('Unattended')
  expect(await unread(w)).toBe(2)
  // Both servers on this database follow the same log.
  const stops = [startWorkers({ store: w.store, log }), startWorkers({ store: w.store, log })]
  await reached(w, 3)
  await assign('Again')
  await reached(w, 4)
  await Promise.all(stops.map((one) => one()))
  expect(await unread(w)).toBe(4)
})

test.skipIf(onPostgres)('changes from before inboxes existed create no notifications', async () => {
  const { path } = await createDatabaseLocation()
  const database = new Database(path, { create: true, strict: true })
  const migrations = migrationsOf('sqlite')
  const earlier = migrations.filter(({ name }) => name < '0003')
  migrate(database, path, NOON, earlier)
  const change = `insert into changes (type, actor_id, data, created_at) values ('x', 1, '{}', 0)`
  for (let i = 0; i < 3; i++) database.run(change)
  migrate(database, path, NOON, migrations)
  const follower = database.query(`select seq from followers where name = 'inbox'`).get()
  expect(follower).toEqual({ seq: 3 })
  database.close()
})
