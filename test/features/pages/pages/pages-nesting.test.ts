import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const write = async ({ ada, tasks }: World, parent_page_id?: number, task = tasks.logo) => {
  const nested = parent_page_id === undefined ? {} : { parent_page_id }
  const page = await ada['pages.create']({ task_id: task.task_id, content: 'Words', ...nested })
  return page.page_id
}

const setParent = ({ ada }: World, page_id: number, parent_page_id: number | null) =>
  ada['pages.update']({ page_id, parent_page_id })

const listed = async ({ cleo, tasks }: World) => {
  const { items } = await cleo['pages.list']({ task_id: tasks.logo.task_id, sort: 'createdAt:asc' })
  return items.map(({ page_id, parent_page_id }) => [page_id, parent_page_id])
}

test('a page is nested under another page of its task, and moving it creates no version', async () => {
  const w = await world()
  const parent = await write(w)
  const inner = await write(w, parent)
  const other = await write(w)
  expect(await listed(w)).toEqual([
    [parent, null],
    [inner, parent],
    [other, null],
  ])
  const { version, changed } = await setParent(w, inner, other)
  expect([version, changed]).toEqual([1, ['parent_page_id']])
  const [change] = (await w.changes()).slice(-1)
  expect(change).toMatchObject({ type: 'page.updated', data: { changed: ['parent_page_id'] } })
  expect(change!.data).not.toHaveProperty('mode')
  await setParent(w, inner, null)
  expect((await listed(w))[1]).toEqual([inner, null])
  const { public_id } = await w.ada['pages.get']({ page_id: parent })
  await w.ada['pages.update']({ page_id: inner, parent_page_id: public_id })
  expect((await listed(w))[1]).toEqual([inner, parent])
})

test('a parent inside the page, on another task, unknown, archived or too deep is refused', async () => {
  const w = await world()
  const parent = await write(w)
  const inner = await write(w, parent)
  const innermost = await write(w, inner)
  const elsewhere = await write(w, undefined, w.tasks.copy)
  const otherPage = await write(w)
  await w.ada['pages.archive']({ page_id: otherPage })
  let deep = innermost
  for (let level = 4; level <= 10; level++) deep = await write(w, deep)
  const before = await listed(w)
  for (const [call, code] of [
    [() => setParent(w, parent, parent), 'conflict'],
    [() => setParent(w, parent, innermost), 'conflict'],
    [() => setParent(w, parent, elsewhere), 'not_found'],
    [() => setParent(w, parent, otherPage), 'not_found'],
    [() => setParent(w, parent, 9999), 'not_found'],
    [() => write(w, deep), 'out_of_range'],
    [() => write(w, elsewhere), 'not_found'],
  ] as const)
    expect(await faultOf(call())).toMatchObject({
      ...{ code: 'invalid', details: { field: 'parent_page_id', code } },
    })
  expect(await listed(w)).toEqual(before)
})

