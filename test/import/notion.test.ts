import { expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { textFile } from '../../src/import/source.ts'
import { notion } from '../../src/import/sources/notion/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const ONE = '1'.repeat(32)
const TWO = '2'.repeat(32)
const GULL = '4'.repeat(32)
const read = async () => readSource(notion, await fixtureFiles('notion/export'))

test('each kind of property is in the export', async () => {
  expectAllFields(notion, await read())
})

test('a database becomes a board with all of its rows', async () => {
  const reading = await read()
  expect(reading.records[0]).toEqual({
    origin: { id: `notion:${'a'.repeat(32)}`, title: 'Harbour tasks' },
  })
  expect(recordsOf(reading, 'board')).toEqual([
    {
      id: 'a'.repeat(32),
      title: 'Harbour tasks',
      columns: [
        { title: 'In progress', done: false },
        { title: 'To do', done: false },
        { title: 'Done', done: true },
      ],
      labels: [{ name: 'boat' }, { name: 'paint' }],
      fields: [
        { name: 'Number key', type: 'number' },
        { name: 'Points', type: 'number' },
        { name: 'Berth', type: 'number' },
        { name: 'Crew boat', type: 'text' },
        { name: 'Photo', type: 'text' },
        { name: 'URL', type: 'url' },
        { name: 'Weather', type: 'text' },
        { name: 'Date', type: 'text' },
      ],
    },
    {
      id: 'c'.repeat(32),
      title: 'Boats',
      description: 'A database in Sand the hull.',
      columns: [
        { title: 'To do', done: false },
        { title: 'Done', done: true },
      ],
      labels: [],
      fields: [{ name: 'Color', type: 'text' }],
    },
  ])
})

test('a row and its page become one task', async () => {
  expect(recordsOf(await read(), 'task')[0]).toEqual({
    id: ONE,
    board: 'a'.repeat(32),
    column: 'In progress',
    title: 'Paint the hull',
    key: 'HAR-1',
    description: [
      'Two coats',
      '',
      `Two coats, see [sanding](task:${TWO}) and`,
      `[the page](https://www.notion.so/Sweep-${'3'.repeat(32)}).`,
      '',
      'tin.png (attached)',
      '',
      'list (old).txt (attached) and [gone.txt](Paint%20the%20hull/gone.txt)',
      '',
      '## Shopping',
      '',
      'Two tins.',
    ].join('\n'),
    content_type: 'markdown',
    priority: 'High',
    estimate: 4,
    start_date: '2026-02-27',
    due_date: '2026-03-05',
    labels: ['boat', 'paint'],
    assignees: ['Ana', 'Ben'],
    created_by: 'Olga',
    created_at: '2026-01-05T08:00:00.000Z',
    updated_at: '2026-02-05T09:00:00.000Z',
    fields: [
      { name: 'Number key', value: 7 },
      { name: 'Points', value: 3 },
      { name: 'Berth', value: 12 },
      { name: 'Crew boat', value: 'Sea Gull' },
      { name: 'Photo', value: 'Harbour%20tasks/Paint%20the%20hull/tin.png' },
      { name: 'URL', value: 'https://boats.example.com/paint' },
      { name: 'Weather', value: 'Sun' },
    ],
  })
})

test('rows without a page, without a title or with a range of times are tasks too', async () => {
  const tasks = recordsOf(await read(), 'task')
  expect(tasks.map(({ id, title, column, parent }) => [id, title, column, parent])).toEqual([
    [ONE, 'Paint the hull', 'In progress', undefined],
    [TWO, 'Sand the hull', 'Done', ONE],
    [`${'a'.repeat(32)}/Sweep`, 'Sweep', 'Done', undefined],
    [`${'a'.repeat(32)}/`, 'Untitled', 'To do', undefined],
    [GULL, 'Sea Gull', 'To do', undefined],
  ])
  expect(tasks[1]).toMatchObject({
    start_date: '2026-03-09T10:00:00.000Z',
    due_date: '2026-03-09T11:30:00.000Z',
  })
  expect(tasks[2]!.fields).toContainEqual({ name: 'Date', value: 'someday' })
})

test('relations, comments and files belong to their tasks', async () => {
  const reading = await read()
  expect(recordsOf(reading, 'relation')).toEqual([
    { kind: 'blocks', first: TWO, second: ONE },
    { kind: 'related', first: ONE, second: GULL },
    { kind: 'blocks', first: TWO, second: `${'a'.repeat(32)}/Sweep` },
  ])
  expect(recordsOf(reading, 'comment').map(({ text }) => text)).toEqual(['Use white.'])
  const files = recordsOf(reading, 'attachment')
  expect(files.map(({ task, filename }) => [task, filename])).toEqual([
    [ONE, 'tin.png'],
    [ONE, 'list (old).txt'],
  ])
  expect((await files[0]!.bytes!()).length).toBe(4)
  expect(reading.losses).toEqual([`Page Welcome ${'9'.repeat(32)}.md: It is in no database`])
})

test('the parts of a large export are unpacked', async () => {
  const name = `Boats ${'b'.repeat(32)}.csv`
  const packed = zipSync({ [name]: new TextEncoder().encode('Name,Status\nRope,Open') })
  const part = {
    path: 'Export-1-Part-1.zip',
    size: packed.length,
    bytes: async () => packed as Uint8Array,
  }
  expect(await notion.detects([part])).toBe(true)
  expect(recordsOf(await readSource(notion, [part]), 'task').map(({ title }) => title)).toEqual([
    'Rope',
  ])
})

test('in old exports the title is the column that names the pages', async () => {
  const files = [
    textFile('Boats 1a2b3.csv', 'Color,Name\nwhite,Sea Gull\n'),
    textFile('Boats 1a2b3/Sea Gull 4c5d6.md', '# Sea Gull\n\nColor: white\n\nFast.'),
  ]
  expect(await notion.detects(files)).toBe(true)
  expect(recordsOf(await readSource(notion, files), 'task')).toEqual([
    {
      id: '4c5d6',
      board: '1a2b3',
      column: 'To do',
      title: 'Sea Gull',
      description: 'Fast.',
      content_type: 'markdown',
      fields: [{ name: 'Color', value: 'white' }],
    },
  ])
})

test('only exports of Notion are detected', async () => {
  expect(await notion.detects(await fixtureFiles('notion/export'))).toBe(true)
  expect(await notion.detects(await fixtureFiles('csv'))).toBe(false)
  expect(await notion.detects(await fixtureFiles('asana'))).toBe(false)
})

test('an export without a database is refused', async () => {
  const page = textFile(`Welcome ${ONE}.md`, '# Welcome')
  expect(readSource(notion, [page])).rejects.toThrow(
    `Welcome ${ONE}.md: There is no database in the export. Export the database from Notion`,
  )
})
