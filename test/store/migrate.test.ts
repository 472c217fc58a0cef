import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/store/migrate.ts'
import { migrationsOf } from '../../src/store/migrations.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { UnusableError } from '../../src/store/unusable.ts'

const folder = mkdtempSync(join(tmpdir(), 'cork-'))
afterAll(() => rmSync(folder, { recursive: true }))
const clock = () => new Date('2026-11-20T12:00:00.000Z')
const path = (name: string) => join(folder, `${name}.db`)

test('a new database gets its tables, and opening it again makes no backup', async () => {
  for (let time = 0; time < 2; time++) await openSqlite(path('new'), clock).close()
  const database = new Database(path('new'), { readonly: true })
  const tables = database
    .query<{ name: string }, []>("select name from sqlite_master where type = 'table'")
    .all()
  expect(tables.map(({ name }) => name)).toContain('tasks')
  expect(readdirSync(folder)).not.toContain('backups')
})

test('a database of a newer cork is refused with that reason', async () => {
  await openSqlite(path('newer'), clock).close()
  const database = new Database(path('newer'))
  database.run("insert into migrations values ('9999_later', 0)")
  database.close()
  expect(() => openSqlite(path('newer'), clock)).toThrow('newer cork')
})

const firstMigration = {
  name: '0000_first',
  statements: ['create table authors (n integer primary key)'],
}
const createBooks = 'create table books (n integer, author integer references authors)'

function openMigrated(name: string) {
  const database = new Database(path(name), { create: true, strict: true })
  migrate(database, path(name), clock(), [firstMigration])
  database.run('insert into authors values (7)')
  return database
}

test('an older database is backed up before it is migrated', () => {
  const database = openMigrated('older')
  migrate(database, path('older'), clock(), [
    firstMigration,
    { name: '0001_books', statements: [createBooks] },
  ])
  expect(database.query('select n from authors').get()).toEqual({ n: 7 })
  const [backup] = readdirSync(join(folder, 'backups'))
  expect(backup).toBe('before-0001_books-2026-11-20T12-00-00.000Z.db')
  const before = new Database(join(folder, 'backups', backup!), { readonly: true })
  expect(before.query('select n from authors').get()).toEqual({ n: 7 })
  expect(before.query("select 1 from sqlite_master where name = 'books'").get()).toBeNull()
})

test('a migration that would break references is rolled back', () => {
  const database = openMigrated('broken')
  const danglingMigration = {
    name: '0001_lost',
    statements: [createBooks, 'insert into books values (1, 99)'],
  }
  expect(() =>
    migrate(database, path('broken'), clock(), [firstMigration, danglingMigration]),
  ).toThrow('nothing was changed')
  expect(database.query("select 1 from sqlite_master where name = 'books'").get()).toBeNull()
})

test('migration 0007 marks reminders of overdue tasks and tasks due within a day as sent', () => {
  const migrations = migrationsOf('sqlite')
  const before = migrations.filter(({ name }) => name < '0007')
  const database = new Database(path('due'), { create: true, strict: true })
  migrate(database, path('due'), clock(), before)
  database.run('PRAGMA foreign_keys=OFF')
  const insert = database.prepare(
    `insert into tasks (team_id, project_id, section_id, unique_index, ticket_number, title,
      content_type, description_version, priority, estimate, status, rank, created_by, created_at,
      updated_at, completed_at, due_at)
     values (1, 1, 1, ?1, 'HOM-' || ?1, 'A', 'html', 0, 0, 0, 'Normal', 'a', 1, 0, 0, ?2, ?3)`,
  )
  const hour = 3_600_000
  const due = [-1, 1, 23, 25].map((hours) => Date.now() + hours * hour)
  for (const [at, due_at] of [...due, null].entries()) insert.run(at + 1, null, due_at)
  insert.run(9, Date.now(), due[0]!)
  for (const statement of migrations.find(({ name }) => name.startsWith('0007'))!.statements)
    database.run(statement)
  const rows = database.query('select reminded from tasks order by unique_index').values()
  expect(rows.flat()).toEqual([2, 1, 1, 0, 0, 0])
})

