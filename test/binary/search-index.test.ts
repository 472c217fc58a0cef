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
import { onPostgres } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'
import { cleanUp, createFolder, type RunningServer, sendRequest, startServer } from './cork.ts'
import { createInstallation, createSqliteInstallation, type Installation } from './installation.ts'
import { createBoard } from './writers.ts'

afterAll(cleanUp)

const QUESTION = 'mooring rope'

/** The credentials and folder of a stopped server with one searchable page. */
async function createIndexedPage(installation: Installation = createSqliteInstallation()) {
  const credentials = await installation.init()
  const server = await installation.serve()
  const project_id = await createBoard(server.url, credentials.api_key, credentials.team_id)
  const call = (path: string, body: object) =>
    sendRequest(server.url, credentials.api_key, 'POST', path, body)
  const { body } = await call('/api/v1/tasks', { project_id, title: 'Boats' })
  const { task_id } = body.data
  const content = '# Mooring\n\nThe mooring rope wears out after two winters.'
  const page = await call(`/api/v1/tasks/${task_id}/pages`, { content })
  expect(await waitForResult(server, credentials.api_key)).toContain('two winters')
  expect(await server.end()).toBe(0)
  return { ...credentials, ...installation, task_id, page_id: page.body.data.page_id }
}

const search = (url: string, secret: string, query = QUESTION) =>
  sendRequest(url, secret, 'GET', `/api/v1/search/semantic?query=${encodeURIComponent(query)}`)

/** The first result, retried for a while because the index needs a moment after a start. */
const waitForResult = ({ url }: RunningServer, secret: string): Promise<string> =>
  waitUntil(async () => {
    const { status, body } = await search(url, secret)
    return status === 200 && body.data[0]?.text
  })

const indexPath = (data: string) => join(data, 'search.db')
const deleteIndex = (data: string) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(indexPath(data) + suffix, { force: true })
}
const runSql = (sql: string) => (data: string) => {
  const database = new Database(indexPath(data))
  database.run(sql)
  database.close()
}

const DAMAGES: [string, (data: string) => void, RegExp | undefined][] = [
  ['missing', deleteIndex, undefined],
  [
    'empty',
    (data) => {
      deleteIndex(data)
      writeFileSync(indexPath(data), '')
    },
    undefined,
  ],
  [
    'not a database',
    (data) => {
      deleteIndex(data)
      writeFileSync(indexPath(data), 'This is no index. '.repeat(1000))
    },
    /search index is damaged and is rebuilt/,
  ],
  [
    'truncated',
    (data) => {
      runSql('pragma wal_checkpoint(truncate)')(data)
      truncateSync(indexPath(data), statSync(indexPath(data)).size >> 1)
    },
    /search index is damaged and is rebuilt/,
  ],
  [
    'overwritten in the middle',
    (data) => {
      runSql('pragma wal_checkpoint(truncate)')(data)
      const bytes = readFileSync(indexPath(data))
      bytes.fill(0xa5, 4096)
      writeFileSync(indexPath(data), bytes)
    },
    /search index is damaged and is rebuilt/,
  ],
  [
    'without one of its tables',
    runSql('drop table passages'),
    /search index is damaged and is rebuilt/,
  ],
  ['without its position in the change log', runSql('delete from place'), undefined],
  ['of another version', runSql('pragma user_version = 99'), undefined],
  [
    'of another database',
    runSql("update place set mark = 'of another'"),
    /another database|is rebuilt/,
  ],
  ['damaged in a segment', runSql("update segments set shelf = x'00ff'"), undefined],
]

