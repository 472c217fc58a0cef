import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const write = ({ ada, tasks }: World, content: string, fields: object = {}) =>
  ada['pages.create']({ task_id: tasks.logo.task_id, content, ...fields })

const read = async ({ cleo }: World, page_id: number, format?: 'html' | 'markdown') =>
  (await cleo['pages.get']({ page_id, ...(format && { format }) })).content

const DRAWING =
  '<!doctype html><html><head><style>p{color:red}</style></head>' +
  '<body><p onclick="x()">Drawn</p><script>draw()</script></body></html>'

test('markdown is stored unchanged and HTML sanitized, and each can be read in the other format', async () => {
  const w = await world()
  const text = '* one\n* two <script>x()</script>\n'
  const plain = await write(w, text)
  expect(await read(w, plain.page_id)).toBe(text)
  const plainHtml = await read(w, plain.page_id, 'html')
  expect(plainHtml).toContain('<li>one</li>')
  expect(plainHtml).not.toContain('<script')
  const html =
    '<h2>Plan</h2><p onclick="x()">Red <b>or <i>blue</i></b></p><script>x()</script><div>'
  const { page_id, title } = await write(w, html, { content_type: 'html' })
  expect(title).toBe('Plan')
  const stored = await read(w, page_id, 'html')
  expect(stored).toContain('<b>or <i>blue</i></b>')
  expect(stored).not.toMatch(/onclick|script/)
  expect(await read(w, page_id)).toContain('**or _blue_**')
})

test('appended text in the other format is converted to the format of the page', async () => {
  const w = await world()
  const { page_id } = await write(w, 'Red.')
  const add = (content: string, content_type?: 'html' | 'markdown', to = page_id) =>
    w.bot['pages.update']({
      ...{ page_id: to, content, mode: 'append' },
      ...(content_type && { content_type }),
    })
  await add('<p>Or <b>blue</b><script>x()</script></p>', 'html')
  expect((await read(w, page_id)).trimEnd()).toBe('Red.\n\nOr **blue**')
  expect(await w.cleo['pages.get']({ page_id })).toMatchObject({ content_type: 'markdown' })
  const html = await write(w, '<p>Red.</p>', { content_type: 'html' })
  await add('Or **blue**', 'markdown', html.page_id)
  await add('<p>Or <i onclick="x()">green</i></p>', undefined, html.page_id)
  expect((await read(w, html.page_id, 'html')).replaceAll('\n', '')).toBe(
    '<p>Red.</p><p>Or <strong>blue</strong></p><p>Or <i>green</i></p>',
  )
})

test('the format of a page can be changed with or without new content', async () => {
  const w = await world()
  const { page_id } = await write(w, 'Red or **blue**')
  const done = await w.ada['pages.update']({ page_id, content_type: 'html' })
  expect(done).toMatchObject({ version: 2, changed: ['content', 'content_type'] })
  expect((await read(w, page_id, 'html')).trim()).toBe('<p>Red or <strong>blue</strong></p>')
  await w.ada['pages.update']({ page_id, content: '*Green*', content_type: 'markdown' })
  expect(await w.cleo['pages.get']({ page_id })).toMatchObject({
    ...{ content: '*Green*', content_type: 'markdown', version: 3 },
  })
  expect(await w.cleo['pages.get']({ page_id, version: 1 })).toMatchObject({
    ...{ content: 'Red or **blue**', content_type: 'markdown', current: false },
  })
})

test('a canvas is stored exactly as sent, and its text is read without scripts', async () => {
  const w = await world()
  const { page_id } = await write(w, DRAWING, { canvas: true, title: 'Logo' })
  expect(await w.cleo['pages.canvas']({ page_id })).toEqual({
    ...{ page_id, title: 'Logo', html: DRAWING },
  })
  expect(await w.cleo['pages.get']({ page_id })).toMatchObject({
    ...{ canvas: true, content_type: 'html', content: 'Drawn\n', format: 'markdown' },
    canvas_url: `http://localhost/api/v1/pages/${page_id}/canvas`,
  })
  expect((await read(w, page_id, 'html')).trim()).toBe('<p>Drawn</p>')
  const append = { content: '<svg></svg>', canvas: true, mode: 'append', if_version: 1 } as const
  await w.bot['pages.update']({ page_id, ...append })
  const { html } = await w.cleo['pages.canvas']({ page_id })
  expect(html).toBe(`${DRAWING}<svg></svg>`)
  await w.bot['pages.update']({
    page_id,
    content: 'And *words*',
    content_type: 'markdown',
    mode: 'append',
  })
  expect((await w.cleo['pages.canvas']({ page_id })).html.trim()).toBe(
    `${html}<p>And <em>words</em></p>`,
  )
  await w.bot['pages.update']({ page_id, content: DRAWING, canvas: true })
  expect((await w.cleo['pages.canvas']({ page_id })).html).toBe(DRAWING)
  const drawn = await w.bot['pages.update']({ page_id, content: DRAWING, content_type: 'html' })
  expect(drawn.changed).toEqual(['content', 'canvas'])
  expect(await faultOf(w.cleo['pages.canvas']({ page_id }))).toMatchObject({ code: 'not_found' })
  expect((await w.cleo['pages.canvas']({ page_id, version: 1 })).html).toBe(DRAWING)
  expect((await w.cleo['pages.get']({ page_id, version: 1 })).canvas_url).toBeNull()
})

