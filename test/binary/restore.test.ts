import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { onPostgres } from '../support/postgres.ts'
import { root } from '../support/source-files.ts'
import { cleanUp, createFolder, sendRequest } from './cork.ts'
import { exportLines, exportText } from './export-lines.ts'
import { createInstallation, createSqliteInstallation, type Installation } from './installation.ts'
import { allTasks, createBoard } from './writers.ts'

afterAll(cleanUp)

/** A backup of a server with some data, and the credentials to read a restored copy. */
async function createBackup(installation: Installation) {
  const credentials = await installation.init()
  const team = join(createFolder(), 'team.jsonl')
  writeFileSync(team, exportText(exportLines(30)))
  await installation.run(['import', team])
  const server = await installation.serve()
  const project_id = await createBoard(server.url, credentials.api_key, credentials.team_id)
  const { api_key } = credentials
  for (const title of ['One', 'Two'])
    await sendRequest(server.url, api_key, 'POST', '/api/v1/tasks', { project_id, title })
  const sectionsPath = `/api/v1/projects/${project_id}/sections`
  const section = await sendRequest(server.url, api_key, 'POST', sectionsPath, { title: 'Gone' })
  const deletedSectionId: number = section.body.data.section_id
  expect(
    (await sendRequest(server.url, api_key, 'DELETE', `${sectionsPath}/${deletedSectionId}`))
      .status,
  ).toBe(200)
  expect(await server.end()).toBe(0)
  const file = join(createFolder(), 'b.backup')
  await installation.runJson(['backup', file])
  return { ...credentials, project_id, file, sectionsPath, deletedSectionId }
}

/** The data that the owner of the backup can read from a place. */
async function readData(
  installation: Installation,
  { api_key, mcp_token }: { api_key: string; mcp_token: string },
) {
  // First, because a server sends reminders and thereby changes what an export contains.
  const { out } = await installation.run(['export', '--team', 'Häfen ⚓'])
  const { out: harbourExport } = await installation.run(['export', '--team', 'Harbour'])
  const server = await installation.serve()
  const tasks = [...(await allTasks(server.url, api_key))].sort()
  const { status } = await sendRequest(server.url, mcp_token, 'GET', '/api/v1/user/context')
  expect(await server.end()).toBe(0)
  const tokens = await installation.runJson(['token', 'list'])
  const stableTokens = tokens.map(({ last_used_at: _, ...token }: Record<string, unknown>) => token)
  return {
    tasks,
    status,
    out,
    own: harbourExport,
    tokens: stableTokens,
    users: await installation.runJson(['user', 'list']),
  }
}

const readLines = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const manifestOf = (file: string) => readLines(file)[0]

/** The same backup as the first version would have written it. */
function asFirstVersion(file: string): Buffer {
  const database = new Database(':memory:')
  const start = readFileSync(join(root, 'drizzle/sqlite/0000_start.sql'), 'utf8')
  for (const statement of start.split('--> statement-breakpoint')) database.run(statement)
  const hasColumn = (table: string, section: string) =>
    database
      .query<{ name: string }, []>(`pragma table_info(${table})`)
      .all()
      .some(({ name }) => name === section)
  const [manifest, ...chunks] = readLines(file).slice(0, -1)
  const keptIndexes = (table: { name: string; columns: { name: string }[] }) =>
    table.columns
      .map(({ name }, at) => (hasColumn(table.name, name) ? at : -1))
      .filter((at) => at >= 0)
  const columnIndexes = new Map(
    manifest.tables.map((table: Parameters<typeof keptIndexes>[0]) => [
      table.name,
      keptIndexes(table),
    ]),
  ) as Map<string, number[]>
  const remainingTables = manifest.tables.filter(
    ({ name }: { name: string }) => columnIndexes.get(name)!.length,
  )
  const lines = [
    {
      ...manifest,
      migrations: ['0000_start'],
      tables: remainingTables.map((table: { name: string; columns: object[] }) => ({
        ...table,
        columns: columnIndexes.get(table.name)!.map((at) => table.columns[at]),
      })),
    },
    ...chunks
      .filter(({ table }) => columnIndexes.get(table)!.length)
      .map(({ table, rows }) => ({
        table,
        rows: rows.map((row: unknown[]) => columnIndexes.get(table)!.map((at) => row[at])),
      })),
  ]
  const text = [...lines, { end: { lines: lines.length } }].map((line) => JSON.stringify(line))
  return gzipSync(`${text.join('\n')}\n`)
}

