import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sweep } from './cork.ts'
import { type House, openHouse } from './house.ts'
import { type Player, player, soon } from './players.ts'

/** Every route and action of pages, called on the built executable. */

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(async () => {
  await house?.close()
  sweep()
})

const TEXT = '# Paint\n\nTwo coats, *outside* first.'

async function write(body: object = {}, key?: string) {
  const ticket = key ?? (await house.create({ title: 'Fence' })).ticket_number
  const sent = { title: 'Log', content: TEXT, ...body }
  const made = await house.http('POST', `/api/v1/tasks/${ticket}/pages`, { body: sent })
  expect(made.status).toBe(201)
  return { ...made.body.data, path: `/api/v1/pages/${made.body.data.page_id}` }
}

describe('over REST', () => {
  const data = async (method: string, path: string, body?: unknown) => {
    const answer = await house.http(method, path, { body })
    expect([method, path, answer.status]).toEqual([method, path, 200])
    return answer.body.data
  }

  test('a page is created, read, updated, compared, restored and archived', async () => {
    const { path, page_id, public_id, ticket_number, task_id } = await write()
    expect(await data('GET', path)).toMatchObject({ content: TEXT, version: 1, kind: 'page' })
    expect((await data('GET', `/api/v1/pages/${public_id}?format=html`)).content).toContain(
      '<em>outside</em>',
    )
    const patch = (body: object) => data('PATCH', path, body)
    await patch({ mode: 'append', content: '- green' })
    await patch({ mode: 'prepend', content: 'Wet!', note: 'It rains' })
    expect((await data('GET', path)).content).toBe(`Wet!\n\n${TEXT}\n\n- green`)
    await patch({ content: 'Dry.\n', if_version: 3, title: 'Diary' })
    for (const list of [
      `/api/v1/tasks/${ticket_number}/pages`,
      `/api/v1/tasks/${task_id}/pages`,
      `/api/v1/pages?task_id=${task_id}`,
    ])
      expect(await data('GET', list)).toMatchObject([{ page_id, title: 'Diary', version: 4 }])
    const board = await data('GET', `/api/v1/pages?project_id=${house.project_id}&limit=50`)
    expect(board.map((one: { page_id: number }) => one.page_id)).toContain(page_id)
    const versions = await data('GET', `${path}/versions`)
    expect(versions).toMatchObject([
      { version: 4, current: true },
      { version: 3, note: 'It rains', author: { name: 'Ada' } },
      { version: 2 },
      { version: 1, title: 'Log' },
    ])
    expect(await data('GET', `/api/mcp/pages/versions?page_id=${page_id}`)).toEqual(versions)
    const first = versions.at(-1).version_id
    expect((await data('GET', `${path}/versions/${first}`)).content).toBe(TEXT)
    const diff = await data('GET', `${path}/diff?from=1&to=4`)
    expect(diff).toMatchObject({
      from: { version: 1 },
      to: { version: 4, author: { name: 'Ada' } },
    })
    expect(diff.diff).toContain('+Dry.')
    expect(diff.hunks).toHaveLength(1)
    expect(await data('POST', `${path}/restore`, { version_id: first })).toMatchObject({
      version: 5,
    })
    const second = versions.at(-2).version_id
    await data('POST', '/api/mcp/pages/restore', { page_id, version_id: second })
    expect((await data('GET', path)).content).toBe(`${TEXT}\n\n- green`)
    expect(await data('DELETE', path)).toMatchObject({ page_id, archived: 1 })
    expect(await data('GET', `/api/v1/tasks/${ticket_number}/pages`)).toEqual([])
    const away = await house.http('PATCH', path, { body: { content: 'x' } })
    expect([away.status, away.body.message]).toEqual([409, `Page ${page_id} is archived`])
    await data('POST', `${path}/restore`, { version_id: first })
    expect((await data('GET', path)).archived_at).toBeNull()
  })

  test('an update with a wrong version gets 409 with the current text and changes nothing', async () => {
    const { path } = await write()
    await data('PATCH', path, { content: 'Two', if_version: 1 })
    for (const if_version of [0, 1, 3, 99]) {
      const late = await house.http('PATCH', path, { body: { content: 'Mine', if_version } })
      expect(late.status).toBe(409)
      expect(late.body).toMatchObject({
        ...{ success: false, error: 'Conflict', hint: expect.stringContaining('Merge') },
        details: { field: 'if_version', value: if_version, version: 2, current: 'Two' },
      })
    }
    expect(await data('GET', path)).toMatchObject({ content: 'Two', version: 2 })
  })

  test('a page is found by its words until it is archived', async () => {
    const { page_id, path } = await write({ content: 'The lighthouse keeper paints lanterns.' })
    const search = '/api/v1/pages/search?query=painting%20a%20lantern'
    const found = await soon(async () => {
      const rows: { page_id: number; snippet: string }[] = await data('GET', search)
      return rows.find((one) => one.page_id === page_id)
    })
    expect(found.snippet).toContain('**')
    await data('DELETE', path)
    const left: { page_id: number }[] = await data('GET', search)
    expect(left.map((one) => one.page_id)).not.toContain(page_id)
  })

  test('a canvas is served in a sandbox, and only with an API key or a session', async () => {
    const content = '<!doctype html><script>let x = 1</script><p>Drawn</p>'
    const { path } = await write({ canvas: true, content })
    expect((await data('GET', path)).content).toBe('Drawn\n')
    expect((await data('GET', `${path}/source`)).html).toBe(content)
    const cookie = await house.signIn()
    for (const sent of [{}, { secret: null, headers: { cookie } }]) {
      const { status, headers, text } = await house.http('GET', `${path}/canvas`, sent)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toStartWith('sandbox allow-scripts; default')
      expect(text).toContain('srcdoc="&lt;!doctype html&gt;')
    }
    expect((await house.http('GET', `${path}/canvas`, { secret: null })).status).toBe(401)
  })

  test('a page nests only under a page of its own task, never under itself or a descendant', async () => {
    const outer = await write()
    const inner = await write({ parent_page_id: outer.page_id }, outer.ticket_number)
    const elsewhere = await write()
    for (const [path, parent_page_id] of [
      [outer.path, outer.page_id],
      [outer.path, inner.page_id],
      [elsewhere.path, outer.page_id],
      [elsewhere.path, 999_999],
    ]) {
      const { status, body } = await house.http('PATCH', path, { body: { parent_page_id } })
      expect([path, parent_page_id, status >= 400 && status < 500]).toEqual([
        ...[path, parent_page_id, true],
      ])
      expect(body.details.field).toBe('parent_page_id')
    }
    await data('PATCH', inner.path, { parent_page_id: null })
    expect((await data('GET', inner.path)).parent_page_id).toBeNull()
  })

  test('invalid input is refused with its status and code, and the page stays unchanged', async () => {
    const { path, page_id, ticket_number } = await write()
    const other = await write()
    const [theirs] = await data('GET', `${other.path}/versions`)
    const pages = `/api/v1/tasks/${ticket_number}/pages`
    const bad: [
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
      ['POST', `${path}/restore`, { version_id: theirs.version_id }, 404, 'not_found'],
      ['GET', `${path}/versions/${theirs.version_id}`, undefined, 404, 'not_found'],
      ['GET', `${path}/diff?from=1&to=9`, undefined, 404, 'not_found'],
      ['GET', '/api/v1/pages/999999', undefined, 404, 'not_found'],
      ['GET', '/api/v1/pages/pg_nobody', undefined, 404, 'not_found'],
      ['GET', `${path}/canvas`, undefined, 404, 'not_found'],
    ]
    for (const [method, at, body, status, code] of bad) {
      const answer = await house.http(method, at, { body })
      const told = [answer.status, answer.body?.details?.code]
      expect([method, at, JSON.stringify(body)?.slice(0, 60), ...told]).toEqual([
        ...[method, at, JSON.stringify(body)?.slice(0, 60), status, code],
      ])
    }
    const huge = await house.http('POST', pages, { body: { content: 'x'.repeat(5_000_000) } })
    expect([huge.status, huge.body.details]).toMatchObject([400, { code: 'too_long' }])
    const broken = { content: '<p>One<b>two</p><script>x</script><td>', content_type: 'html' }
    const { path: mended } = await write(broken, ticket_number)
    const { content } = await data('GET', `${mended}?format=html`)
    // A tag that is never closed is text, as in "a<b>c".
    expect(content).toStartWith('<p>One&lt;b>two</p>')
    expect(content).not.toContain('script')
    expect(await data('GET', path)).toMatchObject({ page_id, version: 1, content: TEXT })
    for (const way of ['versions', 'restore'])
      expect((await house.http('GET', `/api/mcp/pages/${way}`, { secret: null })).status).toBe(401)
  })
})

