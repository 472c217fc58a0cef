import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { chooseRole } from '../../src/import/sources/csv/choose-role.ts'
import { columnsOf } from '../../src/import/sources/csv/columns.ts'
import { csv, csvWith } from '../../src/import/sources/csv/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const boats = async () => fixtureFiles('csv/boats.csv')
const mapped = csvWith({ Intern: 'ignore' })

test('each field of the table is in the file', async () => {
  expectAllFields(csv, await readSource(mapped, await boats()))
})

test('columns in German become the fields of a task', async () => {
  const reading = await readSource(mapped, await boats())
  expect(reading.records[0]).toEqual({ origin: { id: 'csv:boats', title: 'boats' } })
  expect(recordsOf(reading, 'task')[0]).toEqual({
    id: '1',
    board: 'Hafen',
    column: 'Offen',
    title: 'Rumpf streichen',
    key: 'HAR-1',
    description: 'Zwei Schichten',
    content_type: 'markdown',
    priority: 'Hoch',
    estimate: 4,
    start_date: '2026-03-01',
    due_date: '2026-03-13',
    labels: ['Boot', 'Farbe', 'Eilig'],
    assignees: ['ana@example.com', 'Ben'],
    created_by: 'Olga',
    created_at: '2026-01-05T08:00:00.000Z',
    fields: [
      { name: 'URL', value: 'https://boats.example.com/1' },
      { name: 'Punkte', value: 3.5 },
      { name: 'Wetter', value: 'Sonne' },
      { name: 'Geprüft am', value: '2026-02-02' },
      { name: 'Segel', value: true },
      { name: 'Notiz.intern', value: '=1+1' },
      { name: 'Column without a name', value: 'frei' },
    ],
  })
})

test('the types of other columns come from all of their values', async () => {
  const [board] = recordsOf(await readSource(mapped, await boats()), 'board')
  expect(board).toEqual({
    id: 'Hafen',
    title: 'Hafen',
    columns: [
      { title: 'Offen', done: false },
      { title: 'In Arbeit', done: false },
      { title: 'To do', done: false },
      { title: 'Erledigt', done: true },
    ],
    labels: [{ name: 'Boot' }, { name: 'Farbe' }, { name: 'Eilig' }],
    fields: [
      { name: 'URL', type: 'url' },
      { name: 'Punkte', type: 'number' },
      { name: 'Wetter', type: 'select', options: ['Sonne', 'Regen'] },
      { name: 'Geprüft am', type: 'date' },
      { name: 'Segel', type: 'checkbox' },
      { name: 'Notiz.intern', type: 'text' },
      { name: 'Column without a name', type: 'text' },
      { name: 'Fällig', type: 'text' },
    ],
  })
})

test('parents, relations and comments find their tasks by id, key or title', async () => {
  const reading = await readSource(mapped, await boats())
  const tasks = recordsOf(reading, 'task')
  expect(tasks.map(({ id, parent }) => [id, parent])).toEqual([
    ['1', undefined],
    ['2', '1'],
    ['3', undefined],
    ['3#2', undefined],
  ])
  expect(tasks[1]).toMatchObject({
    column: 'Erledigt',
    completed_at: '2026-01-07T00:00:00.000Z',
    assignees: ['ben@example.com'],
  })
  expect(tasks[2]).toMatchObject({ archived: true, estimate: 6, priority: 'Niedrig' })
  expect(tasks[2]!.fields).toContainEqual({ name: 'Fällig', value: 'bald' })
  expect(recordsOf(reading, 'relation')).toEqual([
    { kind: 'blocks', first: '1', second: '2' },
    { kind: 'blocks', first: '1', second: '3' },
  ])
  expect(recordsOf(reading, 'comment')).toEqual([
    { id: '1/comment', task: '1', text: 'Weiß nehmen.', content_type: 'markdown' },
  ])
  expect(reading.losses).toEqual([
    'Line 6: It has no title',
    'Link to HAR-9: It is not in the file',
  ])
})

