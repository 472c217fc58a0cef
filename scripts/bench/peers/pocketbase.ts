import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchServers, TestServer } from '../bench-servers.ts'
import { cachedFolder, freePort, type Server } from '../servers.ts'
import {
  copyPeerData,
  copyTasks,
  type KnownTask,
  type NewTask,
  type Peer,
  type StartPeer,
  send,
  serveOn,
} from './peer.ts'

const VERSION = 'v0.39.9'
const SOURCE = join(import.meta.dir, 'pocketbase.go')
const ACCOUNT = { identity: 'bench@example.com', password: 'only-for-the-bench' }

/** Builds a server with PocketBase as a library. Returns the executable. */
async function build(): Promise<string> {
  if (!Bun.which('go')) throw new Error('Go is not installed')
  const digest = createHash('sha256').update(VERSION).update(readFileSync(SOURCE)).digest('hex')
  const options = { kind: 'peer-build', digest: digest.slice(0, 12), maxEntries: 1 }
  const { folder } = await cachedFolder(options, async (folder) => {
    console.error('Building PocketBase, which takes some minutes')
    mkdirSync(folder, { recursive: true })
    copyFileSync(SOURCE, join(folder, 'main.go'))
    for (const args of [
      ['mod', 'init', 'peer'],
      ['get', `github.com/pocketbase/pocketbase@${VERSION}`],
      ['mod', 'tidy'],
      ['build', '-o', 'pocketbase', '.'],
    ]) {
      const { exitCode, stderr } = Bun.spawnSync(['go', ...args], { cwd: folder })
      const lastLine = stderr.toString().trim().split('\n').at(-1)
      if (exitCode !== 0) throw new Error(`go ${args[0]} failed: ${lastLine}`)
    }
    return {}
  })
  return join(folder, 'pocketbase')
}

async function serve(binary: string, folder: string, env?: Record<string, string>) {
  const port = await freePort()
  const command = [binary, 'serve', '--http', `127.0.0.1:${port}`, '--dir', folder]
  return serveOn(port, command, { folder, env, readyPath: '/api/health' })
}

async function signIn({ url }: Server, collection: string) {
  const path = `/api/collections/${collection}/auth-with-password`
  const answer = await send({ url, headers: {} }, { method: 'POST', path, body: ACCOUNT })
  const { token, record } = JSON.parse(answer) as { token: string; record: { id: string } }
  return { headers: { Authorization: token }, user: record.id }
}

const relation = (name: string, collectionId: string) => ({
  ...{ type: 'relation', name, collectionId, required: true, maxSelect: 1 },
})
const CREATED = { type: 'autodate', name: 'created', onCreate: true }

/** As a user of PocketBase would model a task board: relations, and an index for each list. */
const COLLECTIONS = [
  {
    ...{ id: 'boards', name: 'boards' },
    fields: [{ type: 'text', name: 'title', required: true }],
  },
  {
    ...{ id: 'tasks', name: 'tasks' },
    fields: [
      relation('board', 'boards'),
      { type: 'text', name: 'title', required: true },
      { type: 'editor', name: 'description' },
      { type: 'number', name: 'priority' },
      CREATED,
      { type: 'autodate', name: 'updated', onCreate: true, onUpdate: true },
    ],
    indexes: ['CREATE INDEX tasks_of_board ON tasks (board, created)'],
  },
  {
    ...{ id: 'comments', name: 'comments' },
    fields: [
      relation('task', 'tasks'),
      relation('author', '_pb_users_auth_'),
      { type: 'editor', name: 'text', required: true },
      CREATED,
    ],
    indexes: ['CREATE INDEX comments_of_task ON comments (task, created)'],
  },
]

async function createCollections(server: Server) {
  const admin = { url: server.url, ...(await signIn(server, '_superusers')) }
  const post = (path: string, body: object) => send(admin, { method: 'POST', path, body })
  const signedIn = "@request.auth.id != ''"
  const rules = { listRule: signedIn, viewRule: signedIn, createRule: signedIn }
  for (const collection of COLLECTIONS)
    await post('/api/collections', { type: 'base', ...rules, ...collection })
  const { identity: email, password } = ACCOUNT
  const account = { email, password, passwordConfirm: password }
  await post('/api/collections/users/records', account)
}

const time = (name: string) => `strftime('%Y-%m-%d %H:%M:%fZ', ${name} / 1000.0, 'unixepoch')`
/** Ids of PocketBase have 15 characters. */
const ID = { board: "printf('b%014d', project_id)", task: "printf('t%014d', task_id)" }
const idOf = (letter: string, id: number) => letter + String(id).padStart(14, '0')

async function fill(binary: string, folder: string, fixture: TestServer) {
  const { identity, password } = ACCOUNT
  const upsert = ['superuser', 'upsert', identity, password, '--dir', folder]
  if (Bun.spawnSync([binary, ...upsert]).exitCode !== 0)
    throw new Error('its first account was not created')
  const server = await serve(binary, folder)
  await createCollections(server).finally(() => server.stop())
  copyTasks(join(folder, 'data.db'), fixture, [
    `insert into boards (id, title) select ${ID.board}, title from cork.projects`,
    `insert into tasks (id, board, title, description, priority, created, updated)
     select ${ID.task}, ${ID.board}, title, coalesce(description, ''), priority,
       ${time('created_at')}, ${time('updated_at')} from cork.tasks order by task_id`,
  ])
}

async function start(
  bench: BenchServers,
  fixture: TestServer,
  env: Record<string, string>,
): Promise<Peer> {
  const binary = await build()
  const folder = await copyPeerData(bench, fixture, 'pocketbase', (folder) =>
    fill(binary, folder, fixture),
  )
  const server = await serve(binary, folder, env)
  const { headers, user: author } = await signIn(server, 'users')
  return { ...server, headers, ...requestsOf(idOf('b', fixture.boards[0]!.project_id), author) }
}

function requestsOf(board: string, author: string) {
  const [tasks, comments] = ['tasks', 'comments'].map((name) => `/api/collections/${name}/records`)
  const list = (filter = '') => {
    const query = new URLSearchParams({ filter: `board = '${board}'${filter}`, sort: '-created' })
    return { method: 'GET', path: `${tasks}?perPage=50&skipTotal=1&${query}` }
  }
  return {
    list: () => list(),
    get: ({ task_id }: KnownTask) => ({ method: 'GET', path: `${tasks}/${idOf('t', task_id)}` }),
    create: (task: NewTask) => ({ method: 'POST', path: tasks!, body: { board, ...task } }),
    comment: ({ task_id }: KnownTask, text: string) => ({
      ...{ method: 'POST', path: comments!, body: { task: idOf('t', task_id), author, text } },
    }),
    search: (words: readonly string[]) =>
      list(words.map((word) => ` && (title ~ '${word}' || description ~ '${word}')`).join('')),
  }
}

export const pocketbase: StartPeer = (bench, fixture) => start(bench, fixture, {})
export const durablePocketbase: StartPeer = (bench, fixture) =>
  start(bench, fixture, { PEER_SYNCHRONOUS: 'FULL' })
