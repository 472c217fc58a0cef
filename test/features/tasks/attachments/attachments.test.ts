import { expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { taskById } from '../../../../src/features/tasks/tasks/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const text = (content: string, filename = 'notes.txt') => ({
  filename,
  content_type: 'text/plain',
  data: Buffer.from(content).toString('base64'),
})
const picture = { filename: 'dot.png', content_type: 'image/png', data: PNG.toString('base64') }

/** Returns the names of all files in the store, complete or partly written. */
function storedFiles({ config }: Pick<World, 'config'>): string[] {
  try {
    const names = readdirSync(join(config.data, 'files'), { recursive: true }) as string[]
    return names.filter((name) => name.length > 2).map((name) => name.split('/').at(-1)!)
  } catch {
    return []
  }
}

const logoKeys = async (w: World) => {
  const { task_id, ticket_number } = w.tasks.logo
  return { task_id, ticket_number }
}

const countOf = async (w: World, task_id: number) =>
  (await w.cleo['attachments.list']({ task_id })).page.total

test('files attached to a task are logged, listed and downloaded unchanged', async () => {
  const w = await world()
  const { task_id, ticket_number } = await logoKeys(w)
  const created = await w.cleo['attachments.create']({
    ticket_number,
    files: [picture, text('Hi')],
  })
  expect(created).toMatchObject({ task_id, ticket_number, comment_id: null })
  const [first, second] = created.attachments
  expect(first).toEqual({
    attachment_id: first!.attachment_id,
    task_id,
    comment_id: null,
    filename: 'dot.png',
    content_type: 'image/png',
    size: PNG.length,
    sha256: new Bun.CryptoHasher('sha256').update(PNG).digest('hex'),
    url: `http://localhost/api/v1/attachments/${first!.attachment_id}/content`,
    created_by: { kind: 'person', user_id: w.cleo.caller.actor_id, name: 'Cleo' },
    created_at: '2026-11-20T12:00:00.000Z',
  })
  const { items, page } = await w.ada['attachments.list']({ task_id })
  expect(items).toEqual(created.attachments)
  expect(page.total).toBe(2)
  const download = await content(w, w.ada, second!.attachment_id)
  expect([download.status, await download.text()]).toEqual([200, 'Hi'])
  const pictureDownload = await content(w, w.ada, first!.attachment_id)
  expect(Buffer.from(await pictureDownload.arrayBuffer())).toEqual(PNG)
  const logged = (await w.changes()).map(({ type, task_id, data }) => [type, task_id, data])
  expect(logged).toEqual([
    [
      'attachment.created',
      task_id,
      { attachment_id: first!.attachment_id, filename: 'dot.png', size: PNG.length },
    ],
    [
      'attachment.created',
      task_id,
      { attachment_id: second!.attachment_id, filename: 'notes.txt', size: 2 },
    ],
  ])
})

const content = (w: World, actor: { secret: string }, id: number, headers = {}, method = 'GET') =>
  w.app.handle(
    new Request(`http://localhost/api/v1/attachments/${id}/content`, {
      method,
      headers: { authorization: `Bearer ${actor.secret}`, ...headers },
    }),
  )

test('a file can be sent as plain text, and is stored as UTF-8', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const notes = { filename: 'notes.md', content_type: 'text/markdown', text: '# Größe' }
  const { attachments } = await w.cleo['attachments.create']({ task_id, files: [notes] })
  expect(attachments).toMatchObject([{ content_type: 'text/markdown', size: 9 }])
  const download = await content(w, w.cleo, attachments[0]!.attachment_id)
  expect(await download.text()).toBe('# Größe')
})

test('identical content is stored once, even if different people attach it', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.cleo['attachments.create']({ task_id, files: [text('same', 'a.txt')] })
  await w.bot['attachments.create']({ task_id, files: [text('same', 'b.txt')] })
  expect(storedFiles(w)).toHaveLength(1)
  const { items } = await w.cleo['attachments.list']({ task_id, sort: 'title:desc' })
  expect(items.map(({ filename, created_by }) => [filename, created_by.name])).toEqual([
    ['b.txt', 'Bot'],
    ['a.txt', 'Cleo'],
  ])
})

test('attaching files updates the has_attachments filter and keeps updated_at', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const before = await w.cleo['tasks.get']({ task_id })
  w.clock.advance(1000)
  const created = await w.cleo['attachments.create']({ task_id, files: [picture, text('x')] })
  const countTasks = async (has_attachments: boolean) =>
    (await w.cleo['tasks.list']({ project_id: w.board.project_id, has_attachments })).page.total
  expect([await countTasks(true), await countTasks(false)]).toEqual([1, 3])
  expect(await w.cleo['tasks.get']({ task_id })).toMatchObject({
    updated_at: (before as { updated_at: string }).updated_at,
  })
  for (const { attachment_id } of created.attachments)
    await w.cleo['attachments.delete']({ attachment_id })
  expect(await countTasks(true)).toBe(0)
})

