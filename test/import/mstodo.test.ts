import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { mstodo } from '../../src/import/sources/mstodo/index.ts'
import { downloadWith } from './download.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async (name: string) => readSource(mstodo, await fixtureFiles(`mstodo/${name}`))

test('each field of Microsoft Graph and of Outlook is declared', async () => {
  expectAllFields(
    mstodo,
    await read('lists.json'),
    await read('tasks.json'),
    await read('outlook.csv'),
  )
})

test('a list becomes a board with a column for each status', async () => {
  const reading = await read('lists.json')
  expect(reading.records[0]).toEqual({ origin: { id: 'mstodo', title: 'Microsoft To Do' } })
  expect(recordsOf(reading, 'board')).toEqual([
    {
      id: 'L1',
      title: 'Harbour',
      columns: [
        { title: 'Not started', done: false },
        { title: 'In progress', done: false },
        { title: 'Completed', done: true },
        { title: 'Waiting on others', done: false },
      ],
      labels: [{ name: 'boat' }],
      fields: [{ name: 'Repeats', type: 'text' }],
    },
  ])
})

test('a task keeps its steps, links, dates and repeat', async () => {
  const tasks = recordsOf(await read('lists.json'), 'task')
  expect(tasks[0]).toEqual({
    id: 'T1',
    board: 'L1',
    column: 'In progress',
    title: 'Paint the hull',
    description: [
      'Two coats',
      'of white',
      '',
      '## Steps',
      '',
      '- [x] Buy paint',
      '- [ ] Sand',
      '',
      '## Links',
      '',
      '- [Mail of Olga](https://boats.example.com/mail)',
      '- Planner',
    ].join('\n'),
    content_type: 'markdown',
    priority: 2,
    start_date: '2026-03-01',
    due_date: '2026-03-05',
    recurrence: 'FREQ=MONTHLY;BYDAY=-1FR;INTERVAL=2;UNTIL=20270305',
    labels: ['boat'],
    created_at: '2026-01-05T08:00:00.000Z',
    updated_at: '2026-02-05T08:00:00.000Z',
  })
})

test('a task with formatted text keeps its format', async () => {
  const reading = await read('lists.json')
  const tasks = recordsOf(reading, 'task')
  expect(tasks[1]).toEqual({
    id: 'T2',
    board: 'L1',
    column: 'Completed',
    title: 'Sand the hull',
    description: [
      '<p>Fine</p>',
      '<h2>Steps</h2><ul><li>☑ A &amp; B</li></ul>',
      '<h2>Links</h2><ul><li><a href="https://boats.example.com/plan">Plan</a></li></ul>',
    ].join('\n\n'),
    content_type: 'html',
    priority: 4,
    due_date: '2026-02-19',
    completed_at: '2026-02-20T10:00:00.000Z',
    fields: [{ name: 'Repeats', value: '{"type":"lunar","interval":1}' }],
  })
  expect(tasks[2]).toEqual({
    id: 'No id',
    board: 'L1',
    column: 'Waiting on others',
    title: 'No id',
    priority: 0,
  })
  expect(reading.losses).toEqual([
    'Attachment lost.txt: The file has no content of it',
    'Repeat of Sand the hull: It is in the custom field Repeats',
  ])
  const [file] = recordsOf(reading, 'attachment')
  expect(new TextDecoder().decode(await file!.bytes!())).toBe('White')
})

test('tasks without their list go to a board named after the file', async () => {
  expect(recordsOf(await read('tasks.json'), 'task')).toEqual([
    {
      id: 'T9',
      board: 'tasks',
      column: 'Deferred',
      title: 'Sweep',
      priority: 0,
      recurrence: 'FREQ=WEEKLY;BYDAY=MO,FR;COUNT=5',
    },
  ])
})