test('without content_type an update is markdown, and replacing the text changes the format too', async () => {
  const w = await world()
  const input = { content_type: 'html', title: 'List' } as const
  const { page_id } = await write(w, '<h1>T</h1><ul><li>a</li></ul>', input)
  const text = await read(w, page_id)
  await w.bot['pages.update']({ page_id, content: '*Later*', mode: 'append' })
  expect((await read(w, page_id, 'html')).trim()).toBe(
    '<h1>T</h1><ul><li>a</li></ul><p><em>Later</em></p>',
  )
  await w.bot['pages.update']({ page_id, content: `${text}- b\n`, if_version: 2 })
  expect(await w.bot['pages.get']({ page_id })).toMatchObject({
    ...{ content: '# T\n\n- a\n- b\n', content_type: 'markdown', version: 3 },
  })
})

test('an append that makes HTML too large to convert is refused; long markdown stays readable', async () => {
  const w = await world()
  const input = { content: '<p>a</p>'.repeat(12_000), content_type: 'html' } as const
  const { page_id } = await write(w, input.content, { content_type: 'html' })
  expect(await faultOf(w.bot['pages.update']({ page_id, ...input, mode: 'append' }))).toMatchObject(
    {
      ...{ code: 'invalid', details: { field: 'content', code: 'too_long' } },
      hint: expect.stringContaining(`parent_page_id ${page_id}`),
    },
  )
  const append = { ...input, content: '<p>a</p>'.repeat(3000), mode: 'append' } as const
  await w.bot['pages.update']({ page_id, ...append })
  expect((await read(w, page_id)).length).toBeGreaterThan(9000)
  // Markdown that is too long to convert is returned as markdown, and can be restored.
  const long = await write(w, '# a\n'.repeat(12_000), {})
  await w.bot['pages.update']({
    page_id: long.page_id,
    ...{ content: '# a\n'.repeat(12_000), mode: 'append' },
  })
  expect(await w.bot['pages.get']({ page_id: long.page_id, format: 'html' })).toMatchObject({
    ...{ format: 'markdown', content: expect.stringMatching(/^# a\n/) },
  })
  const { items } = await w.bot['pages.versions']({ page_id: long.page_id })
  await w.bot['pages.update']({ page_id: long.page_id, content: 'Short' })
  await w.bot['pages.restore']({ page_id: long.page_id, version_id: items[0]!.version_id })
  expect((await read(w, long.page_id)).length).toBeGreaterThan(90_000)
})

test('invalid page content or options are refused with field and code, and nothing is stored', async () => {
  const w = await world()
  const { page_id } = await write(w, 'Red.')
  const before = await w.changeTypes()
  const change = (input: object) => () => w.ada['pages.update']({ page_id, ...input } as never)
  const make =
    (content: string, fields: object = {}) =>
    () =>
      write(w, content, fields)
  const long = 'x'.repeat(1_048_577)
  for (const [call, field, code] of [
    [make(''), 'content', 'required'],
    [make(' \n'), 'content', 'required'],
    [make('<script>x()</script>', { content_type: 'html' }), 'content', 'required'],
    [make(' \n', { canvas: true }), 'content', 'required'],
    [
      make('<b>'.repeat(200) + '</b>'.repeat(200), { content_type: 'html' }),
      'content',
      'invalid_format',
    ],
    [make('<b>'.repeat(200) + '</b>'.repeat(200), { canvas: true }), 'content', 'invalid_format'],
    [make('x', { canvas: true, content_type: 'markdown' }), 'content_type', 'conflict'],
    [make(long), 'content', 'too_long'],
    [make('x', { title: 'x'.repeat(501) }), 'title', 'too_long'],
    [make('x', { kind: 'poem' }), 'kind', 'out_of_range'],
    [change({ content: '' }), 'content', 'required'],
    [change({ content: ' ', mode: 'append' }), 'content', 'required'],
    [change({ content: 'x', mode: 'insert' }), 'mode', 'out_of_range'],
    [change({ content: '<p>x</p>', mode: 'append', canvas: true }), 'canvas', 'conflict'],
    [change({ mode: 'append' }), 'content', 'required'],
    [change({ canvas: true }), 'content', 'required'],
    [change({ note: 'Why' }), 'note', 'conflict'],
    [change({ content: 'x', note: 'x'.repeat(501) }), 'note', 'too_long'],
    [change({ content: 'x', if_version: '1' }), 'if_version', 'invalid_type'],
    [change({ content: 'x', if_version: -1 }), 'if_version', 'out_of_range'],
    [change({ content: 'x\0' }), 'content', 'invalid_format'],
  ] as const)
    expect(await faultOf(call())).toMatchObject({ code: 'invalid', details: { field, code } })
  expect(await w.changeTypes()).toEqual(before)
  expect(await w.cleo['pages.get']({ page_id })).toMatchObject({ content: 'Red.', version: 1 })
  expect((await w.cleo['pages.list']({})).page.total).toBe(1)
})

test('an append beyond the size limit is refused with a hint to use a sub-page', async () => {
  const w = await world()
  const text = `${'word '.repeat(104_858)}.`
  const { page_id } = await write(w, text)
  const append = () => w.bot['pages.update']({ page_id, content: text, mode: 'append' })
  const fault = await faultOf(append())
  expect(fault).toMatchObject({ details: { field: 'content', code: 'too_long' } })
  expect(fault.message).toContain('1048576')
  expect(fault.hint).toContain(`parent_page_id ${page_id}`)
  expect(await w.cleo['pages.get']({ page_id })).toMatchObject({ version: 1, content: text })
})
