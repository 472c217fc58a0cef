import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const TEXT = '# Colours\n\nRed, or *blue*.'

const write = ({ ada, tasks }: World, fields: object = {}) =>
  ada['pages.create']({ task_id: tasks.logo.task_id, content: TEXT, ...fields })

const read = async ({ cleo }: World, page_id: number | string) =>
  (await cleo['pages.get']({ page_id })).content

test('creating a page stores it on its task, counts it and logs the change without its text', async () => {
  const w = await world()
  const { task_id, ticket_number } = w.tasks.logo
  const receipt = await write(w)
  const { page_id, public_id } = receipt
  expect(receipt).toMatchObject({
    task_id,
    ticket_number,
    title: 'Colours',
    kind: 'page',
    version: 1,
  })
  expect(public_id).toMatch(/^pg_[0-9a-z]{20}$/)
  const page = await w.bot['pages.get']({ page_id })
  expect(page).toEqual({
    ...{ page_id, public_id, task_id, ticket_number, project_id: w.board.project_id },
    ...{ parent_page_id: null, kind: 'page', title: 'Colours', content_type: 'markdown' },
    ...{ canvas: false, version: 1, length: TEXT.length, content: TEXT, format: 'markdown' },
    ...{ current: true, archived_at: null, canvas_url: null },
    created_by: expect.objectContaining({ name: 'Ada' }),
    updated_by: expect.objectContaining({ name: 'Ada' }),
    ...{ created_at: '2026-11-20T12:00:00.000Z', updated_at: '2026-11-20T12:00:00.000Z' },
    url: `http://localhost/p/${public_id}`,
  })
  expect((await w.bot['pages.get']({ page_id, format: 'html' })).content).toContain('<em>blue</em>')
  const [created, ...rest] = await w.changes()
  expect(rest).toEqual([])
  expect(created).toMatchObject({
    ...{ type: 'page.created', task_id, project_id: w.board.project_id },
    data: { page_id, ticket_number, title: 'Colours', version: 1, kind: 'page' },
  })
  expect(JSON.stringify(created)).not.toContain('blue')
  expect(await w.bot['tasks.get']({ task_id })).toMatchObject({
    page_count: 1,
    updated_at: '2026-11-20T12:00:00.000Z',
  })
  const { counts } = (await w.bot['tasks.context']({ task_id })) as { counts: object }
  expect(counts).toMatchObject({ pages: 1 })
})

test('has:page finds tasks with pages that are not archived, and no others', async () => {
  const w = await world()
  const { page_id } = await write(w)
  const found = async (query: string) =>
    (await w.cleo['search.tasks']({ query })).items.map(({ ticket_number }) => ticket_number)
  expect(await found('has:page')).toEqual([w.tasks.logo.ticket_number])
  expect(await found('-has:page logo')).toEqual([])
  await w.ada['pages.archive']({ page_id })
  expect(await found('has:page')).toEqual([])
})

test('a page is addressed by its number or public id, as page_id or id', async () => {
  const w = await world()
  const { page_id, public_id } = await write(w)
  const other = await write(w)
  for (const named of [
    { page_id },
    { id: page_id },
    { page_id: String(page_id) },
    { id: public_id },
    { page_id, id: page_id },
    { page_id, id: public_id },
  ])
    expect(await w.bot['pages.get'](named)).toMatchObject({ page_id, public_id })
  for (const [named, code, field] of [
    [{}, 'invalid', 'page_id'],
    [{ page_id, id: other.page_id }, 'invalid', 'id'],
    [{ page_id: 999 }, 'not_found', 'page_id'],
    [{ page_id: '99999999999' }, 'not_found', 'page_id'],
    [{ page_id: 'pg_00000000000000000000' }, 'not_found', 'page_id'],
  ] as const)
    expect(await faultOf(w.bot['pages.get'](named))).toMatchObject({ code, details: { field } })
})

test('append and prepend need no if_version, and separate the texts with a blank line', async () => {
  const w = await world()
  const { page_id } = await write(w)
  const add = (mode: 'append' | 'prepend', content: string) =>
    w.bot['pages.update']({ page_id, mode, content })
  expect(await add('append', 'Or green.')).toMatchObject({ version: 2, changed: ['content'] })
  await add('prepend', 'Decided on Monday.\n')
  await add('append', '\n\n- last')
  expect(await read(w, page_id)).toBe(`Decided on Monday.\n\n${TEXT}\n\nOr green.\n\n- last`)
  const updates = (await w.changes()).slice(1)
  expect(updates.map(({ type, data }) => [type, data.mode, data.version, data.changed])).toEqual([
    ['page.updated', 'append', 2, ['content']],
    ['page.updated', 'prepend', 3, ['content']],
    ['page.updated', 'append', 4, ['content']],
  ])
})