test('tasks that are saved apart from their lists go to the boards of the lists', async () => {
  const file = textFile(
    'backup.json',
    '{"lists":[{"id":"L1","displayName":"Boats"}],"tasks":[{"listId":"L1","listTasks":[{"id":"T1","title":"Row"}]}]}',
  )
  expect(recordsOf(await readSource(mstodo, [file]), 'task')[0]).toMatchObject({
    id: 'T1',
    board: 'L1',
  })
})

test('tasks of Outlook keep their dates and other columns', async () => {
  const tasks = recordsOf(await read('outlook.csv'), 'task')
  expect(tasks).toEqual([
    {
      id: 'outlook/Paint the hull',
      board: 'outlook',
      column: 'In Progress',
      title: 'Paint the hull',
      description: 'Two coats',
      content_type: 'markdown',
      priority: 'High',
      start_date: '2026-03-01',
      due_date: '2026-03-25',
      labels: ['boat', 'paint'],
      fields: [
        { name: 'Total Work', value: 120 },
        { name: 'Actual Work', value: 30 },
        { name: 'Billing Information', value: 'B1' },
        { name: 'Companies', value: 'Boats' },
        { name: 'Contacts', value: 'Cleo' },
        { name: 'Mileage', value: '12' },
        { name: 'Role', value: 'Painter' },
        { name: '% Complete', value: 0.5 },
        { name: 'Sensitivity', value: 'Private' },
      ],
    },
    {
      id: 'outlook/Sand the hull',
      board: 'outlook',
      column: 'Completed',
      title: 'Sand the hull',
      priority: 0,
      completed_at: '2026-02-20T00:00:00.000Z',
    },
  ])
})

test('only files of Microsoft To Do and Outlook are detected', async () => {
  for (const name of ['lists.json', 'tasks.json', 'outlook.csv'])
    expect(await mstodo.detects(await fixtureFiles(`mstodo/${name}`))).toBe(true)
  expect(await mstodo.detects(await fixtureFiles('todoist/sync.json'))).toBe(false)
  expect(await mstodo.detects(await fixtureFiles('asana'))).toBe(false)
  expect(await mstodo.detects(await fixtureFiles('csv/boats.csv'))).toBe(false)
})

test('a file that is cut short or has no tasks is refused', async () => {
  const cut = textFile('cut.json', '{\n"value": [{"title": ')
  expect(readSource(mstodo, [cut])).rejects.toThrow('cut.json, line 2, column')
  const empty = textFile('empty.json', '{"value": []}')
  expect(readSource(mstodo, [empty])).rejects.toThrow('empty.json: There are no tasks in the file')
})

test('the download has all pages of lists and tasks with their attachments', async () => {
  const { files } = await downloadWith(mstodo, 'https://to-do.office.com/tasks', (path) => {
    if (path === '/v1.0/me/todo/lists?$top=100')
      return {
        value: [{ id: 'L1', displayName: 'Harbour' }],
        '@odata.nextLink': 'https://graph.microsoft.com/v1.0/me/todo/lists?$skip=100',
      }
    if (path.endsWith('lists?$skip=100')) return { value: [{ id: 'L2', displayName: 'Fleet' }] }
    if (path.includes('/L1/tasks?'))
      return { value: [{ id: 'T1', title: 'Paint', hasAttachments: true }] }
    if (path.endsWith('/T1/attachments')) return { value: [{ id: 'A1', name: 'note.txt' }] }
    if (path.endsWith('/attachments/A1'))
      return { id: 'A1', name: 'note.txt', contentBytes: 'V2hpdGU=' }
    return { value: [] }
  })
  const reading = await readSource(mstodo, files)
  expect(recordsOf(reading, 'board').map(({ title }) => title)).toEqual(['Harbour', 'Fleet'])
  expect(recordsOf(reading, 'task').map(({ title }) => title)).toEqual(['Paint'])
  expect(recordsOf(reading, 'attachment').map(({ filename }) => filename)).toEqual(['note.txt'])
})