test('a file without ids and with dates of an unclear order is read with a note', async () => {
  const reading = await readSource(csv, await fixtureFiles('csv/plain.tsv'))
  expect(recordsOf(reading, 'task')).toEqual([
    {
      id: 'Sweep the deck',
      board: 'plain',
      column: 'Done',
      title: 'Sweep the deck',
      due_date: '2026-03-04',
      fields: [
        { name: 'Points', value: 1200 },
        { name: 'Which boat', value: 'Harbour Queen' },
      ],
    },
    {
      id: 'Wash the sails',
      board: 'plain',
      column: 'To do',
      title: 'Wash the sails',
      due_date: '2026-05-06T14:30:00.000Z',
      fields: [
        { name: 'Points', value: 7 },
        { name: 'Which boat', value: 'Sea Gull' },
      ],
    },
  ])
  expect(reading.losses).toEqual(['Order of dates such as 03/04/2026: Read as month, day, year'])
})

test('a mapping says which column is which field', async () => {
  const source = csvWith({ 'Which boat': 'title', Task: 'description', Points: 'field' })
  const [task] = recordsOf(await readSource(source, await fixtureFiles('csv/plain.tsv')), 'task')
  expect(task).toMatchObject({ title: 'Harbour Queen', description: 'Sweep the deck' })
})

const rolesIn = async (text: string, chosen: Record<string, string>) => {
  const columns = await columnsOf([textFile('a.csv', text)], chosen)
  return Object.fromEntries(columns.map(({ column, role }) => [column, role]))
}

test('each column of the files has a role and its first value, with and without a mapping', async () => {
  const plain = await fixtureFiles('csv/plain.tsv')
  expect(await columnsOf(plain, {})).toEqual([
    { column: 'Task', role: 'title', sample: 'Sweep the deck' },
    { column: 'Due', role: 'due', sample: '03/04/2026' },
    { column: 'Done', role: 'completed', sample: 'yes' },
    { column: 'Points', role: 'field', sample: '1,200' },
    { column: 'Which boat', role: 'field', sample: 'Harbour Queen' },
  ])
  const chosen = { 'Which boat': 'title', Due: 'ignore' }
  const columns = await columnsOf([...plain, textFile('a.csv', 'Which boat,Crew\nAnna,\n')], chosen)
  expect(columns.map(({ column, role, sample }) => [column, role, sample])).toEqual([
    ['Task', 'field', 'Sweep the deck'],
    ['Due', 'ignore', '03/04/2026'],
    ['Done', 'completed', 'yes'],
    ['Points', 'field', '1,200'],
    ['Which boat', 'title', 'Harbour Queen'],
    ['Crew', 'field', ''],
  ])
})

test('a column whose values do not fit the chosen role is a custom field', async () => {
  expect(await rolesIn('Title,Page\nRope,three\n', { Page: 'url' })).toEqual({
    ...{ Title: 'title', Page: 'field' },
  })
})

test('a column that is left out or a custom field never becomes the title', async () => {
  const text = 'Title,Boat\nRope,Anna\n'
  expect(await rolesIn(text, { Title: 'ignore' })).toEqual({ Title: 'ignore', Boat: 'title' })
  expect(await rolesIn(text, { Title: 'field' })).toEqual({ Title: 'field', Boat: 'title' })
  expect(rolesIn(text, { Title: 'ignore', Boat: 'field' })).rejects.toThrow('No column has the')
})

test('a column that gets a role takes it from the one that was chosen before', () => {
  const chosen = { Boat: 'title', Crew: 'ignore' }
  expect(chooseRole(chosen, 'Task', 'title')).toEqual({ Crew: 'ignore', Task: 'title' })
  expect(chooseRole(chosen, 'Task', 'ignore')).toEqual({ ...chosen, Task: 'ignore' })
})

test('any file with a table is detected', async () => {
  expect(await csv.detects(await boats())).toBe(true)
  expect(await csv.detects([textFile('a.csv', 'Title\n')])).toBe(false)
  expect(await csv.detects([textFile('a.json', '{}')])).toBe(false)
})

test('files without titles or with broken quotes are refused with the place', async () => {
  const numbers = textFile('numbers.csv', 'a,b\n1,2\n')
  expect(readSource(csv, [numbers])).rejects.toThrow(
    'numbers.csv, line 1: No column has the titles of the tasks. Name one "Title"',
  )
  const broken = textFile('broken.csv', 'Title,Status\nRope,"Open\n')
  expect(readSource(csv, [broken])).rejects.toThrow('broken.csv, line')
})
