import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { onPostgres } from '../server.ts'
import { ask, folder, type Serving, serving, sweep } from './cork.ts'
import { type Ground, ground, inFolder } from './ground.ts'
import { boardIn } from './writers.ts'

afterAll(sweep)

const QUESTION = 'mooring rope'

/** The credentials and folder of a stopped server with one searchable page. */
async function kept(place: Ground = inFolder()) {
  const made = await place.init()
  const server = await place.serve()
  const project_id = await boardIn(server.url, made.api_key, made.team_id)
  const call = (path: string, body: object) => ask(server.url, made.api_key, 'POST', path, body)
  const { body } = await call('/api/v1/tasks', { project_id, title: 'Boats' })
  const { task_id } = body.data
  const content = '# Mooring\n\nThe mooring rope wears out after two winters.'
  const page = await call(`/api/v1/tasks/${task_id}/pages`, { content })
  expect(await eventually(server, made.api_key)).toContain('two winters')
  expect(await server.end()).toBe(0)
  return { ...made, ...place, task_id, page_id: page.body.data.page_id }
}

const seek = (url: string, secret: string, query = QUESTION) =>
  ask(url, secret, 'GET', `/api/v1/search/semantic?query=${encodeURIComponent(query)}`)

/** The first result, retried for a while because the index needs a moment after a start. */
async function eventually({ url }: Serving, secret: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { status, body } = await seek(url, secret)
    if (status === 200 && body.data.length) return body.data[0].text
    await Bun.sleep(25)
  }
  return 'nothing'
}

const index = (data: string) => join(data, 'search.db')
const drop = (data: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(index(data) + end, { force: true })
}
const altered = (sql: string) => (data: string) => {
  const database = new Database(index(data))
  database.run(sql)
  database.close()
}

const HARMS: [string, (data: string) => void, RegExp | undefined][] = [
  ['missing', drop, undefined],
  [
    'empty',
    (data) => {
      drop(data)
      writeFileSync(index(data), '')
    },
    undefined,
  ],
  [
    'not a database',
    (data) => {
      drop(data)
      writeFileSync(index(data), 'This is no index. '.repeat(1000))
    },
    /search index is damaged and is rebuilt/,
  ],
  [
    'truncated',
    (data) => {
      altered('pragma wal_checkpoint(truncate)')(data)
      truncateSync(index(data), statSync(index(data)).size >> 1)
    },
    /search index is damaged and is rebuilt/,
  ],
  [
    'overwritten in the middle',
    (data) => {
      altered('pragma wal_checkpoint(truncate)')(data)
      const bytes = readFileSync(index(data))
      bytes.fill(0xa5, 4096)
      writeFileSync(index(data), bytes)
    },
    /search index is damaged and is rebuilt/,
  ],
  [
    'without one of its tables',
    altered('drop table passages'),
    /search index is damaged and is rebuilt/,
  ],
  ['without its position in the change log', altered('delete from place'), undefined],
  ['of another version', altered('pragma user_version = 99'), undefined],
  [
    'of another database',
    altered("update place set mark = 'of another'"),
    /another database|is rebuilt/,
  ],
  ['damaged in a segment', altered("update segments set shelf = x'00ff'"), undefined],
]