test('of two pages nested under each other concurrently one is refused', async () => {
  const w = await world()
  const [one, other] = [await write(w), await write(w)]
  const done = await Promise.allSettled([setParent(w, one, other), setParent(w, other, one)])
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('archiving a page archives its sub-pages, hides them from lists and blocks updates', async () => {
  const w = await world()
  const parent = await write(w)
  const inner = await write(w, parent)
  const innermost = await write(w, inner)
  const other = await write(w)
  const archived = await w.bot['pages.archive']({ page_id: parent })
  expect(archived).toEqual({
    ...{ page_id: parent, title: 'Words', archived_at: '2026-11-20T12:00:00.000Z', archived: 3 },
  })
  expect(await listed(w)).toEqual([[other, null]])
  const { items } = await w.bot['pages.list']({ status: 'Archive' })
  expect(items.map(({ page_id }) => page_id).sort()).toEqual([parent, inner, innermost])
  const changes = (await w.changes()).slice(-3)
  expect(changes.map(({ type, data }) => [type, data.page_id])).toEqual([
    ['page.archived', parent],
    ['page.archived', inner],
    ['page.archived', innermost],
  ])
  expect(await w.ada['tasks.get']({ task_id: w.tasks.logo.task_id })).toMatchObject({
    page_count: 1,
  })
  const fault = await faultOf(w.ada['pages.update']({ page_id: inner, content: 'x' }))
  expect(fault).toMatchObject({ code: 'conflict', details: { field: 'page_id' } })
  expect(fault.hint).toContain('restore')
  expect(await w.ada['pages.get']({ page_id: inner })).toMatchObject({
    archived_at: '2026-11-20T12:00:00.000Z',
  })
  const { length } = await w.changeTypes()
  expect(await w.ada['pages.archive']({ page_id: inner })).toMatchObject({ archived: 0 })
  expect(await w.changeTypes()).toHaveLength(length)
})

test('restoring an archived page restores the sub-pages archived with it, and no others', async () => {
  const w = await world()
  const parent = await write(w)
  const before = await write(w, parent)
  const inner = await write(w, parent)
  await w.ada['pages.archive']({ page_id: before })
  w.clock.advance(1000)
  await w.ada['pages.archive']({ page_id: parent })
  const versionOf = async (page_id: number) =>
    (await w.ada['pages.versions']({ page_id })).items[0]!.version_id
  const restored = await w.bot['pages.restore']({
    page_id: parent,
    version_id: await versionOf(parent),
  })
  expect(restored).toMatchObject({ version: 1, changed: ['archived_at'] })
  expect(await listed(w)).toEqual([
    [parent, null],
    [inner, parent],
  ])
  const changes = (await w.changes()).slice(-2)
  expect(changes.map(({ type, data }) => [type, data.page_id]).sort()).toEqual([
    ['page.restored', parent],
    ['page.restored', inner],
  ])
  expect(await w.ada['tasks.get']({ task_id: w.tasks.logo.task_id })).toMatchObject({
    page_count: 2,
  })
  await w.ada['pages.archive']({ page_id: parent })
  await w.ada['pages.restore']({ page_id: inner, version_id: await versionOf(inner) })
  expect(await listed(w)).toEqual([[inner, null]])
})

test('a page that would be restored too deep becomes a top-level page', async () => {
  const w = await world()
  const chain = async (many: number, root?: number) => {
    const ids = root === undefined ? [] : [root]
    while (ids.length < many) ids.push(await write(w, ids.at(-1)))
    return ids
  }
  const high = await chain(6)
  const low = await chain(6)
  await w.ada['pages.archive']({ page_id: low[1]! })
  await setParent(w, low[0]!, high.at(-1)!)
  const { items } = await w.ada['pages.versions']({ page_id: low[1]! })
  await w.ada['pages.restore']({ page_id: low[1]!, version_id: items[0]!.version_id })
  const parents = new Map((await listed(w)).map(([id, parent]) => [id, parent]))
  expect([parents.get(low[1]!), parents.get(low[2]!)]).toEqual([null, low[1]!])
  expect((await w.ada['pages.archive']({ page_id: high[0]! })).archived).toBe(7)
})

test('page changes appear in the activity of their task', async () => {
  const w = await world()
  const page_id = await write(w)
  await w.bot['pages.update']({ page_id, content: 'More', mode: 'append' })
  await w.bot['pages.update']({ page_id, title: 'Colours' })
  const { items } = await w.ada['pages.versions']({ page_id })
  await w.bot['pages.archive']({ page_id })
  await w.bot['pages.restore']({ page_id, version_id: items.at(-1)!.version_id })
  const { task_id } = w.tasks.logo
  const timeline = await w.cleo['comments.list']({ task_id, include_activity: true })
  const summaries = timeline.items.flatMap(({ summary }) =>
    summary?.includes('page') ? summary : [],
  )
  expect(summaries.sort()).toEqual(
    [
      'added to the page "Words"',
      'archived the page "Colours"',
      'edited the page "Colours"',
      'restored the page "Words"',
      'created the page "Words"',
    ].sort(),
  )
})

test('the activity of a task omits page changes for a caller without pages:read', async () => {
  const w = await world()
  await write(w)
  const worker = await w.authenticateAs(w.ada.caller.actor_id, 'key', ['tasks:read'])
  const { task_id } = w.tasks.logo
  const timeline = await worker['comments.list']({ task_id, include_activity: true })
  expect(timeline.page.total).toBe(timeline.items.length)
  expect(timeline.items.map(({ type }) => type)).not.toContain('page.created')
  const { activity } = (await worker['tasks.context']({ task_id })) as { activity: object[] }
  expect(JSON.stringify(activity)).toContain('task.created')
  expect(JSON.stringify(activity)).not.toContain('page')
})
