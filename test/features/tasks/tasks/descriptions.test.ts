import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { descriptionVersions } from '../../../../src/features/tasks/descriptions/model/index.ts'
import { tasks } from '../../../../src/features/tasks/tasks/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const HOSTILE = '<p onclick="alert(1)">Hi <script>alert(2)</script><b>you</b></p>'
const CLEAN = '<p>Hi <b>you</b></p>'

const textOf = async ({ cleo }: World, task_id: number, overrides = {}) => {
  const record = await cleo['tasks.get']({ task_id, ...overrides })
  if (Array.isArray(record)) throw new Error('Expected one task')
  const { description, content_type, description_version } = record
  return { description, content_type, description_version }
}

test('HTML in a description is sanitized on create, update, board creation and draft publishing', async () => {
  const w = await world()
  const { cleo, board, tasks, team_id, sections } = w
  const { project_id } = board
  const created = await cleo['tasks.create']({ project_id, title: 'New', description: HOSTILE })
  await cleo['tasks.update']({ ...tasks.copy, description: HOSTILE })
  const newBoard = await cleo['projects.create']({
    ...{ team_id, title: 'There', sections: [{ title: 'Now' }] },
    tasks: [{ title: 'First', section_index: 0, description: HOSTILE }],
  })
  const [first] = newBoard.tasks
  const draft = { ticket_number: tasks.link.ticket_number, text: HOSTILE }
  const { draft_id } = await cleo['drafts.create'](draft)
  await cleo['drafts.publish']({ draft_id })
  for (const task_id of [created.task_id, tasks.copy.task_id, tasks.link.task_id])
    expect((await textOf(w, task_id)).description).toBe(CLEAN)
  expect(await cleo['tasks.get']({ ticket_number: first! })).toMatchObject({ description: CLEAN })
  const versions = await w.store.read((tx) => tx.select().from(descriptionVersions))
  expect(versions.filter(({ content }) => content.includes('alert'))).toEqual([])
  expect(sections.Doing).toBeNumber()
})

test('a description without visible content is refused as required, but an image is content', async () => {
  const { cleo, board, team_id, tasks } = await world()
  const { project_id } = board
  const empty = ['  ', '<p></p>', '<script>alert(1)</script>', '<p> &nbsp; <br></p>', '<!-- x -->']
  for (const description of empty) {
    const { details } = await faultOf(
      cleo['tasks.update']({ ...tasks.logo, description, content_type: 'html' }),
    )
    expect(details).toMatchObject({ field: 'description', code: 'required' })
  }
  for (const description of [' \n\t', '<!-- x -->'])
    expect(
      (
        await faultOf(
          cleo['tasks.create']({
            ...{ project_id, title: 'x', description, content_type: 'markdown' },
          }),
        )
      ).details,
    ).toMatchObject({ field: 'description', code: 'required' })
  const emptyTask = { title: 'x', section_index: 0, description: '<p></p>' }
  const boardInput = { team_id, title: 'B', sections: [{ title: 'Now' }] }
  const starterTasks = [{ title: 'fine', section_index: 0 }, emptyTask]
  const { details } = await faultOf(cleo['projects.create']({ ...boardInput, tasks: starterTasks }))
  expect(details).toMatchObject({ field: 'tasks.1.description', code: 'required' })
  expect(
    await cleo['tasks.update']({ ...tasks.logo, description: '<img src="/a.png">' }),
  ).toMatchObject({
    description_version: 2,
  })
})

test('relabelling a markdown description as HTML sanitizes its text', async () => {
  const w = await world()
  const { cleo, tasks } = w
  const description = 'a <b onclick="alert(1)">b</b> <img src=x onerror=alert(2)>'
  await cleo['tasks.update']({ ...tasks.copy, description, content_type: 'markdown' })
  expect((await textOf(w, tasks.copy.task_id)).description).toBe(description)
  const relabelled = await cleo['tasks.update']({ ...tasks.copy, content_type: 'html' })
  expect(relabelled.changed.toSorted()).toEqual(['content_type', 'description'])
  expect(await textOf(w, tasks.copy.task_id)).toEqual({
    description: 'a <b>b</b> <img src="x">',
    content_type: 'html',
    description_version: 2,
  })
})

