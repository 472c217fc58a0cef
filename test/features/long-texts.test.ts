import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { catalog } from '../../src/catalog.ts'
import { comments } from '../../src/features/conversation/comments/model/index.ts'
import { pagePieces } from '../../src/features/pages/pages/model/index.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { callChat, callMcp, callRest } from '../support/surface-calls.ts'
import { type World, world } from '../support/world.ts'

const longText = (length: number, prefix = '') =>
  `<p>${prefix}${'word and '.repeat(length / 9)}</p>`

/** Reads a list to its end and returns all rows and the number of rows per page. */
async function readAllPages<Row>(
  page: (cursor?: string) => Promise<{
    items: Row[]
    page: { has_more: boolean; next_cursor: string | null; total: number | null }
  }>,
) {
  const rows: Row[] = []
  const pages: number[] = []
  let cursor: string | undefined
  let total: number | null = null
  do {
    const { items, page: info } = await page(cursor)
    expect(info.has_more).toBe(info.next_cursor !== null)
    rows.push(...items)
    pages.push(items.length)
    total = info.total
    cursor = info.next_cursor ?? undefined
  } while (cursor)
  expect(total).toBe(rows.length)
  return { rows, pages }
}

async function fetchList(w: World, path: string) {
  const headers = { authorization: `Bearer ${w.ben.secret}` }
  const response = await w.app.handle(new Request(`http://localhost${path}`, { headers }))
  expect(response.status).toBe(200)
  return (await response.json()) as { data: Record<string, unknown>[]; warnings: unknown[] }
}

async function addComments(w: World, count: number, length: number) {
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    w.clock.advance(1000)
    const text = longText(length, `${n} `)
    ids.push((await w.ada['comments.add']({ ...w.tasks.logo, text })).comment_id)
  }
  return ids
}

for (const format of [undefined, 'html', 'markdown'] as const)
  test(`two comments of 600 KB are listed on two pages, format ${format}`, async () => {
    const w = await world()
    const ids = await addComments(w, 2, 600_000)
    const input = { ...w.tasks.logo, ...(format && { format }) }
    const { rows, pages } = await readAllPages((cursor) =>
      w.ben['comments.list']({ ...input, ...(cursor && { cursor }) }),
    )
    expect(rows.map(({ comment_id }) => comment_id)).toEqual(ids)
    expect(pages).toEqual([1, 1])
    for (const { text, content_type } of rows) {
      expect(text!.length).toBeGreaterThan(590_000)
      expect(content_type).toBe(format ?? 'html')
    }
  })

test('fifty comments of 22 KB are listed in order, and a shortened page has a warning', async () => {
  const w = await world()
  const ids = await addComments(w, 50, 22_000)
  const input = { ...w.tasks.logo, format: 'markdown' as const, limit: 50 }
  const { rows, pages } = await readAllPages((cursor) =>
    w.ben['comments.list']({ ...input, ...(cursor && { cursor }) }),
  )
  expect(rows.map(({ comment_id }) => comment_id)).toEqual(ids)
  expect(pages).toEqual([47, 3])
  const response = await fetchList(
    w,
    `/api/v1/tasks/${w.tasks.logo.ticket_number}/comments?limit=50&format=html`,
  )
  expect(response.warnings).toEqual([expect.objectContaining({ field: 'limit', code: 'too_long' })])
})

test('long comments mixed with activity are paged in order, in both directions', async () => {
  const w = await world()
  await addComments(w, 3, 500_000)
  for (const sort_order of ['asc', 'desc'] as const) {
    const input = { ...w.tasks.logo, include_activity: true, format: 'html' as const, sort_order }
    const { rows, pages } = await readAllPages((cursor) =>
      w.ben['comments.list']({ ...input, ...(cursor && { cursor }) }),
    )
    expect(pages).toHaveLength(2)
    expect(rows.filter(({ kind }) => kind === 'comment')).toHaveLength(3)
    const times = rows.map(({ created_at }) => created_at)
    expect(times).toEqual(sort_order === 'asc' ? times.toSorted() : times.toSorted().reverse())
  }
})

test('a comment that cannot be converted is returned as stored, and the others are converted', async () => {
  const w = await world()
  const text = '<b>x</b>'.repeat(30_000)
  const { comment_id } = await w.ada['comments.add']({ ...w.tasks.logo, text: 'One' })
  // Only an older version of the rules would have accepted this text.
  await w.store.write(async (tx) => {
    const row = { text, content_type: 'html' as const }
    await tx.update(comments).set(row).where(eq(comments.comment_id, comment_id))
  })
  await w.ada['comments.add']({ ...w.tasks.logo, text: '<p>Some <em>words</em></p>' })
  const response = await fetchList(
    w,
    `/api/v1/tasks/${w.tasks.logo.ticket_number}/comments?format=markdown`,
  )
  const { data, warnings } = response
  expect(data[0]).toMatchObject({ text, content_type: 'html' })
  expect(data[1]).toMatchObject({ text: 'Some *words*\n', content_type: 'markdown' })
  expect(warnings).toEqual([expect.objectContaining({ field: 'text', code: 'not_converted' })])
})

/** Creates a page with a text that only an older version of the rules would have accepted. */
async function createLegacyPage(w: World, content: string, fields: object) {
  const { page_id } = await w.ada['pages.create']({ ...w.tasks.logo, content: 'Old', ...fields })
  await w.store.write(async (tx) => {
    await tx.update(pagePieces).set({ content }).where(eq(pagePieces.page_id, page_id))
  })
  return page_id
}