test('many large appends and prepends keep the whole text', async () => {
  const w = await world()
  const { page_id } = await write(w, { content: 'middle' })
  let text = 'middle'
  for (let n = 0; n < 12; n++) {
    const content = `${n} ${'👍'.repeat(3000 + n)}`
    const mode = n % 3 ? 'append' : 'prepend'
    await w.bot['pages.update']({ page_id, mode, content })
    text = mode === 'append' ? `${text}\n\n${content}` : `${content}\n\n${text}`
  }
  expect(await w.cleo['pages.get']({ page_id })).toMatchObject({
    content: text,
    length: text.length,
  })
})

test('an outdated or unknown if_version is refused with 409 and the current text', async () => {
  const w = await world()
  const { page_id } = await write(w)
  await w.bot['pages.update']({ page_id, content: 'Green.', if_version: 1 })
  for (const [if_version, mode] of [
    [1, 'replace'],
    [1, 'append'],
    [3, 'replace'],
    [0, 'prepend'],
  ] as const) {
    const fault = await faultOf(
      w.ada['pages.update']({ page_id, content: 'Red.', if_version, mode }),
    )
    expect(fault).toMatchObject({
      code: 'conflict',
      details: {
        ...{ field: 'if_version', value: if_version, version: 2, current: 'Green.' },
        ...{ updated_by: { name: 'Bot' }, updated_at: '2026-11-20T12:00:00.000Z' },
      },
    })
    expect(fault.hint).toContain('version')
  }
  const { status, body } = await w.http(w.ada, 'PATCH', `/api/v1/pages/${page_id}`, {
    ...{ content: 'Red.', if_version: 1 },
  })
  expect(status).toBe(409)
  expect(body).toMatchObject({ error: 'Conflict', details: { current: 'Green.', version: 2 } })
  expect(await read(w, page_id)).toBe('Green.')
})

test('of concurrent updates with the same if_version exactly one succeeds', async () => {
  const w = await world()
  const { page_id } = await write(w)
  const texts = Array.from({ length: 8 }, (_, n) => `Text ${n}`)
  const done = await Promise.allSettled(
    texts.map((content) => w.bot['pages.update']({ page_id, content, if_version: 1 })),
  )
  const successful = texts.filter((_, n) => done[n]!.status === 'fulfilled')
  expect(successful).toHaveLength(1)
  expect(await w.cleo['pages.get']({ page_id })).toMatchObject({
    content: successful[0]!,
    version: 2,
  })
})

test('an update that changes nothing creates no version and logs no change', async () => {
  const w = await world()
  const { page_id } = await write(w)
  const before = await w.changeTypes()
  for (const input of [
    { content: TEXT },
    { content: TEXT, content_type: 'markdown' as const, title: 'Colours', note: 'Again' },
    { title: ' Colours ' },
    { parent_page_id: null },
    {},
  ])
    expect(await w.ada['pages.update']({ page_id, ...input })).toMatchObject({
      ...{ version: 1, changed: [] },
    })
  expect(await w.changeTypes()).toEqual(before)
  expect((await w.ada['pages.versions']({ page_id })).page.total).toBe(1)
})

test('renaming a page creates a version, and a blank title becomes the first heading', async () => {
  const w = await world()
  const { page_id } = await write(w)
  const rename = (title: string) => w.ada['pages.update']({ page_id, title })
  expect(await rename('Exploration')).toMatchObject({
    ...{ title: 'Exploration', kind: 'page', version: 2, changed: ['title'] },
  })
  expect(await rename(' ')).toMatchObject({ title: 'Colours', version: 3 })
  expect(await read(w, page_id)).toBe(TEXT)
})

test('a page is created as a page, description or exploration, with a title that shows its kind', async () => {
  const w = await world()
  for (const [input, kind, expected] of [
    [{ kind: 'description' }, 'description', '#Draw the logo'],
    [{ kind: 'description', title: ' ' }, 'description', '#Draw the logo'],
    [{ kind: 'exploration' }, 'exploration', '#Exploration Colours'],
    [{ title: 'exploration of red' }, 'exploration', '#Exploration of red'],
    [{ kind: 'page', title: 'Red' }, 'page', 'Red'],
  ] as const)
    expect(await write(w, input)).toMatchObject({ kind, title: expected })
  const { page_id } = await write(w, { kind: 'exploration' })
  expect(await w.ada['pages.update']({ page_id, title: 'Blue' })).toMatchObject({
    ...{ kind: 'exploration', title: '#Exploration Blue' },
  })
})