describe('over MCP', () => {
  const playing = async (use: (played: Player) => Promise<void>, secret = house.key) => {
    const headers = { Authorization: `Bearer ${secret}` }
    const played = await player({ type: 'http', url: `${house.url}/mcp`, headers })
    await use(played).finally(() => played.close())
  }

  test('every action of svc_pages works and records the calling agent as author', async () => {
    const { ticket_number } = await house.create({ title: 'Gate' })
    const { token } = await house.agent({ name: 'Scribe' })
    await playing(async ({ tool, refused }) => {
      const made = await tool('svc_pages', 'create', { ticket_number, content: TEXT })
      const { page_id } = made
      expect(made).toMatchObject({ title: 'Paint', version: 1 })
      await tool('svc_pages', 'update', { page_id, mode: 'append', content: '- by me' })
      const read = await tool('svc_pages', 'get', { id: page_id })
      expect(read).toMatchObject({ version: 2, updated_by: { kind: 'agent', name: 'Scribe' } })
      expect(await tool('svc_pages', 'list', { ticket_number })).toHaveLength(1)
      const versions = await tool('svc_pages', 'versions', { page_id })
      const { version_id } = versions.at(-1)
      await tool('svc_pages', 'restore', { page_id, version_id })
      const stale = { page_id, content: 'x', if_version: 1 }
      expect(await refused('svc_pages', 'update', stale)).toMatchObject({
        ...{ error: 'Conflict', details: { current: TEXT, version: 3 } },
      })
      const found = await soon(async () => {
        const rows = await tool('svc_pages', 'search', { query: 'coats of paint outside' })
        return rows.some((one: { page_id: number }) => one.page_id === page_id)
      })
      expect(found).toBe(true)
      expect(await tool('svc_pages', 'archive', { page_id })).toMatchObject({ archived: 1 })
      expect(await tool('svc_pages', 'list', { ticket_number })).toEqual([])
    }, token)
  })

  test('the old tool names work with flat arguments and are not listed', async () => {
    const { ticket_number } = await house.create({ title: 'Door' })
    const call = async (name: string, given: object) => {
      const { structuredContent, isError } = await house.tool(name, given)
      expect([name, isError ?? false]).toEqual([name, false])
      return structuredContent.data
    }
    const { page_id } = await call('create_page', { ticket_number, title: 'Old', content: 'One.' })
    await call('update_page', { page_id, mode: 'append', content: 'Two.', note: 'More' })
    expect((await call('get_page', { page_id })).content).toBe('One.\n\nTwo.')
    expect(await call('list_pages', { ticket_number, limit: 5 })).toMatchObject([{ page_id }])
    await soon(async () => {
      const rows = await call('search_pages', { query: 'old one two' })
      return rows.some((one: { page_id: number }) => one.page_id === page_id)
    })
    const { result } = (await house.mcp({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).body
    const names = result.tools.map(({ name }: { name: string }) => name)
    expect(names).toContain('svc_pages')
    expect(names.filter((name: string) => /_pages?$/.test(name))).toEqual(['svc_pages'])
  })

  test('without a scope for pages svc_pages is not listed, and calls are refused', async () => {
    const { page_id } = await write()
    const scopes = ['tasks:read', 'tasks:write', 'projects:read']
    const { token } = await house.agent({ name: 'Blind', scopes })
    await playing(async ({ refused, rest }) => {
      for (const action of ['get', 'update', 'archive'])
        expect((await refused('svc_pages', action, { page_id })).error).toBe('Not allowed')
      expect((await rest('GET', `/api/v1/pages/${page_id}`)).status).toBe(403)
    }, token)
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { tools } = (await house.mcp(rpc, {}, token)).body.result
    expect(JSON.stringify(tools)).not.toContain('svc_pages')
  })
})
