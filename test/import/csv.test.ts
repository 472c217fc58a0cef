import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
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
