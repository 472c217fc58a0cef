import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

type SearchInput = Parameters<Actor['search.tasks']>[0]

const search = async (actor: Actor, query: string, overrides: Omit<SearchInput, 'query'> = {}) =>
  (await actor['search.tasks']({ query, ...overrides })).items.map(
    ({ ticket_number }) => ticket_number,
  )

/** The tasks with all words in their title or description. */
const searchFull = async (actor: Actor, query: string) =>
  (await actor['search.tasks']({ query })).items
    .filter(({ partial }) => !partial)
    .map(({ ticket_number }) => ticket_number)

/** The fixture board with more tasks beside its own four. */
async function createTasks(...drafts: { title: string; description?: string }[]) {
  const w = await world()
  const created = []
  for (const draft of drafts) {
    const { project_id } = w.board
    created.push(await w.cleo['tasks.create']({ project_id, ...draft }))
  }
  return { ...w, made: created }
}

test('results are ranked: title above description, whole word above prefix', async () => {
  const { cleo } = await createTasks(
    { title: 'Somewhere', description: '<p>About the printer</p>' },
    { title: 'Printers everywhere in the whole large house' },
    { title: 'Printerless offices of tomorrow' },
    { title: 'Printer' },
  )
  expect(await search(cleo, 'printer')).toEqual(['HP-8', 'HP-6', 'HP-7', 'HP-5'])
  const { items } = await cleo['search.tasks']({ query: 'printer' })
  const scores = items.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(scores.at(-1)).toBeLessThan(scores[0]!)
})

test('of texts with the same words elsewhere, those with consecutive words come first', async () => {
  const { cleo } = await createTasks(
    { title: 'First', description: '<p>Fill in the purchase order form</p>' },
    { title: 'Second', description: '<p>The form for an order of a purchase</p>' },
  )
  expect(await searchFull(cleo, 'purchase order ')).toEqual(['HP-5', 'HP-6'])
  expect(await searchFull(cleo, 'purchase ord')).toEqual(['HP-5', 'HP-6'])
  expect(await searchFull(cleo, 'order purchase ')).toEqual(['HP-6', 'HP-5'])
})

test('a snippet marks the matched words, is cut around them and contains no HTML tag', async () => {
  const { cleo } = await createTasks({
    title: 'Notes',
    description: `<p>${'Long before. '.repeat(40)}The &lt;img src=x onerror=alert(1)&gt; toner is empty.${' And after.'.repeat(40)}</p>`,
  })
  const { items } = await cleo['search.tasks']({ query: 'toner empty' })
  const { snippet } = items[0]!
  expect(snippet).toContain('**toner** is **empty**')
  expect(snippet).toMatch(/^….*…$/)
  expect(snippet).not.toMatch(/[<>]/)
  expect(snippet!.length).toBeLessThan(230)
  const [titled] = (await cleo['search.tasks']({ query: 'copy' })).items
  expect(titled!.snippet).toBe('Write the **copy**')
})

test('the last word matches beginnings of title words from its first letter on', async () => {
  const { cleo } = await createTasks(
    { title: 'Write the migrations test' },
    { title: 'Migrations of entries', description: '<p>A table of them</p>' },
    { title: 'Ship it 🚀' },
    { title: 'Upgrade to 1.2.3' },
    { title: 'Upgrade to 1.2.4' },
  )
  expect(await searchFull(cleo, 'migrations t')).toEqual(['HP-5'])
  expect(await searchFull(cleo, 'migrations ta')).toEqual([])
  expect(await searchFull(cleo, 'migrations tab')).toEqual(['HP-6'])
  expect(await searchFull(cleo, 'migrations t ')).toEqual([])
  for (const typed of ['e', 'en', 'entr', 'entrie', 'entries', 'entry'])
    expect(await searchFull(cleo, typed)).toContain('HP-6')
  expect(await searchFull(cleo, '🚀')).toEqual(['HP-7'])
  expect((await searchFull(cleo, '1.2.3'))[0]).toBe('HP-8')
  expect(await searchFull(cleo, '"1.2.3"')).toEqual(['HP-8'])
})