test('pages are listed by task, by board or across boards, the last changed first', async () => {
  const w = await world()
  const first = await write(w)
  w.clock.advance(1000)
  const second = await w.bot['pages.create']({
    ...{ ticket_number: w.tasks.copy.ticket_number, content: 'Second' },
  })
  w.clock.advance(1000)
  await w.ada['pages.update']({ page_id: first.page_id, mode: 'append', content: 'x' })
  const listed = async (filter: object, by = w.cleo) =>
    (await by['pages.list'](filter)).items.map(({ page_id }) => page_id)
  const both = [first.page_id, second.page_id]
  expect(await listed({})).toEqual(both)
  expect(await listed({ project_id: w.board.project_id })).toEqual(both)
  expect(await listed({ project_id: w.board.project_id, sort: 'title:desc' })).toEqual(
    both.toReversed(),
  )
  expect(await listed({ task_id: w.tasks.copy.task_id })).toEqual([second.page_id])
  expect(await listed({ query: 'SECO' })).toEqual([second.page_id])
  expect(await listed({}, w.otto)).toEqual([])
  const [row] = (await w.cleo['pages.list']({ limit: 1 })).items
  expect(row).toMatchObject({ title: 'Colours', version: 2, length: TEXT.length + 3 })
  expect(row).not.toHaveProperty('content')
  await w.ada['tasks.update']({ task_id: w.tasks.copy.task_id, status: 'Deleted' })
  expect(await listed({})).toEqual([first.page_id])
  expect(await listed({ project_id: w.board.project_id })).toEqual([first.page_id])
})

test('pages follow their task to another board, and are not found without access to it', async () => {
  const w = await world()
  const { page_id } = await write(w)
  const { project_id } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Attic', sections: [{ title: 'To do' }] },
  })
  await w.ada['tasks.move']({ task_id: w.tasks.logo.task_id, target_project_id: project_id })
  const pagesOf = async (board: number) =>
    (await w.cleo['pages.list']({ project_id: board })).items.map((row) => row.page_id)
  expect(await pagesOf(project_id)).toEqual([page_id])
  expect(await pagesOf(w.board.project_id)).toEqual([])
  expect(await w.cleo['pages.get']({ page_id })).toMatchObject({ project_id })
  for (const stranger of [w.otto, w.gus])
    for (const call of [
      () => stranger['pages.get']({ page_id }),
      () => stranger['pages.update']({ page_id, content: 'x' }),
      () => stranger['pages.versions']({ page_id }),
      () => stranger['pages.archive']({ page_id }),
      () => stranger['pages.create']({ task_id: w.tasks.logo.task_id, content: 'x' }),
    ])
      expect(await faultOf(call())).toMatchObject({ code: 'not_found' })
})

test('reading and writing pages need separate scopes, and archived pages need pages:write', async () => {
  const w = await world()
  const { page_id } = await write(w)
  const { actor_id } = w.ada.caller
  const reader = await w.authenticateAs(actor_id, 'key', ['pages:read'])
  const worker = await w.authenticateAs(actor_id, 'key', [
    'tasks:read',
    'tasks:write',
    'projects:read',
  ])
  expect(await reader['pages.get']({ page_id })).toMatchObject({ content: TEXT })
  for (const call of [
    () => reader['pages.update']({ page_id, content: 'x' }),
    () => reader['pages.archive']({ page_id }),
    () => worker['pages.get']({ page_id }),
    () => worker['pages.list']({}),
    () => worker['pages.create']({ task_id: w.tasks.logo.task_id, content: 'x' }),
  ])
    expect(await faultOf(call())).toMatchObject({ code: 'forbidden' })
  await w.ada['pages.archive']({ page_id })
  expect(await faultOf(reader['pages.get']({ page_id }))).toMatchObject({ code: 'not_found' })
  const faultCode = await reader['pages.list']({ status: 'Archive' }).catch(({ code }) => code)
  expect(faultCode).toBe('forbidden')
})

test('a conflict shows no text to a caller without pages:read', async () => {
  const w = await world()
  const { page_id } = await write(w)
  const writer = await w.authenticateAs(w.ada.caller.actor_id, 'key', ['pages:write'])
  const { code, details } = await faultOf(
    writer['pages.update']({ page_id, content: 'x', if_version: 9 }),
  )
  expect([code, details.version]).toEqual(['conflict', 1])
  expect(details).not.toHaveProperty('current')
})
