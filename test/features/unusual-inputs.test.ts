import { expect, test } from 'bun:test'
import { type World, world } from '../support/world.ts'

const statusOf = async (w: World, path: string) => (await w.http(w.ada, 'GET', path)).status

test('an id too large for the database is refused with 400 to 404', async () => {
  const w = await world()
  for (const id of [2 ** 31, 2 ** 53, 1e15, '99999999999999999999'])
    for (const noun of ['tasks', 'projects', 'teams']) {
      const path = `/api/v1/${noun}/${id}`
      expect([path, await statusOf(w, path)]).toEqual([path, expect.any(Number)])
      expect(await statusOf(w, path)).toBeWithin(400, 405)
    }
})

test('a modified cursor is refused with 400 or read as another position, and never fails', async () => {
  const w = await world()
  const { project_id } = w.board
  for (const sort of ['title', 'createdAt', 'dueDate', 'priority']) {
    const list = `/api/v1/tasks?project_id=${project_id}&limit=1&sort=${sort}`
    const { body } = await w.http(w.ada, 'GET', list)
    const [digest, value, id, offset] = JSON.parse(
      Buffer.from(body.page.next_cursor, 'base64url').toString(),
    )
    const statusForCursor = (parts: unknown[]) =>
      statusOf(w, `${list}&cursor=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`)
    expect(await statusForCursor([digest, value, id, offset])).toBe(200)
    for (const [cursorValue, cursorId, cursorOffset] of [
      [value, 2 ** 40, offset],
      [value, id, 2 ** 53],
      [value, 0.5, offset],
      ['x', id, offset],
      ['tnever', id, offset],
      ['s\0', id, offset],
      [2 ** 40, id, offset],
      [0.5, id, offset],
    ]) {
      const status = await statusForCursor([digest, cursorValue, cursorId, cursorOffset])
      expect([sort, cursorValue, cursorId, cursorOffset, status]).toEqual([
        sort,
        cursorValue,
        cursorId,
        cursorOffset,
        expect.any(Number),
      ])
      // In a list sorted by title, any string is a valid position.
      expect([200, 400]).toContain(status)
      if (typeof cursorValue !== 'string' || sort !== 'title') expect(status).toBe(400)
    }
  }
})

const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  origin: 'http://localhost',
  'sec-fetch-site': 'same-origin',
}

test('a NUL character in a form, query, path or MCP metadata never causes a server error', async () => {
  const w = await world()
  const form = (path: string, fields: Record<string, string>) =>
    w.http(undefined, 'POST', path, new URLSearchParams(fields).toString(), FORM)
  const { project_id } = w.board
  const requests = [
    form('/sign-in', { email: 'a\0b@example.com', password: 'x'.repeat(12) }),
    form('/invitations/a%00b', { name: 'a\0b', password: 'x'.repeat(12) }),
    form('/setup', { token: 'a\0b', name: 'a', email: 'a\0b', team: 'a', password: 'b' }),
    w.http(w.ada, 'GET', '/api/v1/tasks?query=a%00b'),
    w.http(w.ada, 'GET', '/api/v1/tasks/a%00b'),
    w.http(
      w.ada,
      'POST',
      '/mcp',
      {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: {
          name: 'svc_tasks',
          arguments: { action: 'create', input: { project_id, title: 'x' } },
          _meta: { 'corkboard/idempotency-key': 'a\0b' },
        },
      },
      { accept: 'application/json, text/event-stream' },
    ),
  ]
  for (const request of requests) {
    const { status, text } = await request
    expect([status < 500, text.includes('Internal error')]).toEqual([true, false])
  }
})

test('a task search ignores case and accents, without wildcards or matches inside words', async () => {
  const w = await world()
  const { project_id } = w.board
  await w.ada['tasks.create']({ project_id, title: '100% Ärger_mit ÖL und ДЫМ' })
  const countMatches = async (query: string) => (await w.ada['tasks.list']({ query })).items.length
  for (const query of ['ARGER', 'ärger', 'ol', '100%', 'дым', 'ärger_mit öl'])
    expect([query, await countMatches(query)]).toEqual([query, 1])
  for (const query of ['rger_mit', '1% ', 'x'])
    expect([query, await countMatches(query)]).toEqual([query, 0])
})

test('a fraction, exponent or hex number for an integer in a URL is refused with its field', async () => {
  const w = await world()
  const days = 'from=2026-11-01&to=2026-11-30'
  for (const [path, field] of [
    ['projects/1.5', 'project_id'],
    ['tasks?projectId=1.5', 'projectId'],
    ['tasks?limit=2.5', 'limit'],
    ['tasks?limit=1e1', 'limit'],
    ['tasks?limit=0x10', 'limit'],
    ['tasks?offset=0.5', 'offset'],
    [`calendar?${days}&project_ids=1.7`, 'project_ids.0'],
    [`calendar?${days}&project_ids=1,1.7`, 'project_ids.1'],
    [`calendar?${days}&project_ids=1&project_ids=1.7`, 'project_ids.1'],
  ] as const) {
    const { status, body } = await w.http(w.ada, 'GET', `/api/v1/${path}`)
    expect([path, status, body.details?.field]).toEqual([path, 400, field])
  }
  for (const path of ['tasks?limit=2', 'tasks?limit=2.0', `calendar?${days}&project_ids=1,1`])
    expect([path, await statusOf(w, `/api/v1/${path}`)]).toEqual([path, 200])
})