test('a key without its dash and a number after # find their tasks', async () => {
  const { cleo, team_id, board } = await createTasks({ title: 'See #2' })
  const other = await cleo['projects.create']({
    ...{ team_id, title: 'Garden', sections: [{ title: 'Now' }] },
  })
  await cleo['tasks.create']({ project_id: other.project_id, title: 'One' })
  const two = await cleo['tasks.create']({ project_id: other.project_id, title: 'Two' })
  expect(await search(cleo, 'hp2')).toEqual(['HP-2'])
  expect((await search(cleo, '#2')).slice(0, 2).sort()).toEqual([two.ticket_number, 'HP-2'].sort())
  const onBoard = { project_id: board.project_id }
  expect(await search(cleo, '#2', onBoard)).toEqual(['HP-2', 'HP-5'])
})

test('a ticket key finds its task first, also under the key it had before it moved', async () => {
  const { cleo, team_id, tasks } = await createTasks({ title: 'See HP-1 for the colours' })
  expect(await search(cleo, 'hp-1')).toEqual(['HP-1', 'HP-5'])
  const other = await cleo['projects.create']({
    ...{ team_id, title: 'Garden', sections: [{ title: 'Now' }] },
  })
  const { ticket_number } = await cleo['tasks.move']({
    ...{ task_id: tasks.logo.task_id, target_project_id: other.project_id },
  })
  expect(await search(cleo, 'HP-1')).toEqual([ticket_number, 'HP-5'])
})

test('a write is searchable at once; archived tasks are found on request, refused creates never', async () => {
  const { cleo, store, tasks, board } = await world()
  await cleo['tasks.update']({ task_id: tasks.copy.task_id, title: 'Write the leaflet' })
  expect(await search(cleo, 'copy')).toEqual([])
  expect(await search(cleo, 'leaflet')).toEqual(['HP-2'])
  await cleo['tasks.update']({ task_id: tasks.copy.task_id, description: 'in <b>vermilion</b>' })
  expect(await search(cleo, 'vermilion leaflet')).toEqual(['HP-2'])
  await cleo['tasks.update']({ task_id: tasks.copy.task_id, status: 'Archive' })
  expect(await search(cleo, 'leaflet')).toEqual([])
  expect(await search(cleo, 'leaflet is:archived')).toEqual(['HP-2'])
  expect(await search(cleo, 'leaflet', { status: 'Archive' })).toEqual(['HP-2'])
  const { project_id } = board
  const both = [
    cleo['tasks.create']({ project_id, title: 'Ghost', parent_task_id: 999_999 }),
    cleo['tasks.create']({ project_id, title: 'Guest' }),
  ]
  await Promise.allSettled(both)
  expect(await search(cleo, 'ghost')).toEqual([])
  expect(await search(cleo, 'guest')).toHaveLength(1)
  expect(store.queueLength()).toBe(0)
})

test('a search leaves out boards the caller cannot see, and archived boards unless named', async () => {
  const { ada, cleo, gus, otto, board, bot } = await createTasks({
    title: 'Acquisition of Zanzibar',
  })
  expect(await search(cleo, 'zanzibar')).toEqual(['HP-5'])
  expect(await search(bot, 'zanzibar')).toEqual(['HP-5'])
  for (const stranger of [gus, otto]) {
    const { items, page } = await stranger['search.tasks']({ query: 'zanzibar' })
    expect([items, page.total]).toEqual([[], 0])
    const { project_id } = board
    const search = stranger['search.tasks']({ query: 'zanzibar', project_id })
    expect((await faultOf(search)).code).toBe('not_found')
  }
  await ada['projects.archive']({ project_id: board.project_id, status: 'Archive' })
  expect(await search(cleo, 'zanzibar')).toEqual([])
  expect(await search(cleo, 'zanzibar', { board_id: board.project_id })).toEqual(['HP-5'])
})

test('pages stay stable during writes, default to 10 tasks, and refuse a cursor of another query', async () => {
  const drafts = Array.from({ length: 45 }, (_, at) => ({
    title: at % 3 ? `Paint wall ${at}` : `Wall ${at}`,
    ...(at % 4 === 0 && { description: 'paint again' }),
  }))
  const { cleo, board } = await createTasks(...drafts)
  const all = await search(cleo, 'wall', { limit: 50 })
  expect(all).toHaveLength(45)
  const collected: string[] = []
  let cursor: string | undefined
  do {
    const { items, page } = await cleo['search.tasks']({ query: 'wall', limit: 7, cursor })
    collected.push(...items.map(({ ticket_number }) => ticket_number))
    expect(page.has_more).toBe(page.next_cursor !== null)
    cursor = page.next_cursor ?? undefined
    await cleo['tasks.create']({ project_id: board.project_id, title: 'Wall' })
  } while (cursor)
  expect(collected).toEqual(all)
  const { page } = await cleo['search.tasks']({ query: 'wall' })
  expect(page.limit).toBe(10)
  const other = cleo['search.tasks']({ query: 'walls', cursor: page.next_cursor! })
  expect((await faultOf(other)).details).toMatchObject({ field: 'cursor', code: 'conflict' })
  const listed = await cleo['tasks.list']({ query: 'wall' })
  const mixed = cleo['search.tasks']({ query: 'wall', cursor: listed.page.next_cursor! })
  expect((await faultOf(mixed)).details.field).toBe('cursor')
})