const fetchPage = async (
  w: World,
  page_id: number,
  format: 'html' | 'markdown',
  overrides = '',
) => {
  const { data, warnings } = await fetchList(
    w,
    `/api/v1/pages/${page_id}?format=${format}${overrides}`,
  )
  return { ...data, warnings } as unknown as Record<'content' | 'format', string> & {
    warnings?: unknown[]
  }
}
const notConverted = [expect.objectContaining({ field: 'content', code: 'not_converted' })]

test('a page that grew too long to be converted is returned as stored, with a warning', async () => {
  const w = await world()
  const content = '- item\n'.repeat(9000)
  const { page_id } = await w.ada['pages.create']({ ...w.tasks.logo, content })
  for (let n = 0; n < 3; n++) await w.ada['pages.update']({ page_id, content, mode: 'append' })
  const asHtml = await fetchPage(w, page_id, 'html')
  expect(asHtml).toMatchObject({ format: 'markdown', warnings: notConverted })
  expect(asHtml.content.match(/- item/g)).toHaveLength(36_000)
  expect(await fetchPage(w, page_id, 'markdown')).toEqual({ ...asHtml, warnings: undefined })
  const olderVersion = await fetchPage(w, page_id, 'html', '&version=3')
  expect(olderVersion).toMatchObject({ format: 'markdown', warnings: notConverted })
  expect((await fetchPage(w, page_id, 'html', '&version=1')).content).toStartWith('<ul>')
})

test('an HTML page that cannot be converted is returned as stored, a canvas as its words', async () => {
  const w = await world()
  const text = '<b>x</b>'.repeat(22_000)
  const htmlType = { content_type: 'html' } as const
  const page_id = await createLegacyPage(w, text, htmlType)
  for (const format of ['html', 'markdown'] as const)
    expect(await fetchPage(w, page_id, format)).toMatchObject({
      ...{ content: text, format: 'html', warnings: notConverted },
    })
  const canvas = await createLegacyPage(w, `<script>x()</script>${text}`, { canvas: true })
  for (const format of ['html', 'markdown'] as const) {
    const result = await fetchPage(w, canvas, format)
    expect(result).toMatchObject({ format: 'markdown', warnings: notConverted })
    expect(result.content).toMatch(/^x+$/)
  }
  expect((await w.ben['pages.canvas']({ page_id: canvas })).html).toEndWith(text)
})

test('versions with long texts are listed with their full texts, over several pages', async () => {
  const w = await world()
  for (let n = 0; n < 3; n++)
    await w.ada['tasks.update']({ ...w.tasks.logo, description: longText(600_000, `${n} `) })
  for (const format of ['html', 'markdown'] as const) {
    const { rows, pages } = await readAllPages((cursor) =>
      w.ben['tasks.versions']({ ...w.tasks.logo, format, ...(cursor && { cursor }) }),
    )
    expect(pages.slice(0, 2)).toEqual([1, 1])
    expect(rows[0]!.version).toBeGreaterThan(rows[1]!.version)
    for (const { description, content_type } of rows.slice(0, 3)) {
      expect(description!.length).toBeGreaterThan(590_000)
      expect(content_type).toBe(format)
    }
  }
  const { pages } = await readAllPages((cursor) =>
    w.ben['tasks.versions']({ ...w.tasks.logo, ...(cursor && { cursor }) }),
  )
  expect(pages).toHaveLength(1)
})

test('a published draft and a restored version keep their text, and page updates convert theirs', async () => {
  const w = await world()
  const text = '<p>One <em>word</em></p>'
  const { draft_id } = await w.ada['drafts.create']({ ...w.tasks.logo, text })
  await w.ada['drafts.publish']({ draft_id })
  expect(await w.ada['tasks.get'](w.tasks.logo)).toMatchObject({ description: text })
  const before = (await w.ada['tasks.versions'](w.tasks.logo)).items[0]!
  await w.ada['tasks.update']({ ...w.tasks.logo, description: '<p>Two</p>' })
  await w.ada['tasks.restore']({ ...w.tasks.logo, version_id: before.version_id })
  expect(await w.ada['tasks.get'](w.tasks.logo)).toMatchObject({ description: text })
  const page = await w.ada['pages.create']({ ...w.tasks.logo, content: '# A\n\nb' })
  await w.ada['pages.update']({
    ...{ page_id: page.page_id, mode: 'append' as const },
    ...{ content: '<p>c <b>d</b></p>', content_type: 'html' as const },
  })
  const { content } = await w.ada['pages.get']({ page_id: page.page_id })
  expect(content).toBe('# A\n\nb\n\nc **d**\n')
  await w.ada['pages.update']({ page_id: page.page_id, content_type: 'html' })
  const html = await w.ada['pages.get']({ page_id: page.page_id, format: 'html' })
  expect(html.content).toContain('<strong>d</strong>')
})

for (const [surface, send] of Object.entries({ REST: callRest, MCP: callMcp, chat: callChat }))
  test(`long comments are listed over ${surface}, and a cursor leads to the rest`, async () => {
    const w = await world()
    const ids = await addComments(w, 2, 600_000)
    const list = catalog.find(({ name }) => name === 'comments.list') as AnyOperation
    const listedIds: unknown[] = []
    let cursor: string | undefined
    do {
      const input = { ...w.tasks.logo, format: 'html', ...(cursor && { cursor }) }
      const { status, data, page } = await send(w, w.ben, list, input)
      expect(status).toBe(200)
      listedIds.push(...(data as { comment_id: number }[]).map(({ comment_id }) => comment_id))
      cursor = (page as { next_cursor: string | null }).next_cursor ?? undefined
    } while (cursor)
    expect(listedIds).toEqual(ids)
  })
