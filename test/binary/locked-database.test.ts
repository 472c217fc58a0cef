import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client } from 'pg'
import { parseJson } from '../support/json.ts'
import { rpc } from './board-server.ts'
import { cleanUp, cork, createFolder } from './cork.ts'
import { createInstallation, type Installation } from './installation.ts'
import { createBoard } from './writers.ts'

afterAll(cleanUp)

/** Locks the tasks against writes from outside the server's process. */
async function lockTasks({ data, env }: Installation): Promise<() => Promise<void>> {
  if (env.DATABASE_URL) {
    const client = new Client(env.DATABASE_URL)
    await client.connect()
    await client.query('begin; lock table tasks in exclusive mode')
    return () => client.end()
  }
  const database = new Database(join(data, 'corkboard.db'))
  // The server may be writing at this moment, so this connection waits for it.
  database.run('PRAGMA busy_timeout=20000')
  database.run('begin immediate')
  return async () => database.close()
}

test('a write to a locked database is refused over REST, MCP and CLI, and reads go on', async () => {
  const installation = await createInstallation()
  const { api_key, team_id, mcp_token } = await installation.init()
  const server = await installation.serve()
  const project_id = await createBoard(server.url, api_key, team_id)
  const send = async (path: string, body: unknown, secret = api_key) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    })
    const { status, headers } = response
    return { status, headers, body: parseJson(await response.text()) }
  }
  const task = { project_id, title: 'Busy' }
  const call = { name: 'svc_tasks', arguments: { action: 'create', input: task } }
  const unlock = await lockTasks(installation)
  const startedAt = performance.now()
  const writes = Promise.all([
    send('/api/v1/tasks', task),
    send('/mcp', rpc('tools/call', call), mcp_token),
    cork(['tasks', 'create', `${project_id}`, 'Busy'], {
      env: { CORK_URL: server.url, CORK_TOKEN: api_key },
    }),
  ])
  let longest = 0
  for (let reads = 0; reads < 100; reads++) {
    const readStartedAt = performance.now()
    const read = await fetch(`${server.url}/api/v1/tasks?project_id=${project_id}`, {
      headers: { authorization: `Bearer ${api_key}` },
    })
    expect(read.status).toBe(200)
    longest = Math.max(longest, performance.now() - readStartedAt)
    await Bun.sleep(20)
  }
  expect(longest).toBeLessThan(3000)
  const [rest, mcp, cli] = await writes
  expect(performance.now() - startedAt).toBeGreaterThan(4000)
  expect(rest.status).toBe(503)
  expect(rest.headers.get('retry-after')).toBe('2')
  expect(rest.body).toMatchObject({ success: false, error: 'Not available now' })
  expect(rest.body.message).toMatch(/^The database cannot be written now: .* Nothing was changed$/)
  expect(mcp.body.result.isError).toBe(true)
  expect(mcp.body.result.content[0].text).toContain('The database cannot be written now')
  expect([cli.code, cli.err]).toEqual([1, expect.stringContaining('cannot be written now')])
  await unlock()
  expect((await send('/api/v1/tasks', task)).status).toBe(201)
  expect(await server.end()).toBe(0)
})

test('with a locked database user add is refused on SQLite, and backup still works', async () => {
  const installation = await createInstallation()
  await installation.init()
  const unlock = await lockTasks(installation)
  const flags = ['--email', 'ben@example.com', '--name', 'Ben', '--team', '1', '--role', 'member']
  if (!installation.env.DATABASE_URL) {
    const { code, err } = await installation.run(['user', 'add', ...flags])
    expect(code).toBe(1)
    expect(err).toContain('Nothing was changed: another program keeps the database locked. Find it')
  }
  const { code, err } = await installation.run(['backup', join(createFolder(), 'b.backup')])
  expect([code, err]).toEqual([0, expect.any(String)])
  await unlock()
  expect((await installation.run(['user', 'add', ...flags])).code).toBe(0)
})