// The index is in the data folder on both engines, so one run is enough.
describe.skipIf(onPostgres)('a search index that is', () => {
  for (const [damage, applyDamage, logged] of DAMAGES)
    test(`${damage} is rebuilt automatically, and old and new texts are found`, async () => {
      const setup = await createIndexedPage()
      applyDamage(setup.data)
      const server = await startServer(setup.data, {
        env: { ...setup.env, CORK_LOG_LEVEL: 'info' },
      })
      expect(await waitForResult(server, setup.api_key)).toContain('two winters')
      const comment = await sendRequest(
        server.url,
        setup.api_key,
        'POST',
        `/api/v1/tasks/${setup.task_id}/comments`,
        {
          text: 'Coiled hawsers dry faster',
        },
      )
      expect(comment.status).toBe(201)
      for (let tries = 0; ; tries++) {
        const { body } = await search(server.url, setup.api_key, 'coiled hawsers')
        if (body.data?.[0]?.text.includes('hawsers')) break
        expect(tries).toBeLessThan(100)
        await Bun.sleep(25)
      }
      expect(await server.end()).toBe(0)
      const log = server.out() + (await server.err())
      if (logged) expect(log).toMatch(logged)
      expect(log).not.toContain('two winters')
    })

  test('a folder is replaced by an index in memory, which is logged', async () => {
    const setup = await createIndexedPage()
    // Root may write anywhere, so a folder takes the place of the file.
    deleteIndex(setup.data)
    mkdirSync(indexPath(setup.data))
    const server = await setup.serve()
    expect(await waitForResult(server, setup.api_key)).toContain('two winters')
    expect(await server.end()).toBe(0)
    expect(server.out() + (await server.err())).toContain('kept in memory only')
  })

  test.skipIf(process.getuid?.() !== 0)(
    'read-only is replaced by an index in memory, which is logged',
    async () => {
      const setup = await createIndexedPage()
      const NOBODY = 65534
      for (const name of ['', ...readdirSync(setup.data, { recursive: true }).map(String)])
        chownSync(join(setup.data, name), NOBODY, NOBODY)
      for (const name of readdirSync(setup.data).filter((one) => one.startsWith('search.db'))) {
        chownSync(join(setup.data, name), 0, 0)
        chmodSync(join(setup.data, name), 0o444)
      }
      const launcher = ['setpriv', '--reuid', String(NOBODY), '--clear-groups']
      const server = await startServer(setup.data, { env: setup.env, launcher })
      expect(await waitForResult(server, setup.api_key)).toContain('two winters')
      expect(await server.end()).toBe(0)
      expect(server.out() + (await server.err())).toContain('kept in memory only')
    },
  )
})

test('an index damaged while the server runs is rebuilt without a restart', async () => {
  const setup = await createIndexedPage()
  const server = await startServer(setup.data, { env: { ...setup.env, CORK_LOG_LEVEL: 'info' } })
  expect(await waitForResult(server, setup.api_key)).toContain('two winters')
  runSql('drop table sources')(setup.data)
  expect(await waitForResult(server, setup.api_key)).toContain('two winters')
  expect(await server.end()).toBe(0)
  expect(server.out() + (await server.err())).toContain('damaged and is rebuilt')
})

test('a backup contains no index, and its pages are found and read after a restore', async () => {
  const setup = await createIndexedPage(await createInstallation())
  const server = await setup.serve()
  const path = `/api/v1/pages/${setup.page_id}`
  const change = { content: 'Every boat has two of them.', mode: 'append', note: 'Counted' }
  await sendRequest(server.url, setup.api_key, 'PATCH', path, change)
  expect(await server.end()).toBe(0)
  const file = join(createFolder(), 'b.backup')
  await setup.runJson(['backup', file])
  const target = await createInstallation()
  await target.runJson(['restore', file])
  expect(existsSync(indexPath(target.data))).toBe(false)
  const restarted = await target.serve()
  expect(await waitForResult(restarted, setup.api_key)).toContain('two winters')
  const read = async (name: string) =>
    (await sendRequest(restarted.url, setup.api_key, 'GET', path + name)).body
  expect((await read('')).data).toMatchObject({ version: 2, title: 'Mooring' })
  expect((await read('?version=1')).data.content).toEndWith('two winters.')
  expect((await read('/versions')).data).toMatchObject([
    { version: 2, note: 'Counted', author: { name: 'Ada' } },
    { version: 1, note: null },
  ])
  expect(await restarted.end()).toBe(0)
})

test.skipIf(onPostgres)(
  'after a restore into a running server, search finds only restored and new texts',
  async () => {
    const setup = await createIndexedPage()
    const server = await setup.serve()
    const write = (content: string) =>
      sendRequest(server.url, setup.api_key, 'POST', `/api/v1/tasks/${setup.task_id}/pages`, {
        content,
      })
    const file = join(createFolder(), 'b.backup')
    await setup.runJson(['backup', file])
    await write('A hawser is thicker than a line.')
    const isFound = async (query: string, text: string) => {
      for (let tries = 0; tries < 100; tries++) {
        const { body } = await search(server.url, setup.api_key, query)
        if (body.data?.[0]?.text.includes(text)) return true
        await Bun.sleep(50)
      }
      return false
    }
    expect(await isFound('hawser', 'hawser')).toBe(true)
    await setup.runJson(['restore', file])
    // The same number of changes as before makes a log of the same length with other content.
    await write('A bollard stands on the quay.')
    expect(await isFound('bollard', 'bollard')).toBe(true)
    expect(await isFound(QUESTION, 'two winters')).toBe(true)
    const { body } = await search(server.url, setup.api_key, 'hawser')
    expect(body.data.filter(({ text }: { text: string }) => text.includes('hawser'))).toEqual([])
    expect(await server.end()).toBe(0)
    const database = new Database(indexPath(setup.data), { readonly: true })
    expect(database.query("select text from passages where text like '%hawser%'").all()).toEqual([])
    database.close()
  },
)
