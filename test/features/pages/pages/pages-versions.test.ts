import { expect, test } from 'bun:test'
import { and, eq, isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import { pageVersions } from '../../../../src/features/pages/pages/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const write = ({ ada, tasks }: World, content: string, fields: object = {}) =>
  ada['pages.create']({ task_id: tasks.logo.task_id, content, ...fields })

test('a version records its author, time, note and the size of the change', async () => {
  const w = await world()
  const { page_id } = await write(w, 'Red.\n\nBlue.')
  w.clock.advance(1000)
  await w.bot['pages.update']({ page_id, content: 'Green', mode: 'append', note: 'As asked' })
  w.clock.advance(1000)
  await w.cleo['pages.update']({ page_id, content: 'Red.\n\nGreen', title: 'Colours' })
  const { items, page } = await w.ada['pages.versions']({ page_id })
  expect(page.total).toBe(3)
  expect(
    items.map(({ version, author, note, created_at, current, title, length, added, removed }) => [
      ...[version, author.name, note, created_at.slice(17, 19), current, title],
      ...[length, added, removed],
    ]),
  ).toEqual([
    [3, 'Cleo', null, '02', true, 'Colours', 11, 0, 7],
    [2, 'Bot', 'As asked', '01', false, 'Red. Blue.', 18, 7, 0],
    [1, 'Ada', null, '00', false, 'Red. Blue.', 11, 11, 0],
  ])
  const [, second] = items
  const before = await w.cleo['pages.get']({ page_id, version_id: second!.version_id })
  expect(before).toMatchObject({
    ...{ content: 'Red.\n\nBlue.\n\nGreen', version: 2, current: false, length: 18 },
    ...{ updated_by: { name: 'Bot' }, updated_at: '2026-11-20T12:00:01.000Z' },
  })
  expect(await w.cleo['pages.get']({ page_id, version: 2 })).toEqual(before)
})

test('restoring a version creates a new one with its text, title and format', async () => {
  const w = await world()
  const { page_id } = await write(w, 'Red.', { title: 'One' })
  await w.bot['pages.update']({
    page_id,
    content: '<p>Blue.</p>',
    content_type: 'html',
    title: 'Two',
  })
  const { items } = await w.ada['pages.versions']({ page_id })
  const version_id = items.at(-1)!.version_id
  const done = await w.cleo['pages.restore']({ page_id, version_id })
  expect(done).toMatchObject({ version: 3, title: 'One' })
  expect(done.changed).toEqual(['content', 'title', 'content_type'])
  expect(await w.ada['pages.get']({ page_id })).toMatchObject({
    ...{ content: 'Red.', content_type: 'markdown', updated_by: { name: 'Cleo' } },
  })
  const [change] = (await w.changes()).slice(-1)
  expect(change).toMatchObject({
    type: 'page.restored',
    data: { page_id, from_version: 1, version: 3 },
  })
  expect((await w.ada['pages.versions']({ page_id })).items[0]).toMatchObject({
    ...{ note: 'Restored version 1', author: { name: 'Cleo' } },
  })
  const { length } = await w.changeTypes()
  expect(await w.ada['pages.restore']({ page_id, version_id })).toMatchObject({ changed: [] })
  expect(await w.changeTypes()).toHaveLength(length)
})

test('a version of another page, or an unknown version, is not found', async () => {
  const w = await world()
  const one = await write(w, 'One')
  const other = await write(w, 'Other')
  const { items } = await w.ada['pages.versions']({ page_id: other.page_id })
  const { version_id } = items[0]!
  for (const call of [
    () => w.ada['pages.restore']({ page_id: one.page_id, version_id }),
    () => w.ada['pages.get']({ page_id: one.page_id, version_id }),
    () => w.ada['pages.get']({ page_id: one.page_id, version: 2 }),
    () => w.ada['pages.diff']({ page_id: one.page_id, to: 2 }),
  ])
    expect(await faultOf(call())).toMatchObject({ code: 'not_found' })
  expect(await w.ada['pages.get']({ page_id: one.page_id })).toMatchObject({ version: 1 })
  const counted = w.ada['pages.restore']({ page_id: other.page_id, version_id: 1 })
  expect((await faultOf(counted)).hint).toContain(`Version 1 has the version_id ${version_id}`)
})

test('two versions are compared line by line', async () => {
  const w = await world()
  const { page_id } = await write(w, '# Plan\n\nRed.\n\nDone.\n', { title: 'Plan' })
  await w.bot['pages.update']({ page_id, content: '# Plan\n\nBlue.\n\nDone.\n', note: 'Nicer' })
  await w.bot['pages.update']({ page_id, content: 'More.', mode: 'append' })
  const first = await w.cleo['pages.diff']({ page_id, from: 1, to: 2 })
  expect(first.diff).toBe(
    '--- Plan (1)\n+++ Plan (2)\n@@ -1,5 +1,5 @@\n # Plan\n \n-Red.\n+Blue.\n \n Done.\n',
  )
  expect(first).toMatchObject({
    from: { version: 1, author: { name: 'Ada' } },
    to: { version: 2, author: { name: 'Bot' }, note: 'Nicer' },
    hunks: [{ old_start: 1, old_lines: 5, new_start: 1, new_lines: 5 }],
  })
  expect(await w.cleo['pages.diff']({ page_id })).toMatchObject({
    ...{ from: { version: 2 }, to: { version: 3 } },
    diff: '--- Plan (2)\n+++ Plan (3)\n@@ -3,3 +3,5 @@\n Blue.\n \n Done.\n+\n+More.\n',
  })
  const unchanged = await w.cleo['pages.diff']({ page_id, from: 1, to: 1 })
  expect(unchanged).toMatchObject({ diff: '', hunks: [] })
})

test('every version of a random edit history can be read unchanged', async () => {
  const w = await world()
  const line = fc.constantFrom('# One', 'two 👍 three', '👎👍', 'x'.repeat(300), 'twelve')
  const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'))
  const mode = fc.constantFrom('replace' as const, 'append' as const, 'prepend' as const)
  const edit = fc.record({ mode, content: text })
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 12 }), async (edits) => {
      const { page_id } = await write(w, 'Begun')
      const texts = ['Begun']
      for (const one of edits) {
        const { version } = await w.bot['pages.update']({ page_id, ...one })
        const { content } = await w.ada['pages.get']({ page_id })
        texts[version - 1] = content
        if (one.mode !== 'replace') expect(content).toContain(one.content)
      }
      for (const [at, content] of texts.entries())
        expect(await w.ada['pages.get']({ page_id, version: at + 1 })).toMatchObject({ content })
    }),
    { numRuns: 20 },
  )
})