test('a description is returned in the requested format, and an unknown format is refused', async () => {
  const w = await world()
  const { cleo, tasks } = w
  const { task_id, ticket_number } = tasks.logo
  expect(await textOf(w, task_id, { format: 'markdown' })).toMatchObject({
    ...{ description: 'In two colours.\n', content_type: 'markdown' },
  })
  await cleo['tasks.update']({ task_id, description: '**Two**\n', content_type: 'markdown' })
  const html = { description: '<p><strong>Two</strong></p>\n', content_type: 'html' }
  expect(await textOf(w, task_id, { format: 'html' })).toMatchObject(html)
  expect(await textOf(w, task_id)).toMatchObject({ description: '**Two**\n' })
  const records = await cleo['tasks.get']({
    ...{ ticket_number: [ticket_number, tasks.copy.ticket_number], format: 'html' },
  })
  expect(records).toMatchObject([html, { description: null, content_type: 'html' }])
  const { body } = await w.http(cleo, 'GET', `/api/v1/tasks/${ticket_number}?format=html`)
  expect(body.data).toMatchObject(html)
  const unknownFormat = await w.http(cleo, 'GET', `/api/v1/tasks/${ticket_number}?format=pdf`)
  expect([unknownFormat.status, unknownFormat.body.details.field]).toEqual([400, 'format'])
})

test('HTML that was stored unsanitized is sanitized when it is read as HTML or markdown', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await w.store.write((tx) =>
    tx.update(tasks).set({ description: HOSTILE }).where(eq(tasks.task_id, task_id)),
  )
  expect(await textOf(w, task_id, { format: 'html' })).toMatchObject({ description: CLEAN })
  expect((await textOf(w, task_id, { format: 'markdown' })).description).toBe('Hi **you**\n')
})

test('of several long descriptions, those past the conversion limit are returned as stored', async () => {
  const { cleo, board, tasks } = await world()
  const { project_id } = board
  const description = `<p>${'word '.repeat(120_000)}</p>`
  const created = await cleo['tasks.create']({ project_id, title: 'Long', description })
  const other = await cleo['tasks.create']({ project_id, title: 'Long too', description })
  const request = { task_id: [created.task_id, other.task_id], format: 'markdown' as const }
  expect(await cleo['tasks.get'](request)).toMatchObject([
    { description: `${'word '.repeat(120_000).trim()}\n`, content_type: 'markdown' },
    { description, content_type: 'html' },
  ])
  const both = { ...request, task_id: [created.task_id, tasks.logo.task_id] }
  expect(await cleo['tasks.get'](both)).toHaveLength(2)
})

async function createVersions(w: World) {
  const { task_id } = w.tasks.logo
  w.clock.advance(60_000)
  await w.ben['tasks.update']({ task_id, description: 'two *words*', content_type: 'markdown' })
  w.clock.advance(60_000)
  await w.cleo['tasks.update']({ task_id, description: '<p>Third</p>' })
  return task_id
}

test('description versions are listed newest first, without their texts unless requested', async () => {
  const w = await world()
  const task_id = await createVersions(w)
  const { items, page } = await w.cleo['tasks.versions']({ task_id })
  expect(items).toMatchObject([
    { version: 3, current: true, author: { name: 'Cleo' }, excerpt: 'Third', length: 12 },
    {
      ...{ version: 2, current: false, author: { name: 'Ben' }, excerpt: 'two words', length: 11 },
      ...{ content_type: 'markdown', created_at: '2026-11-20T12:01:00.000Z' },
    },
    { version: 1, current: false, author: { name: 'Ada' }, excerpt: 'In two colours.' },
  ])
  expect(items.filter((one) => 'description' in one)).toEqual([])
  expect(page).toMatchObject({ total: 3, has_more: false })
  const withText = await w.cleo['tasks.versions']({ task_id, fields: 'version,description' })
  expect(withText.items as unknown).toEqual([
    { version: 3, description: '<p>Third</p>' },
    { version: 2, description: 'two *words*' },
    { version: 1, description: '<p>In two colours.</p>' },
  ])
  const asHtml = await w.cleo['tasks.versions']({ task_id, format: 'html', limit: 2 })
  expect(asHtml.items[1]).toMatchObject({ description: '<p>two <em>words</em></p>\n' })
  expect(asHtml.items[1]!.content_type).toBe('html')
  const { next_cursor } = asHtml.page
  const rest = await w.cleo['tasks.versions']({
    task_id,
    cursor: next_cursor!,
    limit: 2,
    format: 'html',
  })
  expect(rest.items.map(({ version }) => version)).toEqual([1])
  const found = await w.cleo['tasks.versions']({ task_id, query: 'colours' })
  expect(found.items.map(({ version }) => version)).toEqual([1])
  expect((await w.cleo['tasks.versions']({ ...w.tasks.copy })).items).toEqual([])
})