test('creating or updating a task can attach files', async () => {
  const w = await world()
  const { project_id } = w.board
  const created = await w.bot['tasks.create']({ project_id, title: 'Sign', attachments: [picture] })
  expect(created.changed).toEqual(['title', 'attachments'])
  const { task_id } = created
  expect(await countOf(w, task_id)).toBe(1)
  const updated = await w.cleo['tasks.update']({ task_id, attachments: [text('more')] })
  expect(updated).toMatchObject({ changed: ['attachments'], updated_at: created.updated_at })
  expect(await countOf(w, task_id)).toBe(2)
  expect(await w.changeTypes()).toEqual([
    'task.created',
    'attachment.created',
    'attachment.created',
  ])
})

test('a refused creation or update of a task with attachments emits no change', async () => {
  const w = await world()
  const attachments = [text('lost')]
  await faultOf(w.cleo['tasks.create']({ project_id: 999, title: 'x', attachments }))
  await faultOf(w.cleo['tasks.update']({ task_id: 999, attachments }))
  expect(await w.changeTypes()).toEqual([])
})

test('only its creator and board managers can delete an attachment', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const created = await w.ben['attachments.create']({ task_id, files: [text('a'), text('b')] })
  const [first, second] = created.attachments.map(({ attachment_id }) => attachment_id)
  const refusal = await faultOf(w.cleo['attachments.delete']({ attachment_id: first! }))
  expect(refusal.code).toBe('forbidden')
  expect(await countOf(w, task_id)).toBe(2)
  const deleted = await w.ben['attachments.delete']({ attachment_id: first! })
  expect(deleted).toEqual({ attachment_id: first!, deleted: true })
  await w.ada['attachments.delete']({ attachment_id: second! })
  expect((await faultOf(w.ben['attachments.delete']({ attachment_id: first! }))).code).toBe(
    'not_found',
  )
  const deletions = (await w.changes()).slice(2).map(({ type, data }) => [type, data])
  expect(deletions).toEqual([
    ['attachment.deleted', { attachment_id: first, filename: 'notes.txt', size: 1 }],
    ['attachment.deleted', { attachment_id: second, filename: 'notes.txt', size: 1 }],
  ])
})

test('attachments are refused without board access, a valid credential or tasks:read', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { attachments } = await w.cleo['attachments.create']({ task_id, files: [picture] })
  const { attachment_id } = attachments[0]!
  for (const stranger of [w.otto, w.gus]) {
    const refusal = await faultOf(stranger['attachments.get']({ attachment_id }))
    expect(refusal.message).toBe(`There is no attachment ${attachment_id} that you can see`)
    expect((await faultOf(stranger['attachments.delete']({ attachment_id }))).code).toBe(
      'not_found',
    )
    expect((await faultOf(stranger['attachments.list']({ task_id }))).code).toBe('not_found')
    const files = [text('x')]
    expect((await faultOf(stranger['attachments.create']({ task_id, files }))).code).toBe(
      'not_found',
    )
    expect((await content(w, stranger, attachment_id)).status).toBe(404)
  }
  expect((await content(w, { secret: 'cork_guessed' }, attachment_id)).status).toBe(401)
  const reader = await w.authenticateAs(w.cleo.caller.actor_id, 'key', ['tasks:read'])
  expect((await content(w, reader, attachment_id)).status).toBe(200)
  const boardReader = await w.authenticateAs(w.cleo.caller.actor_id, 'key', ['projects:read'])
  expect((await content(w, boardReader, attachment_id)).status).toBe(403)
})

test('attachment_count stays correct after concurrent creations and deletions', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const files = (n: number) => [text(`${n} a`), text(`${n} b`)]
  await Promise.all(
    [w.ada, w.ben, w.cleo, w.bot].map((actor, n) =>
      actor['attachments.create']({ task_id, files: files(n) }),
    ),
  )
  expect(await countOf(w, task_id)).toBe(8)
  const counts = await w.store.read((tx) => taskById(tx, task_id))
  expect(counts!.attachment_count).toBe(8)
  const { items } = await w.ada['attachments.list']({ task_id })
  await Promise.all(
    items.map(({ attachment_id }) => w.ada['attachments.delete']({ attachment_id })),
  )
  expect((await w.store.read((tx) => taskById(tx, task_id)))!.attachment_count).toBe(0)
})