test('a long history stores a whole text every 500 versions, and small steps otherwise', async () => {
  const w = await world()
  const { page_id } = await write(w, 'word '.repeat(2000))
  for (let n = 2; n <= 600; n++)
    await w.bot['pages.update']({
      page_id,
      content: `Line ${n}`,
      mode: n % 2 ? 'append' : 'prepend',
    })
  const rows = await w.store.read((tx) =>
    tx
      .select({ version: pageVersions.version, back: pageVersions.back, whole: pageVersions.whole })
      .from(pageVersions)
      .where(and(eq(pageVersions.page_id, page_id), isNotNull(pageVersions.back))),
  )
  expect(rows).toHaveLength(599)
  for (const { back } of rows) expect(JSON.stringify(back).length).toBeLessThan(30)
  expect(rows.filter(({ whole }) => whole !== null).map(({ version }) => version)).toEqual([501])
  const { content } = await w.ada['pages.get']({ page_id, version: 500 })
  expect(content).toStartWith('Line 500\n\nLine 498\n\n')
  expect(content).toEndWith('Line 497\n\nLine 499')
  const first = await w.ada['pages.get']({ page_id, version: 1 })
  expect(first.content).toBe('word '.repeat(2000))
})

test('a page that is fully rewritten each time stores a whole text every few versions', async () => {
  const w = await world()
  const text = (n: number) => `${n} `.repeat(3000)
  const { page_id } = await write(w, text(1))
  for (let n = 2; n <= 30; n++) await w.bot['pages.update']({ page_id, content: text(n) })
  const rows = await w.store.read((tx) =>
    tx
      .select({ version: pageVersions.version })
      .from(pageVersions)
      .where(and(eq(pageVersions.page_id, page_id), isNotNull(pageVersions.whole)))
      .orderBy(pageVersions.version),
  )
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.length).toBeLessThan(8)
  for (let version = 1; version <= 30; version++)
    expect(await w.ada['pages.get']({ page_id, version })).toMatchObject({ content: text(version) })
})

test('versions are listed and restored under /api/mcp as well', async () => {
  const w = await world()
  const { page_id, public_id } = await write(w, 'Red.')
  await w.ada['pages.update']({ page_id, content: 'Blue.' })
  const listed = await w.http(w.bot, 'GET', `/api/mcp/pages/versions?page_id=${public_id}`)
  expect(listed.status).toBe(200)
  const rows = (
    listed.body as { data: { version_id: number; author: object; created_at: string }[] }
  ).data
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatchObject({ author: { name: 'Ada' }, created_at: '2026-11-20T12:00:00.000Z' })
  const { version_id } = rows[1]!
  const restored = await w.http(w.bot, 'POST', '/api/mcp/pages/restore', {
    id: page_id,
    version_id,
  })
  expect(restored.body).toMatchObject({ success: true, data: { version: 3 } })
  const one = await w.http(w.bot, 'GET', `/api/v1/pages/${public_id}/versions/${version_id}`)
  expect(one.body).toMatchObject({ data: { content: 'Red.', version: 1 } })
  const compared = await w.http(w.bot, 'GET', `/api/v1/pages/${page_id}/diff?from=1&to=2`)
  expect(compared.body).toMatchObject({ data: { diff: expect.stringContaining('-Red.') } })
  const stranger = await w.http(undefined, 'GET', `/api/mcp/pages/versions?page_id=${page_id}`)
  expect(stranger.status).toBe(401)
})
