import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { asana } from '../../src/import/sources/asana/index.ts'
import { downloadWith } from './download.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const jsonFiles = async () => [
  ...(await fixtureFiles('asana/harbour.json')),
  textFile('attachments/6001/paint.pdf', 'PDF'),
]
const readJson = async () => readSource(asana, await jsonFiles())
const readOld = async () => readSource(asana, await fixtureFiles('asana/old.json'))
const readCsv = async () => readSource(asana, await fixtureFiles('asana/quay.csv'))

test('each field of JSON and CSV exports is declared', async () => {
  expectAllFields(asana, await readJson(), await readOld(), await readCsv())
})

test('a project becomes a board with its sections as columns', async () => {
  const reading = await readJson()
  expect(reading.records[0]).toEqual({ origin: { id: 'asana:9001', title: 'Harbour' } })
  expect(recordsOf(reading, 'board')).toEqual([
    {
      id: '9001',
      title: 'Harbour',
      description: 'All work on the quay',
      columns: [
        { title: 'Later', done: false },
        { title: 'Now', done: false },
        { title: 'Done', done: true },
      ],
      labels: [{ name: 'boat' }],
      fields: [
        { name: 'Points', type: 'number' },
        { name: 'Berth', type: 'text' },
        { name: 'Weather', type: 'select', options: ['Sun'] },
        { name: 'Inspected', type: 'date' },
        { name: 'Tools', type: 'text' },
        { name: 'Crew', type: 'text' },
        { name: 'Type', type: 'select', options: ['milestone'] },
        { name: 'Actual time (minutes)', type: 'number' },
        { name: 'Other projects', type: 'text' },
        { name: 'Section', type: 'select', options: ['Now', 'Later'] },
        { name: 'Approval', type: 'select', options: ['approved'] },
      ],
    },
  ])
})

test('a task keeps its formatted text, its custom fields and its people', async () => {
  expect(recordsOf(await readJson(), 'task')[0]).toEqual({
    id: '1001',
    board: '9001',
    column: 'Now',
    title: 'Paint the hull',
    description:
      '<b>Two</b> coats, see <a href="task:1002">sanding</a><br>and white.<ul><li>Brush</li></ul>',
    content_type: 'html',
    priority: 'High',
    start_date: '2026-03-01',
    due_date: '2026-03-05T13:30:00.000Z',
    labels: ['boat'],
    assignees: ['7002'],
    created_by: '7001',
    created_at: '2026-01-05T08:00:00.000Z',
    updated_at: '2026-02-05T08:00:00.000Z',
    fields: [
      { name: 'Points', value: 3.5 },
      { name: 'Berth', value: '12' },
      { name: 'Weather', value: 'Sun' },
      { name: 'Inspected', value: '2026-02-02' },
      { name: 'Tools', value: 'Brush, Ladder' },
      { name: 'Crew', value: 'Ana' },
      { name: 'Type', value: 'milestone' },
      { name: 'Actual time (minutes)', value: 90 },
      { name: 'Other projects', value: 'Fleet' },
    ],
  })
})

test('completed tasks and subtasks are in the column that is done', async () => {
  const reading = await readJson()
  expect(recordsOf(reading, 'task').slice(1)).toEqual([
    {
      id: '1003',
      board: '9001',
      column: 'Done',
      title: 'Buy paint',
      parent: '1001',
      completed_at: '2026-02-20T10:00:00.000Z',
      fields: [{ name: 'Section', value: 'Now' }],
    },
    {
      id: '1002',
      board: '9001',
      column: 'Done',
      title: 'Sand the hull',
      description: 'Fine sand',
      content_type: 'markdown',
      completed_at: '2026-02-21T10:00:00.000Z',
      fields: [
        { name: 'Section', value: 'Later' },
        { name: 'Approval', value: 'approved' },
      ],
    },
  ])
  expect(reading.losses).toEqual([
    'Attachment lost.png: Exports have no address of it',
    'Task Damaged: It has no id',
    'A relation to another task: That task is not imported',
  ])
})

test('comments, attachments and dependencies belong to their tasks', async () => {
  const reading = await readJson()
  expect(recordsOf(reading, 'comment')).toEqual([
    {
      id: 's1',
      task: '1001',
      text: 'Use <b>white</b>.',
      content_type: 'html',
      author: '7003',
      created_at: '2026-02-01T08:00:00.000Z',
    },
    { id: 's3', task: '1001', text: 'Fine.', content_type: 'markdown' },
  ])
  const files = recordsOf(reading, 'attachment')
  expect(files.map(({ id, filename, url }) => [id, filename, url])).toEqual([
    ['6001', 'paint.pdf', undefined],
    ['6002', 'tin.png', 'https://files.example.com/tin.png'],
  ])
  expect(new TextDecoder().decode(await files[0]!.bytes!())).toBe('PDF')
  expect(recordsOf(reading, 'relation')).toEqual([
    { kind: 'blocks', first: '1002', second: '1001' },
  ])
})