test('migration 0007 marks only assignments of unfinished, unarchived tasks as open', () => {
  const migrations = migrationsOf('sqlite')
  const before = migrations.filter(({ name }) => name < '0007')
  const database = new Database(path('open'), { create: true, strict: true })
  migrate(database, path('open'), clock(), before)
  database.run('PRAGMA foreign_keys=OFF')
  const insert = database.prepare(
    `insert into tasks (team_id, project_id, section_id, unique_index, ticket_number, title,
      content_type, description_version, priority, estimate, status, rank, created_by, created_at,
      updated_at, completed_at)
     values (1, 1, 1, ?1, 'HOM-' || ?1, 'A', 'html', 0, 0, 0, ?2, 'a', 1, 0, 0, ?3)`,
  )
  insert.run(1, 'Normal', null)
  insert.run(2, 'Normal', 5)
  insert.run(3, 'Archive', null)
  insert.run(4, 'Deleted', 5)
  database.run('insert into task_assignees select team_id, task_id, 1 from tasks')
  for (const statement of migrations.find(({ name }) => name.startsWith('0007'))!.statements)
    database.run(statement)
  const rows = database.query('select open from task_assignees order by task_id').values()
  expect(rows.flat()).toEqual([1, 0, 0, 0])
})

test('migration 0017 gives labels and assignees the board and the status of their task', () => {
  const migrations = migrationsOf('sqlite')
  const before = migrations.filter(({ name }) => name < '0017')
  const database = new Database(path('links'), { create: true, strict: true })
  migrate(database, path('links'), clock(), before)
  database.run('PRAGMA foreign_keys=OFF')
  const insert = database.prepare(
    `insert into tasks (team_id, project_id, section_id, unique_index, ticket_number, title,
      content_type, description_version, priority, estimate, status, rank, created_by, created_at,
      updated_at)
     values (1, ?1, 1, 1, 'HOM-' || ?1, 'A', 'html', 0, 0, 0, ?2, 'a', 1, 0, 0)`,
  )
  insert.run(4, 'Normal')
  insert.run(5, 'Archive')
  database.run('insert into task_assignees select team_id, task_id, 1, 1 from tasks')
  database.run('insert into task_labels select team_id, task_id, 1 from tasks')
  for (const statement of migrations.find(({ name }) => name.startsWith('0017'))!.statements)
    database.run(statement)
  for (const table of ['task_assignees', 'task_labels'])
    expect(
      database.query(`select project_id, status from ${table} order by task_id`).values(),
    ).toEqual([
      [4, 'Normal'],
      [5, 'Archive'],
    ])
})

test('migration 0021 marks the tasks that have assignees', () => {
  const migrations = migrationsOf('sqlite')
  const before = migrations.filter(({ name }) => name < '0021')
  const database = new Database(path('assigned'), { create: true, strict: true })
  migrate(database, path('assigned'), clock(), before)
  database.run('PRAGMA foreign_keys=OFF')
  const insert = database.prepare(
    `insert into tasks (team_id, project_id, section_id, unique_index, ticket_number, title,
      content_type, description_version, priority, estimate, status, rank, created_by, created_at,
      updated_at)
     values (1, 1, 1, ?1, 'HOM-' || ?1, 'A', 'html', 0, 0, 0, 'Normal', 'a', 1, 0, 0)`,
  )
  insert.run(1)
  insert.run(2)
  database.run(
    `insert into task_assignees (team_id, task_id, actor_id, project_id, status)
     values (1, 2, 1, 1, 'Normal'), (1, 2, 2, 1, 'Normal')`,
  )
  for (const statement of migrations.find(({ name }) => name.startsWith('0021'))!.statements)
    database.run(statement)
  expect(database.query('select task_id, assigned from tasks order by task_id').values()).toEqual([
    [1, 0],
    [2, 1],
  ])
})

test('a file that is not a database is refused and left unchanged', async () => {
  writeFileSync(path('prose'), 'Dear diary, '.repeat(200))
  expect(() => openSqlite(path('prose'), clock)).toThrow(UnusableError)
  expect(await Bun.file(path('prose')).text()).toStartWith('Dear diary, Dear diary')
})
