import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { onPostgres } from '../server.ts'
import { root } from '../tidy/files.ts'
import { ask, folder, sweep } from './cork.ts'
import { type Ground, ground, inFolder } from './ground.ts'
import { linesOf, textOf } from './team.ts'
import { allTasks, boardIn } from './writers.ts'

afterAll(sweep)

/** A backup of a server with some data, and the credentials to read a restored copy. */
async function backedUp(place: Ground) {
  const made = await place.init()
  const team = join(folder(), 'team.jsonl')
  writeFileSync(team, textOf(linesOf(30)))
  await place.run(['import', team])
  const server = await place.serve()
  const project_id = await boardIn(server.url, made.api_key, made.team_id)
  const { api_key } = made
  for (const title of ['One', 'Two'])
    await ask(server.url, api_key, 'POST', '/api/v1/tasks', { project_id, title })
  const columns = `/api/v1/projects/${project_id}/sections`
  const column = await ask(server.url, api_key, 'POST', columns, { title: 'Gone' })
  const gone: number = column.body.data.section_id
  expect((await ask(server.url, api_key, 'DELETE', `${columns}/${gone}`)).status).toBe(200)
  expect(await server.end()).toBe(0)
  const file = join(folder(), 'b.backup')
  await place.json(['backup', file])
  return { ...made, project_id, file, columns, gone }
}

/** The data that the owner of the backup can read from a place. */
async function lookInto(
  place: Ground,
  { api_key, mcp_token }: { api_key: string; mcp_token: string },
) {
  const server = await place.serve()
  const tasks = [...(await allTasks(server.url, api_key))].sort()
  const { status } = await ask(server.url, mcp_token, 'GET', '/api/v1/user/context')
  expect(await server.end()).toBe(0)
  const { out } = await place.run(['export', '--team', 'Häfen ⚓'])
  const { out: own } = await place.run(['export', '--team', 'Harbour'])
  const tokens = await place.json(['token', 'list'])
  const bare = tokens.map(({ last_used_at: _, ...token }: Record<string, unknown>) => token)
  return { tasks, status, out, own, tokens: bare, users: await place.json(['user', 'list']) }
}

const linesIn = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const manifestOf = (file: string) => linesIn(file)[0]

/** The same backup as the first version would have written it. */
function aged(file: string): Buffer {
  const database = new Database(':memory:')
  const start = readFileSync(join(root, 'drizzle/sqlite/0000_start.sql'), 'utf8')
  for (const statement of start.split('--> statement-breakpoint')) database.run(statement)
  const has = (table: string, column: string) =>
    database
      .query<{ name: string }, []>(`pragma table_info(${table})`)
      .all()
      .some(({ name }) => name === column)
  const [manifest, ...rest] = linesIn(file).slice(0, -1)
  const kept = (table: { name: string; columns: { name: string }[] }) =>
    table.columns.map(({ name }, at) => (has(table.name, name) ? at : -1)).filter((at) => at >= 0)
  const before = new Map(
    manifest.tables.map((table: Parameters<typeof kept>[0]) => [table.name, kept(table)]),
  ) as Map<string, number[]>
  const there = manifest.tables.filter(({ name }: { name: string }) => before.get(name)!.length)
  const lines = [
    {
      ...manifest,
      migrations: ['0000_start'],
      tables: there.map((table: { name: string; columns: object[] }) => ({
        ...table,
        columns: before.get(table.name)!.map((at) => table.columns[at]),
      })),
    },
    ...rest
      .filter(({ table }) => before.get(table)!.length)
      .map(({ table, rows }) => ({
        table,
        rows: rows.map((row: unknown[]) => before.get(table)!.map((at) => row[at])),
      })),
  ]
  const text = [...lines, { end: { lines: lines.length } }].map((line) => JSON.stringify(line))
  return gzipSync(`${text.join('\n')}\n`)
}

