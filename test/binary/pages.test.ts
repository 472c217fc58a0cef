import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { waitUntil } from '../support/wait.ts'
import { type ConnectedClient, connectClient } from './agent-client.ts'
import { type BoardServer, startBoardServer } from './board-server.ts'
import { cleanUp } from './cork.ts'

/** Every route and action of pages, called on the built executable. */

let server: BoardServer
beforeAll(async () => {
  server = await startBoardServer()
})
afterAll(async () => {
  await server?.close()
  cleanUp()
})

const TEXT = '# Paint\n\nTwo coats, *outside* first.'

async function createPage(body: object = {}, taskKey?: string) {
  const ticket = taskKey ?? (await server.createTask({ title: 'Fence' })).ticket_number
  const fields = { title: 'Log', content: TEXT, ...body }
  const response = await server.http('POST', `/api/v1/tasks/${ticket}/pages`, { body: fields })
  expect(response.status).toBe(201)
  return { ...response.body.data, path: `/api/v1/pages/${response.body.data.page_id}` }
}

describe('over REST', () => {
  const callOk = async (method: string, path: string, body?: unknown) => {
    const response = await server.http(method, path, { body })
    expect([method, path, response.status]).toEqual([method, path, 200])
    return response.body.data
  }

  test('a page is created, read, updated, compared, restored and archived', async () => {
    const { path, page_id, public_id, ticket_number, task_id } = await createPage()
    expect(await callOk('GET', path)).toMatchObject({ content: TEXT, version: 1, kind: 'page' })
    expect((await callOk('GET', `/api/v1/pages/${public_id}?format=html`)).content).toContain(
      '<em>outside</em>',
    )
    const patch = (body: object) => callOk('PATCH', path, body)
    await patch({ mode: 'append', content: '- green' })
    await patch({ mode: 'prepend', content: 'Wet!', note: 'It rains' })
    expect((await callOk('GET', path)).content).toBe(`Wet!\n\n${TEXT}\n\n- green`)
    await patch({ content: 'Dry.\n', if_version: 3, title: 'Diary' })
    for (const list of [
      `/api/v1/tasks/${ticket_number}/pages`,
      `/api/v1/tasks/${task_id}/pages`,
      `/api/v1/pages?task_id=${task_id}`,
    ])
      expect(await callOk('GET', list)).toMatchObject([{ page_id, title: 'Diary', version: 4 }])
    const board = await callOk('GET', `/api/v1/pages?project_id=${server.project_id}&limit=50`)
    expect(board.map((one: { page_id: number }) => one.page_id)).toContain(page_id)
    const versions = await callOk('GET', `${path}/versions`)
    expect(versions).toMatchObject([
      { version: 4, current: true },
      { version: 3, note: 'It rains', author: { name: 'Ada' } },
      { version: 2 },
      { version: 1, title: 'Log' },
    ])
    expect(await callOk('GET', `/api/mcp/pages/versions?page_id=${page_id}`)).toEqual(versions)
    const first = versions.at(-1).version_id
    expect((await callOk('GET', `${path}/versions/${first}`)).content).toBe(TEXT)
    const diff = await callOk('GET', `${path}/diff?from=1&to=4`)
    expect(diff).toMatchObject({
      from: { version: 1 },
      to: { version: 4, author: { name: 'Ada' } },
    })
    expect(diff.diff).toContain('+Dry.')
    expect(diff.hunks).toHaveLength(1)
    expect(await callOk('POST', `${path}/restore`, { version_id: first })).toMatchObject({
      version: 5,
    })
    const second = versions.at(-2).version_id
    await callOk('POST', '/api/mcp/pages/restore', { page_id, version_id: second })
    expect((await callOk('GET', path)).content).toBe(`${TEXT}\n\n- green`)
    expect(await callOk('DELETE', path)).toMatchObject({ page_id, archived: 1 })
    expect(await callOk('GET', `/api/v1/tasks/${ticket_number}/pages`)).toEqual([])
    const archived = await server.http('PATCH', path, { body: { content: 'x' } })
    expect([archived.status, archived.body.message]).toEqual([409, `Page ${page_id} is archived`])
    await callOk('POST', `${path}/restore`, { version_id: first })
    expect((await callOk('GET', path)).archived_at).toBeNull()
  })

  test('an update with a wrong version gets 409 with the current text and changes nothing', async () => {
    const { path } = await createPage()
    await callOk('PATCH', path, { content: 'Two', if_version: 1 })
    for (const if_version of [0, 1, 3, 99]) {
      const conflict = await server.http('PATCH', path, { body: { content: 'Mine', if_version } })
      expect(conflict.status).toBe(409)
      expect(conflict.body).toMatchObject({
        ...{ success: false, error: 'Conflict', hint: expect.stringContaining('Merge') },
        details: { field: 'if_version', value: if_version, version: 2, current: 'Two' },
      })
    }
    expect(await callOk('GET', path)).toMatchObject({ content: 'Two', version: 2 })
  })

  test('a page is found by its words until it is archived', async () => {
    const { page_id, path } = await createPage({
      content: 'The lighthouse keeper paints lanterns.',
    })
    const search = '/api/v1/pages/search?query=painting%20a%20lantern'
    const found = await waitUntil(async () => {
      const rows: { page_id: number; snippet: string }[] = await callOk('GET', search)
      return rows.find((one) => one.page_id === page_id)
    })
    expect(found.snippet).toContain('**')
    await callOk('DELETE', path)
    const remaining: { page_id: number }[] = await callOk('GET', search)
    expect(remaining.map((one) => one.page_id)).not.toContain(page_id)
  })

  test('a canvas is served in a sandbox, and only with an API key or a session', async () => {
    const content = '<!doctype html><script>let x = 1</script><p>Drawn</p>'
    const { path } = await createPage({ canvas: true, content })
    expect((await callOk('GET', path)).content).toBe('Drawn\n')
    expect((await callOk('GET', `${path}/source`)).html).toBe(content)
    const cookie = await server.signIn()
    for (const options of [{}, { secret: null, headers: { cookie } }]) {
      const { status, headers, text } = await server.http('GET', `${path}/canvas`, options)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toStartWith('sandbox allow-scripts; default')
      expect(text).toContain('srcdoc="&lt;!doctype html&gt;')
    }
    expect((await server.http('GET', `${path}/canvas`, { secret: null })).status).toBe(401)
  })

  test('a page nests only under a page of its own task, never under itself or a descendant', async () => {
    const outer = await createPage()
    const inner = await createPage({ parent_page_id: outer.page_id }, outer.ticket_number)
    const otherTask = await createPage()
    for (const [path, parent_page_id] of [
      [outer.path, outer.page_id],
      [outer.path, inner.page_id],
      [otherTask.path, outer.page_id],
      [otherTask.path, 999_999],
    ]) {
      const { status, body } = await server.http('PATCH', path, { body: { parent_page_id } })
      expect([path, parent_page_id, status >= 400 && status < 500]).toEqual([
        ...[path, parent_page_id, true],
      ])
      expect(body.details.field).toBe('parent_page_id')
    }
    await callOk('PATCH', inner.path, { parent_page_id: null })
    expect((await callOk('GET', inner.path)).parent_page_id).toBeNull()
  })

  test('invalid input is refused with its status and code, and the page stays unchanged', async () => {
    const { path, page_id, ticket_number } = await createPage()
    const other = await createPage()
    const [otherVersion] = await callOk('GET', `${other.path}/versions`)
    const pages = `/api/v1/tasks/${ticket_number}/pages`
    const cases: [
      method: string,
      path: string,
      body: object | undefined,
      status: number,
      code: string,
    ][] = [
      ['POST', pages, {}, 400, 'required'],
      ['POST', pages, { content: '' }, 400, 'required'],
      ['POST', pages, { content: 7 }, 400, 'invalid_type'],
      ['POST', pages, { content: 'x', mode: 'append' }, 400, 'unknown_field'],
      ['POST', pages, { content: 'x'.repeat(1_048_577) }, 400, 'too_long'],
      ['POST', pages, { content: 'a\u0000b' }, 400, 'invalid_format'],
      ['POST', pages, { content: 'x', kind: 'poem' }, 400, 'out_of_range'],
      ['POST', '/api/v1/tasks/NOPE-1/pages', { content: 'x' }, 404, 'not_found'],
      ['PATCH', path, { content: 'x', mode: 'insert' }, 400, 'out_of_range'],
      ['PATCH', path, { content: 'x', if_version: -1 }, 400, 'out_of_range'],
      ['PATCH', path, { content: 'x', id: other.page_id }, 400, 'conflict'],
      ['PATCH', path, { mode: 'append' }, 400, 'required'],
      ['POST', `${path}/restore`, { version_id: otherVersion.version_id }, 404, 'not_found'],
      ['GET', `${path}/versions/${otherVersion.version_id}`, undefined, 404, 'not_found'],
      ['GET', `${path}/diff?from=1&to=9`, undefined, 404, 'not_found'],
      ['GET', '/api/v1/pages/999999', undefined, 404, 'not_found'],
      ['GET', '/api/v1/pages/pg_nobody', undefined, 404, 'not_found'],
      ['GET', `${path}/canvas`, undefined, 404, 'not_found'],
    ]
    for (const [method, url, body, status, code] of cases) {
      const response = await server.http(method, url, { body })
      const actual = [response.status, response.body?.details?.code]
      expect([method, url, JSON.stringify(body)?.slice(0, 60), ...actual]).toEqual([
        ...[method, url, JSON.stringify(body)?.slice(0, 60), status, code],
      ])
    }
    const huge = await server.http('POST', pages, { body: { content: 'x'.repeat(5_000_000) } })
    expect([huge.status, huge.body.details]).toMatchObject([400, { code: 'too_long' }])
    const broken = { content: '<p>One<b>two</p><script>x</script><td>', content_type: 'html' }
    const { path: mendedPath } = await createPage(broken, ticket_number)
    const { content } = await callOk('GET', `${mendedPath}?format=html`)
    // A tag that is never closed is text, as in "a<b>c".
    expect(content).toStartWith('<p>One&lt;b>two</p>')
    expect(content).not.toContain('script')
    expect(await callOk('GET', path)).toMatchObject({ page_id, version: 1, content: TEXT })
    for (const route of ['versions', 'restore'])
      expect((await server.http('GET', `/api/mcp/pages/${route}`, { secret: null })).status).toBe(
        401,
      )
  })
})