test('a cursor from the versions of one task is refused for another task', async () => {
  const w = await world()
  const task_id = await createVersions(w)
  const { page } = await w.cleo['tasks.versions']({ task_id, limit: 1 })
  const other = w.cleo['tasks.versions']({ ...w.tasks.copy, limit: 1, cursor: page.next_cursor! })
  expect((await faultOf(other)).details).toMatchObject({ field: 'cursor', code: 'conflict' })
})

test('restoring an earlier description creates a new version with its text', async () => {
  const w = await world()
  const task_id = await createVersions(w)
  const { items } = await w.cleo['tasks.versions']({ task_id })
  const seq = (await w.changes()).at(-1)!.seq
  w.clock.advance(60_000)
  const receipt = await w.cleo['tasks.restore']({ task_id, version_id: items[1]!.version_id })
  expect(receipt).toMatchObject({ description_version: 4, updated_at: '2026-11-20T12:03:00.000Z' })
  expect(receipt.changed.toSorted()).toEqual(['content_type', 'description'])
  expect(await textOf(w, task_id)).toEqual({
    ...{ description: 'two *words*', content_type: 'markdown', description_version: 4 },
  })
  const [change, ...rest] = await w.changes(seq)
  expect(rest).toEqual([])
  expect(change).toMatchObject({ type: 'task.updated', task_id })
  expect(JSON.stringify(change)).not.toContain('words')
  const after = await w.cleo['tasks.versions']({ task_id })
  expect(after.items[0]).toMatchObject({ version: 4, current: true, author: { name: 'Cleo' } })
})

test('restoring the current version of a description changes nothing', async () => {
  const w = await world()
  const task_id = await createVersions(w)
  const { items } = await w.cleo['tasks.versions']({ task_id })
  const seq = (await w.changes()).at(-1)!.seq
  const receipt = await w.cleo['tasks.restore']({ task_id, version_id: items[0]!.version_id })
  expect(receipt).toMatchObject({ changed: [], description_version: 3 })
  expect(await w.changeTypes(seq)).toEqual([])
})

test('a version of another task, an unknown version and another team’s task are not found', async () => {
  const w = await world()
  const task_id = await createVersions(w)
  const { items } = await w.cleo['tasks.versions']({ task_id })
  for (const version_id of [items[0]!.version_id, 999]) {
    const fault = await faultOf(w.cleo['tasks.restore']({ ...w.tasks.copy, version_id }))
    expect([fault.code, fault.details.field]).toEqual(['not_found', 'version_id'])
  }
  const fault = await faultOf(w.otto['tasks.restore']({ task_id, version_id: 1 }))
  expect([fault.code, fault.details.field]).toEqual(['not_found', 'task_id'])
  const listFault = await faultOf(w.otto['tasks.versions']({ task_id }))
  expect(listFault.code).toBe('not_found')
})

test('description versions are listed and restored under /api/v1 and /api/mcp, by version_id', async () => {
  const w = await world()
  await createVersions(w)
  const { cleo, tasks } = w
  const { ticket_number } = tasks.logo
  const listed = await w.http(cleo, 'GET', `/api/v1/tasks/${ticket_number}/versions`)
  const mcpPath = `/api/mcp/tasks/description-versions?ticket_number=${ticket_number}`
  expect((await w.http(cleo, 'GET', mcpPath)).body).toEqual(listed.body)
  expect([listed.status, listed.body.page.total]).toEqual([200, 3])
  const version_id = listed.body.data[2].version_id
  const restored = await w.http(cleo, 'POST', '/api/mcp/tasks/description-restore', {
    ...{ ticket_number, version_id },
  })
  expect([restored.status, restored.body.data.description_version]).toEqual([200, 4])
  const missingVersion = await w.http(cleo, 'POST', `/api/v1/tasks/${ticket_number}/restore`, {})
  expect([missingVersion.status, missingVersion.body.details]).toMatchObject([
    ...[400, { field: 'version_id', code: 'required' }],
  ])
})

test('updating a description with a stale if_version returns a conflict with the current text', async () => {
  const w = await world()
  const task_id = await createVersions(w)
  const staleInput = { task_id, description: 'mine', if_version: 2 }
  const { code, details } = await faultOf(w.ben['tasks.update'](staleInput))
  expect(code).toBe('conflict')
  expect(details).toMatchObject({ version: 3, current: '<p>Third</p>', content_type: 'html' })
})
