import { expect, test } from 'bun:test'
import { world } from '../../../support/world.ts'

type World = Awaited<ReturnType<typeof world>>
type Caller = World['ada']

const titles = async (caller: Caller, query: string, rest: object = {}) =>
  (await caller['search.quick']({ query, ...rest })).map(({ title }) => title)

async function withTasks() {
  const w = await world()
  const { ada, board } = w
  const { project_id } = board
  const add = (title: string) => ada['tasks.create']({ project_id, title })
  return { ...w, project_id, add }
}

test('a task that was just created is found by its title, one letter, and with a typo', async () => {
  const { ada, add } = await withTasks()
  await add('Zebra crossing')
  for (const query of ['Zebra crossing', 'z', 'zeb cro', 'zbera', 'ebra'])
    expect(await titles(ada, query)).toContain('Zebra crossing')
})

test('a task is found by its key in any form, also by a number alone', async () => {
  const { ada, add } = await withTasks()
  const { ticket_number } = await add('Zebra crossing')
  const [key, number] = ticket_number.split('-') as [string, string]
  for (const query of [
    ticket_number,
    ticket_number.toLowerCase(),
    key + number,
    `#${number}`,
    number,
  ])
    expect((await ada['search.quick']({ query }))[0]).toMatchObject({
      key: ticket_number,
      score: 1,
    })
})

test('an open task comes before a done one with the same title', async () => {
  const { ada, add, sections } = await withTasks()
  const open = await add('Zebra crossing')
  const done = await add('Zebra crossing')
  await ada['tasks.update']({ task_id: done.task_id, section_id: sections.Done })
  const found = await ada['search.quick']({ query: 'zebra', kinds: 'task' })
  expect(found.map(({ id, done }) => ({ id, done }))).toEqual([
    { id: open.task_id, done: false },
    { id: done.task_id, done: true },
  ])
})

test('a renamed task is found by its new title only', async () => {
  const { ada, add } = await withTasks()
  const { task_id } = await add('Zebra crossing')
  expect(await titles(ada, 'zebra')).toEqual(['Zebra crossing'])
  await ada['tasks.update']({ task_id, title: 'Giraffe' })
  expect(await titles(ada, 'zebra')).toEqual([])
  expect(await titles(ada, 'giraf')).toEqual(['Giraffe'])
})

test('pages, boards, people, agents and skills are found by name', async () => {
  const { ada, add, board, project_id } = await withTasks()
  const { task_id } = await add('Zebra crossing')
  await ada['pages.create']({ task_id, title: 'Quokka handbook', content: 'Text' })
  await ada['skills.create']({ slug: 'wombat', name: 'Wombat', description: 'Digs', body: 'Dig.' })
  const first = async (query: string) => (await ada['search.quick']({ query }))[0]
  expect(await first('quoka')).toMatchObject({ kind: 'page', title: 'Quokka handbook' })
  expect(await first('womb')).toMatchObject({ kind: 'skill', key: 'wombat' })
  const { title, key } = board
  expect(await ada['search.quick']({ query: title, kinds: 'board' })).toMatchObject([
    { title, key },
  ])
  expect(await titles(ada, 'Ben', { kinds: 'person', project_id })).toEqual(['Ben'])
})

test('nothing of a board that the caller cannot see is found', async () => {
  const { ada, otto, gus, add } = await withTasks()
  await add('Zebra crossing')
  expect(await titles(otto, 'zebra')).toEqual([])
  expect(await titles(otto, 'zeb')).toEqual([])
  expect(await titles(ada, 'zebra')).toEqual(['Zebra crossing'])
  expect(await titles(gus, '1', { kinds: 'person' })).toEqual([])
})

test('a key without the scope for pages finds tasks only', async () => {
  const { ada, add, authenticateAs } = await withTasks()
  const { task_id } = await add('Zebra crossing')
  await ada['pages.create']({ task_id, title: 'Zebra page', content: 'Text' })
  const key = await authenticateAs(ada.caller.actor_id, 'key', ['tasks:read'])
  expect(await titles(key, 'zebra')).toEqual(['Zebra crossing'])
  expect((await titles(ada, 'zebra')).toSorted()).toEqual(['Zebra crossing', 'Zebra page'])
})

test('an unknown kind is rejected with the list of kinds', async () => {
  const { ada } = await withTasks()
  expect(ada['search.quick']({ query: 'z', kinds: 'task,cat' })).rejects.toThrow(
    'kinds must be a comma list of task, page, board, person, skill',
  )
})