// The index is in the data folder on both engines, so one run is enough.
describe.skipIf(onPostgres)('a search index that is', () => {
  for (const [what, harm, said] of HARMS)
    test(`${what} is rebuilt automatically, and old and new texts are found`, async () => {
      const house = await kept()
      harm(house.data)
      const server = await serving(house.data, { env: { ...house.env, CORK_LOG_LEVEL: 'info' } })
      expect(await eventually(server, house.api_key)).toContain('two winters')
      const note = await ask(
        server.url,
        house.api_key,
        'POST',
        `/api/v1/tasks/${house.task_id}/comments`,
        {
          text: 'Coiled hawsers dry faster',
        },
      )
      expect(note.status).toBe(201)
      for (let tries = 0; ; tries++) {
        const { body } = await seek(server.url, house.api_key, 'coiled hawsers')
        if (body.data?.[0]?.text.includes('hawsers')) break
        expect(tries).toBeLessThan(100)
        await Bun.sleep(25)
      }
      expect(await server.end()).toBe(0)
      const log = server.out() + (await server.err())
      if (said) expect(log).toMatch(said)
      expect(log).not.toContain('two winters')
    })

  test('a folder is replaced by an index in memory, which is logged', async () => {
    const house = await kept()
    // Root may write anywhere, so a folder takes the place of the file.
    drop(house.data)
    mkdirSync(index(house.data))
    const server = await house.serve()
    expect(await eventually(server, house.api_key)).toContain('two winters')
    expect(await server.end()).toBe(0)
    expect(server.out() + (await server.err())).toContain('kept in memory only')
  })

  test.skipIf(process.getuid?.() !== 0)(
    'read-only is replaced by an index in memory, which is logged',
    async () => {
      const house = await kept()
      const NOBODY = 65534
      for (const name of ['', ...readdirSync(house.data, { recursive: true }).map(String)])
        chownSync(join(house.data, name), NOBODY, NOBODY)
      for (const name of readdirSync(house.data).filter((one) => one.startsWith('search.db'))) {
        chownSync(join(house.data, name), 0, 0)
        chmodSync(join(house.data, name), 0o444)
      }
      const under = ['setpriv', '--reuid', String(NOBODY), '--clear-groups']
      const server = await serving(house.data, { env: house.env, under })
      expect(await eventually(server, house.api_key)).toContain('two winters')
      expect(await server.end()).toBe(0)
      expect(server.out() + (await server.err())).toContain('kept in memory only')
    },
  )
})

test('an index damaged while the server runs is rebuilt without a restart', async () => {
  const house = await kept()
  const server = await serving(house.data, { env: { ...house.env, CORK_LOG_LEVEL: 'info' } })
  expect(await eventually(server, house.api_key)).toContain('two winters')
  altered('drop table sources')(house.data)
  expect(await eventually(server, house.api_key)).toContain('two winters')
  expect(await server.end()).toBe(0)
  expect(server.out() + (await server.err())).toContain('damaged and is rebuilt')
})

test('a backup contains no index, and its pages are found and read after a restore', async () => {
  const house = await kept(await ground())
  const server = await house.serve()
  const path = `/api/v1/pages/${house.page_id}`
  const change = { content: 'Every boat has two of them.', mode: 'append', note: 'Counted' }
  await ask(server.url, house.api_key, 'PATCH', path, change)
  expect(await server.end()).toBe(0)
  const file = join(folder(), 'b.backup')
  await house.json(['backup', file])
  const there = await ground()
  await there.json(['restore', file])
  expect(existsSync(index(there.data))).toBe(false)
  const next = await there.serve()
  expect(await eventually(next, house.api_key)).toContain('two winters')
  const read = async (what: string) => (await ask(next.url, house.api_key, 'GET', path + what)).body
  expect((await read('')).data).toMatchObject({ version: 2, title: 'Mooring' })
  expect((await read('?version=1')).data.content).toEndWith('two winters.')
  expect((await read('/versions')).data).toMatchObject([
    { version: 2, note: 'Counted', author: { name: 'Ada' } },
    { version: 1, note: null },
  ])
  expect(await next.end()).toBe(0)
})

test.skipIf(onPostgres)(
  'after a restore into a running server, search finds only restored and new texts',
  async () => {
    const house = await kept()
    const server = await house.serve()
    const write = (content: string) =>
      ask(server.url, house.api_key, 'POST', `/api/v1/tasks/${house.task_id}/pages`, { content })
    const file = join(folder(), 'b.backup')
    await house.json(['backup', file])
    await write('A hawser is thicker than a line.')
    const found = async (query: string, text: string) => {
      for (let tries = 0; tries < 100; tries++) {
        const { body } = await seek(server.url, house.api_key, query)
        if (body.data?.[0]?.text.includes(text)) return true
        await Bun.sleep(50)
      }
      return false
    }
    expect(await found('hawser', 'hawser')).toBe(true)
    await house.json(['restore', file])
    // The same number of changes as before makes a log of the same length with other content.
    await write('A bollard stands on the quay.')
    expect(await found('bollard', 'bollard')).toBe(true)
    expect(await found(QUESTION, 'two winters')).toBe(true)
    const { body } = await seek(server.url, house.api_key, 'hawser')
    expect(body.data.filter(({ text }: { text: string }) => text.includes('hawser'))).toEqual([])
    expect(await server.end()).toBe(0)
    const database = new Database(index(house.data), { readonly: true })
    expect(database.query("select text from passages where text like '%hawser%'").all()).toEqual([])
    database.close()
  },
)
