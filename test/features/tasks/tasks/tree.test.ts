import { expect, test } from 'bun:test'
import { tasks } from '../../../../src/features/tasks/tasks/model/index.ts'
import { callTool } from '../../../support/surface-calls.ts'
import { world } from '../../../support/world.ts'

/** HP-1 has the subtasks a (with a1 and a2) and b. */
async function family() {
  const w = await world()
  const { project_id } = w.board
  const under = async (parent_task_id: number, title: string) =>
    (await w.cleo['tasks.create']({ project_id, title, parent_task_id })).task_id
  const { task_id } = w.tasks.logo
  const a = await under(task_id, 'a')
  const b = await under(task_id, 'b')
  const a1 = await under(a, 'a1')
  const a2 = await under(a, 'a2')
  const tree = (overrides: object = {}) => w.cleo['tasks.tree']({ task_id, ...overrides })
  return { ...w, under, tree, ids: { a, b, a1, a2 } }
}

interface Node {
  title: string
  child_count: number
  children: Node[]
}

const text = ({ title, child_count, children }: Node): string =>
  `${title}:${child_count}${children.length ? `(${children.map(text).join(' ')})` : ''}`

test('a tree shows subtasks down to the given depth, each with its child_count', async () => {
  const { tree } = await family()
  const full = await tree()
  expect(text(full.tree)).toBe('Draw the logo:2(a:2(a1:0 a2:0) b:0)')
  expect(full).toMatchObject({ node_count: 5, truncated: false })
  expect(text((await tree({ depth: 1 })).tree)).toBe('Draw the logo:2(a:2 b:0)')
  const single = await tree({ depth: 0 })
  expect(text(single.tree)).toBe('Draw the logo:2')
  expect(single.tree).toMatchObject({
    ...{ ticket_number: 'HP-1', section: 'Doing', done: false, blocked: false, status: 'Normal' },
    ...{ priority_name: 'High', size: 'S', due_date: '2026-11-27', children: [] },
    assignees: [{ kind: 'person', name: 'Cleo' }],
  })
})

test('a tree shows archived subtasks, but a deleted one only as its root', async () => {
  const { cleo, tree, ids } = await family()
  await cleo['tasks.update']({ task_id: ids.b, status: 'Archive' })
  await cleo['tasks.update']({ task_id: ids.a1, status: 'Deleted' })
  expect(text((await tree()).tree)).toBe('Draw the logo:2(a:1(a2:0) b:0)')
  await cleo['tasks.update']({ task_id: ids.a, status: 'Deleted' })
  expect(text((await tree()).tree)).toBe('Draw the logo:1(b:0)')
  const subtree = await cleo['tasks.tree']({ task_id: ids.a })
  expect(subtree.tree.status).toBe('Deleted')
  expect(text(subtree.tree)).toBe('a:1(a2:0)')
})

test('a blocked subtask is marked as blocked', async () => {
  const { cleo, tree, ids } = await family()
  await cleo['relations.create']({
    ...{ source_task_id: ids.b, target_task_id: ids.a, relation_type: 'BlockedBy' },
  })
  const { children } = (await tree()).tree
  expect(children.map(({ title, blocked }) => [title, blocked])).toEqual([
    ['a', false],
    ['b', true],
  ])
})

test('a tree shows all twenty levels and at most 1,000 tasks', async () => {
  const { store, under, tree, tasks: byName, ids } = await family()
  let deepest = ids.b
  for (let level = 3; level <= 20; level++) deepest = await under(deepest, `L${level}`)
  expect((await tree()).node_count).toBe(5 + 18)
  const [model] = (await store.read((tx) => tx.select().from(tasks))).filter(
    ({ task_id }) => task_id === byName.copy.task_id,
  )
  const { task_id: _, ...row } = model!
  const many = Array.from({ length: 1000 }, (_, i) => ({
    ...{ ...row, parent_task_id: ids.a2, unique_index: 1000 + i, ticket_number: `HP-${1000 + i}` },
  }))
  for (let at = 0; at < many.length; at += 500)
    await store.write((tx) => tx.insert(tasks).values(many.slice(at, at + 500)))
  const { tree: truncatedTree, node_count, truncated } = await tree()
  expect({ node_count, truncated }).toEqual({ node_count: 1000, truncated: true })
  const count = (node: Node): number => node.children.reduce((sum, one) => sum + count(one), 1)
  expect(count(truncatedTree)).toBe(1000)
  const a2 = truncatedTree.children[0]!.children[1]!
  expect(a2).toMatchObject({ title: 'a2', child_count: 1000 })
})

test('over REST an invalid depth is refused, and another team gets 404', async () => {
  const { cleo, otto, http } = await family()
  const get = (query: string, actor = cleo) => http(actor, 'GET', `/api/v1/tasks/HP-1/tree${query}`)
  expect((await get('?depth=0')).body.data).toMatchObject({ node_count: 1 })
  expect((await get('', otto)).status).toBe(404)
  for (const [query, code] of [
    ['?depth=-1', 'out_of_range'],
    ['?depth=21', 'out_of_range'],
    ['?depth=all', 'invalid_type'],
  ]) {
    const { details } = (await get(query!)).body
    expect([details.field, details.code]).toEqual(['depth', code])
  }
})

test('over MCP a tree leaves out empty fields, unless the detailed format is requested', async () => {
  const { http, cleo, ids } = await family()
  const summarize = async (overrides: object) => {
    const args = { action: 'tree', input: { task_id: ids.a }, ...overrides }
    return (await callTool({ http }, cleo, 'svc_tasks', args)).body.result.structuredContent.data
  }
  const leaf = { section: 'Inbox', done: false, status: 'Normal', child_count: 0 }
  expect((await summarize({})).tree).toEqual({
    ...{ ...leaf, ticket_number: 'HP-5', title: 'a', child_count: 2 },
    children: [
      { ...leaf, ticket_number: 'HP-7', title: 'a1' },
      { ...leaf, ticket_number: 'HP-8', title: 'a2' },
    ],
  })
  const detailed = await summarize({ response_format: 'detailed' })
  expect(detailed.tree.children[1]).toMatchObject({ size: 'none', assignees: [], children: [] })
})
