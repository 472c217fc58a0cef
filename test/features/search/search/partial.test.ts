import { afterAll, expect, test } from 'bun:test'
import { callTool } from '../../../support/surface-calls.ts'
import { removeTemporaryFolders, terminal } from '../../../support/terminal.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

afterAll(removeTemporaryFolders)

const search = async (actor: Actor, query: string, limit = 50, cursor?: string) =>
  actor['search.tasks']({ query, limit, cursor })

/** Keys of the found tasks; those of partial matches in brackets. */
const keysOf = (items: readonly { ticket_number: string; partial: boolean }[]) =>
  items.map(({ ticket_number, partial }) => (partial ? `(${ticket_number})` : ticket_number))

const found = async (actor: Actor, query: string) => keysOf((await search(actor, query)).items)

/** A task about a harbour with a comment and a page, beside the four of the fixture. */
async function harbour(w: World) {
  const { cleo, board } = w
  const { project_id } = board
  const { task_id } = await cleo['tasks.create']({
    ...{ project_id, title: 'Repair the pier', description: 'Planks are rotten.' },
  })
  await cleo['comments.add']({ task_id, text: '<p>The ferry to Oslo is late.</p>' })
  await cleo['pages.create']({ task_id, title: 'Timetable', content: 'No zeppelin on Sundays.' })
  return task_id
}

test('words in a comment or page are a partial match, with the passage as the snippet', async () => {
  const w = await world()
  await harbour(w)
  expect(await found(w.cleo, 'ferry')).toEqual(['(HP-5)'])
  const { items, page } = await search(w.cleo, 'zeppelin')
  expect(items[0]).toMatchObject({ ticket_number: 'HP-5', partial: true })
  expect(items[0]!.snippet).toContain('**zeppelin**')
  expect(page.total).toBe(1)
})

test('partial matches follow the full ones with a lower score, and meet every operator', async () => {
  const w = await world()
  const { cleo, board } = w
  const { project_id } = board
  const task_id = await harbour(w)
  await cleo['tasks.create']({ project_id, title: 'Ferry tickets' })
  expect(await found(cleo, 'ferry')).toEqual(['HP-6', '(HP-5)'])
  const { items } = await search(cleo, 'ferry')
  expect(items[1]!.score).toBeLessThan(0.1)
  expect(items[0]!.score).toBeGreaterThan(items[1]!.score)
  expect(await found(cleo, 'ferry is:done')).toEqual([])
  await cleo['tasks.update']({ task_id, section_id: w.sections.Done })
  expect(await found(cleo, 'ferry is:done')).toEqual(['(HP-5)'])
  expect(await found(cleo, 'ferry is:open')).toEqual(['HP-6'])
})

test('a word with a typo, in another form or in another order is a partial match', async () => {
  const w = await world()
  await harbour(w)
  for (const query of ['repiar pier', 'repairing pier', 'pier timetable', 'late ferry rotten'])
    expect([query, await found(w.cleo, query)]).toEqual([query, ['(HP-5)']])
  const { items } = await search(w.cleo, 'repiar pier')
  expect(items[0]!.snippet).toMatch(/\*\*(Repair|pier)\*\*/)
})

test('REST, MCP and the command line show partial matches, also right after a comment', async () => {
  const w = await world()
  const { cleo, bot, http } = w
  const task_id = await harbour(w)
  await cleo['comments.add']({ task_id, text: '<p>Bring the anchor.</p>' })
  const { body } = await http(cleo, 'GET', '/api/v1/search/tasks?query=anchor')
  expect(keysOf(body.data)).toEqual(['(HP-5)'])
  const input = { action: 'tasks', query: 'anchor', response_format: 'detailed' }
  const tool = await callTool(w, bot, 'svc_search', input)
  expect(keysOf(tool.body.result.structuredContent.data)).toEqual(['(HP-5)'])
  const { out } = await terminal(w, cleo).cork('search', 'tasks', 'anchor', '--json')
  expect(out).toContain('Bring the **anchor**')
})

test('a quoted phrase must be in the passage, and an excluded word not in the task', async () => {
  const w = await world()
  await harbour(w)
  expect(await found(w.cleo, '"ferry to oslo"')).toEqual(['(HP-5)'])
  expect(await found(w.cleo, '"oslo ferry"')).toEqual([])
  expect(await found(w.cleo, 'ferry -planks')).toEqual([])
})

test('a member of another team gets no partial match', async () => {
  const w = await world()
  await harbour(w)
  expect(await found(w.otto, 'ferry')).toEqual([])
})

test('pages of partial matches yield every task exactly once while others write', async () => {
  const w = await world()
  const { cleo, board } = w
  const { project_id } = board
  for (let at = 0; at < 9; at++) {
    const { task_id } = await cleo['tasks.create']({ project_id, title: `Errand ${at}` })
    await cleo['comments.add']({ task_id, text: `<p>Ask about the lighthouse ${at}</p>` })
  }
  await cleo['tasks.create']({ project_id, title: 'Lighthouse' })
  for (const sort of [undefined, 'title:asc']) {
    const collected: string[] = []
    const totals: (number | null)[] = []
    let cursor: string | undefined
    do {
      const { items, page } = await cleo['search.tasks']({
        ...{ query: 'lighthouse', limit: 3, cursor, sort },
      })
      collected.push(...keysOf(items))
      totals.push(page.total)
      cursor = page.next_cursor ?? undefined
      const { task_id } = await cleo['tasks.create']({ project_id, title: 'Another errand' })
      await cleo['comments.add']({ task_id, text: '<p>The lighthouse, the lighthouse</p>' })
    } while (cursor)
    expect(collected[0]).toMatch(/^HP-/)
    expect(new Set(collected).size).toBe(collected.length)
    expect(new Set(totals)).toEqual(new Set([collected.length]))
  }
})

test('five full matches are enough: no partial match follows', async () => {
  const w = await world()
  const { cleo, board } = w
  await harbour(w)
  for (let at = 0; at < 5; at++)
    await cleo['tasks.create']({ project_id: board.project_id, title: `Ferry ${at}` })
  expect(await found(cleo, 'ferry')).toHaveLength(5)
})