describe('a backup', () => {
  test('of the engine under test restores on both, with credentials and id counters', async () => {
    const source = await createInstallation()
    const backup = await createBackup(source)
    const original = await readData(source, backup)
    expect([original.tasks.length > 20, original.status]).toEqual([true, 200])
    for (const target of [createSqliteInstallation(), await createInstallation()]) {
      const restored = await target.run(['restore', backup.file])
      expect([restored.code, restored.err]).toEqual([0, expect.stringContaining('rows')])
      expect(await readData(target, backup)).toEqual(original)
      const server = await target.serve()
      const { project_id } = backup
      const body = { project_id, title: 'Three' }
      const created = await sendRequest(server.url, backup.api_key, 'POST', '/api/v1/tasks', body)
      expect(created.body.data.ticket_number).toBe('GAR-3')
      // An id is never reused, not even that of a row that was deleted before the backup.
      const section = await sendRequest(server.url, backup.api_key, 'POST', backup.sectionsPath, {
        title: 'New',
      })
      expect(section.body.data.section_id).toBeGreaterThan(backup.deletedSectionId)
      expect(await server.end()).toBe(0)
    }
  })

  test('of SQLite restores on the engine under test', async () => {
    const source = createSqliteInstallation()
    const backup = await createBackup(source)
    const target = await createInstallation()
    expect((await target.run(['restore', backup.file])).code).toBe(0)
    expect(await readData(target, backup)).toEqual(await readData(source, backup))
  })

  test('of an older SQLite database is migrated to this version, and refused on PostgreSQL', async () => {
    const source = createSqliteInstallation()
    const backup = await createBackup(source)
    const { migrations } = manifestOf(backup.file)
    writeFileSync(backup.file, asFirstVersion(backup.file))
    const target = createSqliteInstallation()
    expect(await target.run(['restore', backup.file])).toMatchObject({ code: 0 })
    expect((await target.run(['doctor'])).out).toContain(
      `ok       schema: is at ${migrations.at(-1)}`,
    )
    expect((await readData(target, backup)).status).toBe(200)
    if (!onPostgres) return
    const { code, err } = await (await createInstallation()).run(['restore', backup.file])
    expect([code, err]).toEqual([1, expect.stringContaining('older database on sqlite')])
  })
})

test.if(onPostgres)(
  'a PostgreSQL database with data is replaced only with --force and no running server',
  async () => {
    const source = createSqliteInstallation()
    const { file, api_key } = await createBackup(source)
    const target = await createInstallation()
    await target.init()
    const result = await target.run(['restore', file])
    expect([result.code, result.err]).toEqual([1, expect.stringContaining('--force')])
    expect(await target.runJson(['user', 'list'])).toHaveLength(1)
    const runningServer = await target.serve()
    const whileServing = await target.run(['restore', file, '--force'])
    expect([whileServing.code, whileServing.err]).toEqual([
      1,
      expect.stringContaining('Stop all of them'),
    ])
    expect(await runningServer.end()).toBe(0)
    expect((await target.run(['restore', file, '--force'])).code).toBe(0)
    const server = await target.serve()
    expect((await allTasks(server.url, api_key)).size).toBeGreaterThan(20)
    expect(await server.end()).toBe(0)
  },
)

test.if(onPostgres)(
  'a restore waits for connections that are about to end, as those of a server that was stopped',
  async () => {
    const source = createSqliteInstallation()
    const { file } = await createBackup(source)
    const target = await createInstallation()
    const connection = new Client({
      connectionString: target.env.DATABASE_URL!,
      application_name: 'corkboard',
    })
    await connection.connect()
    const restoring = target.run(['restore', file])
    await Bun.sleep(1500)
    await connection.end()
    expect(await restoring).toMatchObject({ code: 0 })
  },
)

describe('cork restore refuses, and changes nothing:', () => {
  /** The plain text of a backup, changed and packed again. */
  const repack = (file: string, change: (text: string) => string) =>
    gzipSync(change(gunzipSync(readFileSync(file)).toString()))
  const flipByte = (bytes: Buffer) => {
    const copy = Buffer.from(bytes)
    copy[copy.length >> 1]! ^= 0xff
    return copy
  }
  const cases: [string, (file: string) => Buffer | string, string][] = [
    ['a truncated backup', (file) => readFileSync(file).subarray(0, -3000), 'damaged'],
    ['one with a flipped byte', (file) => flipByte(readFileSync(file)), 'damaged'],
    [
      'one whose content was changed',
      (file) => repack(file, (text) => text.replace('"One"', '"Owe"')),
      'checksum',
    ],
    [
      'a newer format',
      (file) => repack(file, (text) => text.replace('"version":2', '"version":3')),
      'newer cork',
    ],
    [
      'a newer database',
      (file) => repack(file, (text) => text.replace('"0000_start"', '"0000_start","9999_later"')),
      '9999_later',
    ],
    [
      'rows that were left out',
      (file) => repack(file, (text) => text.replace(/\{"table":"tasks".*\n/, '')),
      'damaged',
    ],
    ['an exported team', () => exportText(exportLines(5)), 'cork import'],
    ['something else', () => 'Dear diary', 'damaged'],
    ['nothing', () => '', 'damaged'],
    [
      'a broken database',
      () => Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(9000, 7)]),
      onPostgres ? 'an SQLite database' : 'damaged',
    ],
  ]
  test('a damaged, changed, newer or foreign file', async () => {
    const source = await createInstallation()
    const backup = await createBackup(source)
    const original = await readData(source, backup)
    const path = join(createFolder(), 'spoilt.backup')
    for (const [name, alter, error] of cases) {
      writeFileSync(path, alter(backup.file))
      const { code, err } = await source.run(['restore', path, '--force'])
      expect([name, code, err]).toEqual([name, 1, expect.stringContaining(error)])
      expect(err).not.toMatch(/\n\s+at /)
    }
    expect(await readData(source, backup)).toEqual(original)
    if (existsSync(source.data)) expect(readdirSync(source.data).join()).not.toContain('restore')
  })

  test('a missing file, and a database of another program', async () => {
    const source = createSqliteInstallation()
    const { code, err } = await source.run(['restore', join(source.data, 'none')])
    expect([code, err]).toEqual([1, expect.stringContaining('File not found')])
    const foreignFile = join(createFolder(), 'other.db')
    new Database(foreignFile).run('create table books (n)')
    const foreign = await source.run(['restore', foreignFile])
    expect([foreign.code, foreign.err]).toEqual([
      1,
      expect.stringContaining('not a Corkboard database'),
    ])
  })
})
