import { afterAll, expect, test } from 'bun:test'
import { Fault } from '../../src/kernel/fault.ts'
import { Random } from '../crash/random.ts'
import {
  contradictions,
  missingPieces,
  type PageClient,
  WriteHistory,
  writePieces,
} from '../pages/concurrent-writers.ts'
import { onPostgres } from '../support/postgres.ts'
import { seed } from '../support/scale.ts'
import { cleanUp, initDataFolder, sendRequest, startServer } from './cork.ts'
import { agentOf } from './rest-callers.ts'
import { createBoard } from './writers.ts'

afterAll(cleanUp)

const WRITERS = 32
const PIECES = 4
const INITIAL_TEXT = '# Begun'

type ApiCall = (method: string, path: string, body?: unknown) => ReturnType<typeof sendRequest>

/** The page over HTTP; requests go to the servers in turn. */
function createClient(call: ApiCall, page_id: number): PageClient {
  const path = `/api/v1/pages/${page_id}`
  return {
    async write(change) {
      const { status, body } = await call('PATCH', path, change)
      if (status === 409) throw new Fault('conflict', body.message, body.details)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return body.data.version
    },
    async read(version) {
      const { body } = await call('GET', version ? `${path}?version=${version}` : path)
      return { version: body.data.version, content: body.data.content }
    },
  }
}

async function readVersions(call: ApiCall, page_id: number) {
  const rows: { version: number; author: { name: string } }[] = []
  for (let path = `/api/v1/pages/${page_id}/versions?limit=50`, cursor = ''; ; ) {
    const { body } = await call('GET', cursor ? `${path}&cursor=${cursor}` : path)
    rows.push(...body.data)
    if (!body.page.has_more) break
    cursor = body.page.next_cursor
  }
  const client = createClient(call, page_id)
  const versions = []
  for (const { version, author } of rows.toReversed())
    versions.push({ ...(await client.read(version)), version, author: author.name })
  return versions
}

test('32 agents writing one page at once lose no text and leave a linear history with authors', async () => {
  const owner = await initDataFolder()
  const { team_id, api_key, data } = owner
  const serverCount = onPostgres ? 3 : 1
  const servers = await Promise.all(Array.from({ length: serverCount }, () => startServer(data)))
  let requestCount = 0
  const callAs =
    (secret: string): ApiCall =>
    (method, path, body) =>
      sendRequest(servers[requestCount++ % serverCount]!.url, secret, method, path, body)
  const ada = callAs(api_key)
  const project_id = await createBoard(servers[0]!.url, api_key, team_id)
  const { body: task } = await ada('POST', '/api/v1/tasks', { project_id, title: 'Home' })
  const pages = `/api/v1/tasks/${task.data.task_id}/pages`
  const { page_id } = (await ada('POST', pages, { content: INITIAL_TEXT })).body.data
  const history = new WriteHistory()
  const random = new Random(seed)
  const names = Array.from({ length: WRITERS }, (_, index) => `Agent ${index}`)
  const secrets = await Promise.all(names.map((name) => agentOf(servers[0]!.url, owner, name)))
  const strategies = ['replace', 'append', 'prepend'] as const
  const writers = names.map((name, index) => {
    const client = createClient(callAs(secrets[index]!), page_id)
    return writePieces(name, client, history, random, { pieces: PIECES, strategies })
  })
  await Promise.all(writers)
  const versions = await readVersions(ada, page_id)
  const summary = `seed ${seed}: ${history.writes.length} writes by ${WRITERS} at ${serverCount} servers, ${history.conflicts} came too late`
  console.log(`pages: ${summary}`)
  expect(contradictions(history, versions, INITIAL_TEXT).slice(0, 5)).toEqual([])
  expect(missingPieces(history, versions.at(-1)!.content)).toEqual([])
  expect(history.writes).toHaveLength(WRITERS * PIECES)
  expect(history.conflicts).toBeGreaterThan(0)
  for (const server of servers) expect(await server.end()).toBe(0)
})