describe('a backup', () => {
  test('of the engine under test restores on both, with credentials and id counters', async () => {
    const from = await ground()
    const made = await backedUp(from)
    const before = await lookInto(from, made)
    expect([before.tasks.length > 20, before.status]).toEqual([true, 200])
    for (const to of [inFolder(), await ground()]) {
      const restored = await to.run(['restore', made.file])
      expect([restored.code, restored.err]).toEqual([0, expect.stringContaining('rows')])
      expect(await lookInto(to, made)).toEqual(before)
      const server = await to.serve()
      const { project_id } = made
      const body = { project_id, title: 'Three' }
      const next = await ask(server.url, made.api_key, 'POST', '/api/v1/tasks', body)
      expect(next.body.data.ticket_number).toBe('GAR-3')
      // An id is never reused, not even that of a row that was deleted before the backup.
      const column = await ask(server.url, made.api_key, 'POST', made.columns, { title: 'New' })
      expect(column.body.data.section_id).toBeGreaterThan(made.gone)
      expect(await server.end()).toBe(0)
    }
  }, 60_000)

  test('of SQLite restores on the engine under test', async () => {
    const from = inFolder()
    const made = await backedUp(from)
    const to = await ground()
    expect((await to.run(['restore', made.file])).code).toBe(0)
    expect(await lookInto(to, made)).toEqual(await lookInto(from, made))
  }, 60_000)

  test('of an older SQLite database is migrated to this version, and refused on PostgreSQL', async () => {
    const here = inFolder()
    const made = await backedUp(here)
    const { migrations } = manifestOf(made.file)
    writeFileSync(made.file, aged(made.file))
    const to = inFolder()
    expect(await to.run(['restore', made.file])).toMatchObject({ code: 0 })
    expect((await to.run(['doctor'])).out).toContain(`ok       schema: is at ${migrations.at(-1)}`)
    expect((await lookInto(to, made)).status).toBe(200)
    if (!onPostgres) return
    const { code, err } = await (await ground()).run(['restore', made.file])
    expect([code, err]).toEqual([1, expect.stringContaining('older database on sqlite')])
  }, 60_000)
})

test.if(onPostgres)(
  'a PostgreSQL database with data is replaced only with --force and no running server',
  async () => {
    const from = inFolder()
    const { file, api_key } = await backedUp(from)
    const to = await ground()
    await to.init()
    const refused = await to.run(['restore', file])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--force')])
    expect(await to.json(['user', 'list'])).toHaveLength(1)
    const old = await to.serve()
    const served = await to.run(['restore', file, '--force'])
    expect([served.code, served.err]).toEqual([1, expect.stringContaining('Stop all of them')])
    expect(await old.end()).toBe(0)
    expect((await to.run(['restore', file, '--force'])).code).toBe(0)
    const server = await to.serve()
    expect((await allTasks(server.url, api_key)).size).toBeGreaterThan(20)
    expect(await server.end()).toBe(0)
  },
  60_000,
)

describe('cork restore refuses, and changes nothing:', () => {
  /** The plain text of a backup, changed and packed again. */
  const changed = (file: string, change: (text: string) => string) =>
    gzipSync(change(gunzipSync(readFileSync(file)).toString()))
  const flipped = (bytes: Buffer) => {
    const copy = Buffer.from(bytes)
    copy[copy.length >> 1]! ^= 0xff
    return copy
  }
  const wrong: [string, (file: string) => Buffer | string, string][] = [
    ['one that was cut short', (file) => readFileSync(file).subarray(0, -3000), 'damaged'],
    ['one with a flipped byte', (file) => flipped(readFileSync(file)), 'damaged'],
    [
      'one whose content was changed',
      (file) => changed(file, (text) => text.replace('"One"', '"Owe"')),
      'checksum',
    ],
    [
      'a newer format',
      (file) => changed(file, (text) => text.replace('"version":2', '"version":3')),
      'newer cork',
    ],
    [
      'a newer database',
      (file) => changed(file, (text) => text.replace('"0000_start"', '"0000_start","9999_later"')),
      '9999_later',
    ],
    [
      'rows that were left out',
      (file) => changed(file, (text) => text.replace(/\{"table":"tasks".*\n/, '')),
      'damaged',
    ],
    ['an exported team', () => textOf(linesOf(5)), 'cork import'],
    ['something else', () => 'Dear diary', 'damaged'],
    ['nothing', () => '', 'damaged'],
    [
      'a broken database',
      () => Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(9000, 7)]),
      onPostgres ? 'an SQLite database' : 'damaged',
    ],
  ]
  test('a damaged, changed, newer or foreign file', async () => {
    const here = await ground()
    const made = await backedUp(here)
    const before = await lookInto(here, made)
    const path = join(folder(), 'spoilt.backup')
    for (const [what, spoil, said] of wrong) {
      writeFileSync(path, spoil(made.file))
      const { code, err } = await here.run(['restore', path, '--force'])
      expect([what, code, err]).toEqual([what, 1, expect.stringContaining(said)])
      expect(err).not.toMatch(/\n\s+at /)
    }
    expect(await lookInto(here, made)).toEqual(before)
    if (existsSync(here.data)) expect(readdirSync(here.data).join()).not.toContain('restore')
  }, 60_000)

  test('a missing file, and a database of another program', async () => {
    const here = inFolder()
    const { code, err } = await here.run(['restore', join(here.data, 'none')])
    expect([code, err]).toEqual([1, expect.stringContaining('File not found')])
    const other = join(folder(), 'other.db')
    new Database(other).run('create table shelves (n)')
    const foreign = await here.run(['restore', other])
    expect([foreign.code, foreign.err]).toEqual([
      1,
      expect.stringContaining('not a Corkboard database'),
    ])
  })
})
