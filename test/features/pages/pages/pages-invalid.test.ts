import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const MB = 1_048_576

/** Creates a page on the logo task. */
async function createPage(content = '# Begun') {
  const w = await world()
  const { task_id } = w.tasks.logo
  const create = (overrides: Partial<Parameters<World['ada']['pages.create']>[0]> = {}) =>
    w.cleo['pages.create']({ task_id, content, ...overrides })
  const page = await create()
  const [first] = (await w.cleo['pages.versions']({ page_id: page.page_id })).items
  return { ...w, task_id, create, page, page_id: page.page_id, version_id: first!.version_id }
}

test('another team gets not_found for a page and its task, and changes nothing', async () => {
  const { otto, cleo, page, page_id, task_id, version_id, changeTypes } = await createPage()
  const before = await changeTypes()
  for (const named of [page_id, page.public_id])
    for (const call of [
      () => otto['pages.get']({ page_id: named }),
      () => otto['pages.update']({ page_id: named, content: 'Mine' }),
      () => otto['pages.versions']({ page_id: named }),
      () => otto['pages.restore']({ page_id: named, version_id }),
      () => otto['pages.diff']({ page_id: named }),
      () => otto['pages.archive']({ page_id: named }),
      () => otto['pages.canvas']({ page_id: named }),
    ])
      expect((await faultOf(call())).code).toBe('not_found')
  expect((await faultOf(otto['pages.create']({ task_id, content: 'Mine' }))).code).toBe('not_found')
  expect((await faultOf(otto['pages.list']({ task_id }))).code).toBe('not_found')
  expect((await otto['pages.list']({})).items).toEqual([])
  expect(await changeTypes()).toEqual(before)
  expect(await cleo['pages.get']({ page_id })).toMatchObject({ content: '# Begun', version: 1 })
})

test('an unknown if_version is a conflict with the current text; an invalid one is refused', async () => {
  const { cleo, page_id, changeTypes } = await createPage()
  const before = await changeTypes()
  for (const if_version of [0, 2, 2_147_483_647])
    for (const mode of ['replace', 'append', 'prepend'] as const) {
      const call = cleo['pages.update']({ page_id, content: 'New', mode, if_version })
      const { code, details, hint } = await faultOf(call)
      expect([code, details.field, details.current, details.version]).toEqual([
        ...['conflict', 'if_version', '# Begun', 1],
      ])
      expect(hint).toContain('Merge')
    }
  for (const if_version of [-1, 1.5, 2_147_483_648])
    expect(
      await faultOf(cleo['pages.update']({ page_id, content: 'x', if_version })),
    ).toMatchObject({
      ...{ code: 'invalid', details: { field: 'if_version' } },
    })
  expect(await changeTypes()).toEqual(before)
})

test('a page of more than 1 MB is refused over REST on create, append and prepend', async () => {
  const w = await createPage('x'.repeat(MB))
  const { http, cleo, page_id, task_id } = w
  const send = (method: string, path: string, length: number, overrides = {}) =>
    http(cleo, method, path, { content: 'y'.repeat(length), ...overrides })
  const create = `/api/v1/tasks/${task_id}/pages`
  for (const tooLong of [MB + 1, 5_000_000]) {
    const { status, body } = await send('POST', create, tooLong)
    expect([status, body.details]).toEqual([
      ...[400, expect.objectContaining({ field: 'content', code: 'too_long' })],
    ])
  }
  expect((await send('POST', create, 7_000_000)).status).toBe(413)
  for (const mode of ['append', 'prepend']) {
    const response = await send('PATCH', `/api/v1/pages/${page_id}`, 1, { mode })
    expect([response.status, response.body.details.code]).toEqual([400, 'too_long'])
    expect(response.body.hint).toContain('parent_page_id')
  }
  expect(await cleo['pages.get']({ page_id })).toMatchObject({
    version: 1,
    content: 'x'.repeat(MB),
  })
  expect((await cleo['pages.list']({ task_id })).items).toHaveLength(1)
})

const BROKEN = [
  ['<p>One<p>Two<b>bold', 'bold'],
  ['<table><tr><td>cell', 'cell'],
  ['</div></p>text<li>item', 'item'],
  ['<img src=x onerror=alert(1)>text', 'text'],
  ['<script>alert(1)</script>said', 'said'],
  ['<a href="javascript:alert(1)">link</a>', 'link'],
  ['<svg/onload=alert(1)></svg>after', 'after'],
  ['<p title="never closed>lost? kept', ''],
] as const

test('malformed HTML is repaired and scripts are removed, read as HTML or as markdown', async () => {
  const { cleo, create } = await createPage()
  for (const [content, expected] of BROKEN) {
    const created = await create({ content: `<h1>Title</h1>${content}`, content_type: 'html' })
    for (const format of ['html', 'markdown'] as const) {
      const { content: stored } = await cleo['pages.get']({ page_id: created.page_id, format })
      expect(stored).toContain('Title')
      expect(stored).toContain(expected)
      expect(stored).not.toMatch(/<script|onerror|onload|javascript:/i)
    }
    const { page_id } = created
    await cleo['pages.update']({
      page_id,
      content: '<p>more',
      mode: 'append',
      content_type: 'html',
    })
    expect((await cleo['pages.get']({ page_id, format: 'html' })).content).toContain('<p>more</p>')
  }
})

test('invalid page input is refused with its field, and nothing is stored', async () => {
  const { cleo, page_id, task_id, http, changeTypes } = await createPage()
  const before = await changeTypes()
  const path = `/api/v1/pages/${page_id}`
  const bad: [body: unknown, field: string][] = [
    [{ content: '' }, 'content'],
    [{ content: 7 }, 'content'],
    [{ content: 'a\u0000b' }, 'content'],
    [{ content: 'x', mode: 'insert' }, 'mode'],
    [{ content: 'x', content_type: 'pdf' }, 'content_type'],
    [{ content: '<p>'.repeat(5000), content_type: 'html' }, 'content'],
    [{ content: 'x', note: 'n'.repeat(501) }, 'note'],
    [{ content: 'x', title: 't'.repeat(501) }, 'title'],
    [{ content: 'x', titel: 'x' }, 'titel'],
    [{ mode: 'append' }, 'content'],
    [{ parent_page_id: 'up' }, 'parent_page_id'],
  ]
  for (const [body, field] of bad) {
    const { status, body: response } = await http(cleo, 'PATCH', path, body)
    expect([field, status, response.details?.field]).toEqual([field, 400, field])
  }
  for (const json of ['{"content": "half', '{"content": "half a character: \\ud83d"}'])
    expect((await http(cleo, 'PATCH', path, json)).status).toBe(400)
  const list = await http(cleo, 'GET', `/api/v1/tasks/${task_id}/pages`)
  expect(list.body.data).toHaveLength(1)
  expect(await changeTypes()).toEqual(before)
})