describe('over MCP', () => {
  const withClient = async (
    run: (client: ConnectedClient) => Promise<void>,
    secret = server.apiKey,
  ) => {
    const headers = { Authorization: `Bearer ${secret}` }
    const client = await connectClient({ type: 'http', url: `${server.url}/mcp`, headers })
    await run(client).finally(() => client.close())
  }

  test('every action of svc_pages works and records the calling agent as author', async () => {
    const { ticket_number } = await server.createTask({ title: 'Gate' })
    const { token } = await server.createAgent({ name: 'Scribe' })
    await withClient(async ({ callTool, expectRefusal }) => {
      const page = await callTool('svc_pages', 'create', { ticket_number, content: TEXT })
      const { page_id } = page
      expect(page).toMatchObject({ title: 'Paint', version: 1 })
      await callTool('svc_pages', 'update', { page_id, mode: 'append', content: '- by me' })
      const read = await callTool('svc_pages', 'get', { id: page_id })
      expect(read).toMatchObject({ version: 2, updated_by: { kind: 'agent', name: 'Scribe' } })
      expect(await callTool('svc_pages', 'list', { ticket_number })).toHaveLength(1)
      const versions = await callTool('svc_pages', 'versions', { page_id })
      const { version_id } = versions.at(-1)
      await callTool('svc_pages', 'restore', { page_id, version_id })
      const staleUpdate = { page_id, content: 'x', if_version: 1 }
      expect(await expectRefusal('svc_pages', 'update', staleUpdate)).toMatchObject({
        ...{ error: 'Conflict', details: { current: TEXT, version: 3 } },
      })
      const found = await waitUntil(async () => {
        const rows = await callTool('svc_pages', 'search', { query: 'coats of paint outside' })
        return rows.some((one: { page_id: number }) => one.page_id === page_id)
      })
      expect(found).toBe(true)
      expect(await callTool('svc_pages', 'archive', { page_id })).toMatchObject({ archived: 1 })
      expect(await callTool('svc_pages', 'list', { ticket_number })).toEqual([])
    }, token)
  })

  test('the old tool names work with flat arguments and are not listed', async () => {
    const { ticket_number } = await server.createTask({ title: 'Door' })
    const call = async (name: string, args: object) => {
      const { structuredContent, isError } = await server.callTool(name, args)
      expect([name, isError ?? false]).toEqual([name, false])
      return structuredContent.data
    }
    const { page_id } = await call('create_page', { ticket_number, title: 'Old', content: 'One.' })
    await call('update_page', { page_id, mode: 'append', content: 'Two.', note: 'More' })
    expect((await call('get_page', { page_id })).content).toBe('One.\n\nTwo.')
    expect(await call('list_pages', { ticket_number, limit: 5 })).toMatchObject([{ page_id }])
    await waitUntil(async () => {
      const rows = await call('search_pages', { query: 'old one two' })
      return rows.some((one: { page_id: number }) => one.page_id === page_id)
    })
    const { result } = (await server.mcp({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).body
    const names = result.tools.map(({ name }: { name: string }) => name)
    expect(names).toContain('svc_pages')
    expect(names.filter((name: string) => /_pages?$/.test(name))).toEqual(['svc_pages'])
  })

  test('without a scope for pages svc_pages is not listed, and calls are refused', async () => {
    const { page_id } = await createPage()
    const scopes = ['tasks:read', 'tasks:write', 'projects:read']
    const { token } = await server.createAgent({ name: 'Blind', scopes })
    await withClient(async ({ expectRefusal, rest }) => {
      for (const action of ['get', 'update', 'archive'])
        expect((await expectRefusal('svc_pages', action, { page_id })).error).toBe('Not allowed')
      expect((await rest('GET', `/api/v1/pages/${page_id}`)).status).toBe(403)
    }, token)
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { tools } = (await server.mcp(request, {}, token)).body.result
    expect(JSON.stringify(tools)).not.toContain('svc_pages')
  })
})