test('in old exports, tasks that end with a colon are sections', async () => {
  const reading = await readOld()
  expect(recordsOf(reading, 'task')).toEqual([
    { id: '2', board: '77', column: 'Deck', title: 'Sweep' },
  ])
})

test('a CSV file finds parents and dependencies by their names', async () => {
  const reading = await readCsv()
  const tasks = recordsOf(reading, 'task')
  expect(tasks[0]).toEqual({
    id: '12001',
    board: 'quay',
    column: 'Now',
    title: 'Paint, twice',
    description: 'Two coats\nof white',
    content_type: 'markdown',
    priority: 'High',
    start_date: '2026-03-01',
    due_date: '2026-03-05',
    labels: ['boat', 'paint'],
    assignees: ['ana@example.com'],
    created_at: '2026-01-05T00:00:00.000Z',
    updated_at: '2026-02-05T00:00:00.000Z',
    fields: [{ name: 'Points', value: 3 }],
  })
  expect(tasks.map(({ id, column, parent }) => [id, column, parent])).toEqual([
    ['12001', 'Now', undefined],
    ['12002', 'Done', undefined],
    ['Buy paint 2026-01-07', 'To do', '12001'],
    ['Sweep 2026-01-07', 'Done', undefined],
  ])
  expect(tasks[1]!.fields).toEqual([
    { name: 'Section', value: 'Now' },
    { name: 'Other projects', value: 'Fleet' },
    { name: 'Points', value: 5 },
  ])
  expect(recordsOf(reading, 'relation')).toEqual([
    { kind: 'blocks', first: '12002', second: '12001' },
  ])
  expect(reading.losses).toEqual(['Link to Nowhere: It is not in the file'])
})

test('only files of Asana are detected', async () => {
  expect(await asana.detects(await jsonFiles())).toBe(true)
  expect(await asana.detects(await fixtureFiles('asana/old.json'))).toBe(true)
  expect(await asana.detects(await fixtureFiles('asana/quay.csv'))).toBe(true)
  expect(await asana.detects(await fixtureFiles('csv/boats.csv'))).toBe(false)
  expect(await asana.detects(await fixtureFiles('todoist/sync.json'))).toBe(false)
})

test('a file that is cut short is refused with the place', async () => {
  const file = textFile('cut.json', '{\n"data": [{"gid": "1", "resource_type": "task"')
  expect(readSource(asana, [file])).rejects.toThrow('cut.json, line 2, column')
  const empty = textFile('empty.json', '{"data":[]}')
  expect(readSource(asana, [empty])).rejects.toThrow(
    'empty.json, field data: There are no tasks in the file. Export the project as JSON again',
  )
})

test('the download has sections, subtasks, comments and the bytes of attachments', async () => {
  const { files } = await downloadWith(
    asana,
    'https://app.asana.com/1/5/project/9001/list/7',
    (path) => {
      const plain = path.split('?')[0]
      if (plain?.endsWith('/projects/9001')) return { data: { gid: '9001', name: 'Harbour' } }
      if (plain?.endsWith('/sections')) return { data: [{ gid: '1', name: 'Now' }] }
      if (plain?.endsWith('/projects/9001/tasks'))
        return path.includes('offset=')
          ? { data: [{ gid: '2', name: 'Sand', resource_type: 'task' }], next_page: null }
          : {
              data: [{ gid: '1', name: 'Paint', num_subtasks: 1 }],
              next_page: { offset: 'next' },
            }
      if (plain?.endsWith('/tasks/1/subtasks')) return { data: [{ gid: '3', name: 'Buy' }] }
      if (plain?.endsWith('/tasks/1/stories'))
        return {
          data: [
            { gid: 's1', type: 'comment', text: 'Fine' },
            { gid: 's2', resource_subtype: 'attachment_added' },
          ],
        }
      if (plain?.endsWith('/attachments'))
        return { data: [{ gid: '61', name: 'a/b.txt', size: 3 }] }
      if (plain?.endsWith('/attachments/61'))
        return { data: { download_url: 'https://files.example.com/file' } }
      return plain === '/file' ? 'abc' : { data: [] }
    },
  )
  const reading = await readSource(asana, files)
  expect(recordsOf(reading, 'task').map(({ id, parent }) => [id, parent])).toEqual([
    ['1', undefined],
    ['3', '1'],
    ['2', undefined],
  ])
  expect(recordsOf(reading, 'comment').map(({ text }) => text)).toEqual(['Fine'])
  const [file] = recordsOf(reading, 'attachment')
  expect(file!.filename).toBe('a-b.txt')
  expect(new TextDecoder().decode(await file!.bytes!())).toBe('"abc"')
})