test('a search accepts sort, offset and fields', async () => {
  const { cleo } = await createTasks({ title: 'Beta wall' }, { title: 'Alpha wall' })
  expect(await search(cleo, 'wall', { sort: 'title:asc' })).toEqual(['HP-6', 'HP-5'])
  expect(await search(cleo, 'wall', { offset: 1 })).toEqual(['HP-5'])
  const { items } = await cleo['search.tasks']({ query: 'wall', fields: 'title,score', limit: 1 })
  expect(items as unknown[]).toEqual([{ title: 'Alpha wall', score: 1.075 }])
})

test('a search is filtered by board, column, priority, assignee, due date, label and status', async () => {
  const { cleo, team_id, board, sections, labels } = await createTasks({ title: 'Plain wall' })
  const { project_id } = board
  await cleo['tasks.create']({
    ...{ project_id, title: 'Urgent wall', section_id: sections.Next, labels: ['bug'] },
    ...{ priority: 'Urgent', due_date: '2026-12-01', assignee_ids: [cleo.caller.actor_id] },
  })
  const elsewhere = await cleo['projects.create']({
    ...{ team_id, title: 'Elsewhere', sections: [{ title: 'Open' }] },
    tasks: [{ title: 'Far wall', section_index: 0 }],
  })
  const wall = (overrides: Omit<SearchInput, 'query'>) => search(cleo, 'wall', overrides)
  expect(await wall({ project_id })).toEqual(['HP-6', 'HP-5'])
  expect(await wall({ board_id: elsewhere.project_id })).toEqual([`${elsewhere.key}-1`])
  for (const filter of [
    { section: 'next' },
    { priority: 'Urgent' as const },
    { assigned_to: cleo.caller.actor_id },
    { has_due_date: true },
    { filter: { label: labels.bug } },
  ])
    expect([filter, await wall({ project_id, ...filter })]).toEqual([filter, ['HP-6']])
  await cleo['tasks.update']({ ticket_number: 'HP-6', status: 'Archive' })
  expect(await wall({ project_id })).toEqual(['HP-5'])
  expect(await wall({ project_id, status: 'Archive' })).toEqual(['HP-6'])
})

test('over REST a search warns of a limit that is too large and refuses invalid input with 400', async () => {
  const { cleo, http, board } = await world()
  const get = (query: string) => http(cleo, 'GET', `/api/v1/search/tasks?${query}`)
  const { status, body } = await get('query=logo&limit=99')
  expect([status, body.data[0].ticket_number, body.page.total]).toEqual([200, 'HP-1', 1])
  expect(body.warnings[0].field).toBe('limit')
  const bad: [string, string, string][] = [
    ['', 'query', 'required'],
    ['query=%20', 'query', 'required'],
    [`query=${'x'.repeat(2001)}`, 'query', 'too_long'],
    [`query=a&project_id=${board.project_id}&board_id=999`, 'board_id', 'conflict'],
    ['query=a&cursor=x', 'cursor', 'invalid_format'],
    ['query=a&sort=score', 'sort', 'out_of_range'],
    ['query=lable:bug', 'query', 'unknown_field'],
    ['query=a&nonsense=1', 'nonsense', 'unknown_field'],
  ]
  for (const [query, field, code] of bad) {
    const { status, body } = await get(query)
    expect([query, status, body.details.field, body.details.code]).toEqual([
      query,
      400,
      field,
      code,
    ])
  }
})

const warningsOf = async ({ http, cleo }: World, query: string) =>
  (await http(cleo, 'GET', `/api/v1/search/tasks?query=${encodeURIComponent(query)}`)).body.warnings

test('a query without a word finds nothing, with a warning', async () => {
  const w = await world()
  expect(await warningsOf(w, '%%% !')).toEqual([
    { field: 'query', code: 'invalid_format', message: expect.stringContaining('no search terms') },
  ])
  expect(await search(w.cleo, '%%%')).toEqual([])
})