test('an invalid file is refused with its field and code, and nothing is stored', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const data = 'SGk='
  const file = { filename: 'a.txt', content_type: 'text/plain' }
  const large = (size: number) => Buffer.alloc(size, 'x').toString('base64')
  for (const [files, field, code] of [
    [[], 'files', 'required'],
    [Array.from({ length: 11 }, () => ({ ...file, data })), 'files', 'too_long'],
    [[{ ...file }], 'files.0.data', 'required'],
    [[{ ...file, data, url: 'http://example.com' }], 'files.0.url', 'conflict'],
    [[{ ...file, data, text: 'Hi' }], 'files.0.text', 'conflict'],
    [[{ ...file, text: 'x'.repeat(3_145_729) }], 'files.0.text', 'too_long'],
    [
      [
        { ...file, data },
        { ...file, data: '' },
      ],
      'files.1.data',
      'required',
    ],
    [[{ ...file, data: 'SGk' }], 'files.0.data', 'invalid_format'],
    [[{ ...file, data: 'S$k=' }], 'files.0.data', 'invalid_format'],
    [[{ ...file, data: 'data:text/plain;base64,SGk=' }], 'files.0.data', 'invalid_format'],
    [[{ ...file, data: 'SGl=' }], 'files.0.data', 'invalid_format'],
    [[{ ...file, data: '-_-_' }], 'files.0.data', 'invalid_format'],
    [[{ ...file, filename: '', data }], 'files.0.filename', 'required'],
    [[{ ...file, filename: 'x'.repeat(1001), data }], 'files.0.filename', 'too_long'],
    [[{ ...file, content_type: 'text', data }], 'files.0.content_type', 'invalid_format'],
    [[{ ...file, content_type: 'a/b\r\nx: y', data }], 'files.0.content_type', 'invalid_format'],
    [[{ ...file, data, mode: 7 }], 'files.0.mode', 'unknown_field'],
    [[{ ...file, data: large(3_145_729) }], 'files.0.data', 'too_long'],
    [
      [
        { ...file, data: large(3_145_700) },
        { ...file, data: large(29) },
      ],
      ...['files.1.data', 'too_long'],
    ],
    [[{ ...file, url: 'ftp://example.com/a' }], 'files.0.url', 'invalid_format'],
    [
      [
        { ...file, data },
        { ...file, url: 'http://127.0.0.1/a' },
      ],
      'files.1.url',
      'out_of_range',
    ],
  ] as const) {
    const path = `/api/v1/tasks/${task_id}/attachments`
    const { status, body } = await w.http(w.cleo, 'POST', path, { files })
    expect([status, body.details.field, body.details.code]).toEqual([400, field, code])
  }
  expect(storedFiles(w)).toEqual([])
  const files = [{ ...file, data }]
  const withoutTask = await faultOf(w.cleo['attachments.create']({ files }))
  expect(withoutTask.details).toMatchObject({ field: 'ticket_number', code: 'required' })
  expect(withoutTask.message).toContain('comment_id')
  const largestFile = [{ ...file, data: large(3_145_728) }]
  const created = await w.cleo['attachments.create']({ task_id, files: largestFile })
  expect(created.attachments[0]!.size).toBe(3_145_728)
})

test('a storage failure is reported as an internal error and records no attachment', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  // A file in place of the data folder makes every write fail.
  writeFileSync(w.config.data, '')
  const refusal = await faultOf(w.cleo['attachments.create']({ task_id, files: [picture] }))
  expect(refusal).toMatchObject({
    code: 'internal',
    message: 'The files could not be stored; nothing was changed',
    cause: expect.any(Error),
  })
  expect(await countOf(w, task_id)).toBe(0)
})

test('attachments are paged and filtered by comment and by filename', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const names = ['a.txt', 'b.md', 'c.txt']
  await w.cleo['attachments.create']({ task_id, files: names.map((name) => text(name, name)) })
  const first = await w.cleo['attachments.list']({ task_id, limit: 2 })
  expect(first.items.map(({ filename }) => filename)).toEqual(['a.txt', 'b.md'])
  expect(first.page).toMatchObject({ total: 3, has_more: true })
  const rest = await w.cleo['attachments.list']({
    ...{ task_id, limit: 2, cursor: first.page.next_cursor! },
  })
  expect(rest.items.map(({ filename }) => filename)).toEqual(['c.txt'])
  const found = await w.cleo['attachments.list']({ task_id, query: '.TXT' })
  expect(found.items).toHaveLength(2)
  expect((await w.cleo['attachments.list']({ task_id, comment_id: 1 })).items).toEqual([])
})

test('a retry with the same idempotency key attaches the files once', async () => {
  const w = await world()
  const path = `/api/v1/tasks/${w.tasks.logo.ticket_number}/attachments`
  const headers = { 'idempotency-key': 'once' }
  const first = await w.http(w.cleo, 'POST', path, { files: [picture] }, headers)
  const again = await w.http(w.cleo, 'POST', path, { files: [picture] }, headers)
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body.data).toEqual(first.body.data)
  expect(await countOf(w, w.tasks.logo.task_id)).toBe(1)
})
