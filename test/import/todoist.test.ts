import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { parseDateText } from '../../src/import/sources/todoist/date-text.ts'
import { readTodoist, todoist } from '../../src/import/sources/todoist/index.ts'
import { downloadWith } from './download.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const TODAY = '2026-03-02'
const onMonday = {
  ...todoist,
  read: ((files, report) => readTodoist(files, report, TODAY)) as typeof todoist.read,
}
const csvFiles = async () =>
  (await fixtureFiles('todoist')).filter(({ path }) => path.endsWith('.csv'))
const readCsv = async () => readSource(onMonday, await csvFiles())
const readSync = async () => readSource(todoist, await fixtureFiles('todoist/sync.json'))

test('each field of a CSV file and of the API is declared', async () => {
  const old = textFile(
    'Old.csv',
    'TYPE,CONTENT,PRIORITY,INDENT,DUE_DATE,DUE_DATE_LANG\ntask,Row,1,1,today,en',
  )
  const reading = await readSource(onMonday, [old])
  expect(recordsOf(reading, 'task')[0]!.due_date).toBe(TODAY)
  expectAllFields(todoist, await readCsv(), await readSync(), reading)
})

test('a CSV file of a project becomes a board named after the file', async () => {
  const { records } = await readCsv()
  expect(records[0]).toEqual({ origin: { id: 'todoist:2203306141', title: 'Harbour' } })
  expect(recordsOf(await readCsv(), 'board')).toEqual([
    {
      id: '2203306141',
      title: 'Harbour',
      description: 'All work on the quay.\n\n## Deck\n\nEverything above the water',
      columns: [
        { title: 'To do', done: false },
        { title: 'Deck', done: false },
        { title: 'Done', done: true },
      ],
      labels: [{ name: 'shopping' }, { name: 'boat' }],
      fields: [
        { name: 'Duration (minutes)', type: 'number' },
        { name: 'Heading', type: 'checkbox' },
        { name: 'Date', type: 'text' },
        { name: 'Deadline', type: 'date' },
      ],
    },
  ])
})

test('a task has the labels of its content, its priority and its time in the zone', async () => {
  const [task] = recordsOf(await readCsv(), 'task')
  expect(task).toEqual({
    id: '2203306141/Order paint',
    board: '2203306141',
    column: 'To do',
    title: 'Order paint',
    description: 'Two tins of white',
    content_type: 'markdown',
    priority: 1,
    due_date: '2026-03-05T13:30:00.000Z',
    labels: ['shopping', 'boat'],
    assignees: ['7003'],
    created_by: '7002',
    fields: [{ name: 'Duration (minutes)', value: 45 }],
  })
})

test('the indentation gives the parents, and a section ends it', async () => {
  const tasks = recordsOf(await readCsv(), 'task')
  expect(tasks.map(({ title, parent }) => [title, parent?.split('/')[1]])).toEqual([
    ['Order paint', undefined],
    ['Ask for a quote', 'Order paint'],
    ['Call ana@example.com', 'Ask for a quote'],
    ['Checks', undefined],
    ['Check the ropes', 'Checks'],
    ['Sweep', 'Checks'],
    ['Sweep', undefined],
    ['Renew the licence', undefined],
    ['Pay the berth', undefined],
  ])
  expect(tasks[1]!.description).toBe('[a quote](https://shop.example.com/q)')
  expect(tasks[1]!.due_date).toBe('2026-03-03')
  expect(tasks[6]!.id).toBe('2203306141/Sweep#2')
})

test('repeats in English become rules, and those in other languages stay a text', async () => {
  const reading = await readCsv()
  const tasks = recordsOf(reading, 'task')
  expect(tasks[4]).toMatchObject({
    recurrence: 'FREQ=MONTHLY;INTERVAL=3;FROM=COMPLETION',
    due_date: '2026-03-02',
  })
  expect(tasks[5]).toMatchObject({
    recurrence: 'FREQ=MONTHLY;BYDAY=2FR',
    due_date: '2026-03-13T08:00:00.000Z',
  })
  expect(tasks[6]!.recurrence).toBeUndefined()
  expect(tasks[6]!.fields).toEqual([{ name: 'Date', value: 'jeden zweiten Freitag' }])
  expect(reading.losses).toEqual([
    'Date "jeden zweiten Freitag" of line 17: It is in the custom field Date',
    'Line 20: "other" is not a kind of line of Todoist',
  ])
})

test('a deadline is the due date, unless the task repeats', async () => {
  const tasks = recordsOf(await readCsv(), 'task')
  expect(tasks[7]).toMatchObject({ start_date: '2026-03-10', due_date: '2026-03-20' })
  expect(tasks[8]).toMatchObject({
    due_date: '2026-04-01',
    recurrence: 'FREQ=MONTHLY;BYMONTHDAY=1',
    fields: [{ name: 'Deadline', value: '2026-06-30' }],
  })
})

test('notes become comments and their files attachments', async () => {
  const reading = await readCsv()
  expect(
    recordsOf(reading, 'comment').map(({ text, author, created_at }) => [text, author, created_at]),
  ).toEqual([
    ['The shop closes at six.', '7003', '2026-03-01T09:00:00.000Z'],
    ['See the list', '7002', undefined],
  ])
  expect(recordsOf(reading, 'attachment')).toEqual([
    {
      id: '2203306141/Order paint/note 2',
      task: '2203306141/Order paint',
      comment: '2203306141/Order paint/note 2',
      filename: 'paint.pdf',
      url: 'https://files.example.com/paint.pdf',
      content_type: 'application/pdf',
      created_by: '7002',
    },
    {
      id: '2203306141/Order paint/note 3',
      task: '2203306141/Order paint',
      filename: 'tin.png',
      url: 'https://files.example.com/tin.png',
      created_by: '7002',
    },
  ])
})

test('the API gives boards, columns in order, colored labels and people', async () => {
  const reading = await readSync()
  expect(recordsOf(reading, 'board')).toEqual([
    {
      id: 'p1',
      title: 'Harbour',
      description: 'Quay works\n\nAsk Olga first.',
      columns: [
        { title: 'Now', done: false },
        { title: 'Later', done: false },
        { title: 'Done', done: true },
      ],
      labels: [{ name: 'boat', color: '#b8256f' }],
      fields: [
        { name: 'Deadline', type: 'date' },
        { name: 'Duration (minutes)', type: 'number' },
      ],
    },
    {
      id: 'p2',
      title: 'Lights',
      description: 'Part of the project Harbour.',
      columns: [
        { title: 'To do', done: false },
        { title: 'Done', done: true },
      ],
      labels: [],
      fields: [{ name: 'Repeats', type: 'text' }],
    },
  ])
  expect(recordsOf(reading, 'person')).toEqual([
    { id: '7001', name: 'Olga', email: 'olga@example.com' },
    { id: '7002', name: 'Ana', email: 'ana@example.com' },
    { id: '7003', name: 'Ben' },
  ])
})

test('a task of the API keeps its repeat, its times and its links to other tasks', async () => {
  const reading = await readSync()
  const [task, done, other] = recordsOf(reading, 'task')
  expect(task).toEqual({
    id: 'i1',
    board: 'p1',
    column: 'Now',
    title: 'Paint the hull',
    description:
      'After [Sand the hull](task:i2), before [lights](https://app.todoist.com/app/task/i3).',
    content_type: 'markdown',
    priority: 1,
    due_date: '2026-03-05T13:30:00.000Z',
    recurrence: 'FREQ=MONTHLY;BYDAY=2FR',
    labels: ['boat'],
    assignees: ['7003'],
    created_by: '7002',
    created_at: '2026-01-05T08:00:00.000Z',
    updated_at: '2026-02-05T08:00:00.000Z',
    fields: [
      { name: 'Deadline', value: '2026-04-01' },
      { name: 'Duration (minutes)', value: 90 },
    ],
  })
  expect(done).toMatchObject({
    column: 'Done',
    parent: 'i1',
    completed_at: '2026-02-20T10:00:00.000Z',
    due_date: '2026-02-19T23:30:00.000Z',
  })
  expect(other).toMatchObject({
    id: '33',
    priority: 3,
    fields: [{ name: 'Repeats', value: 'jeden Tag' }],
  })
  expect(other!.parent).toBeUndefined()
  expect(reading.losses).toEqual([
    'Repeat "jeden Tag": It is in the custom field Repeats',
    'Task Damaged: It has no id',
    'Parent of Change bulbs: It is not in the files',
  ])
  expect(recordsOf(reading, 'comment').map(({ id }) => id)).toEqual(['n1', 'n2'])
})

test.each([
  ['every day', { due: '2026-03-02', recurrence: 'FREQ=DAILY' }],
  ['every other week', { due: '2026-03-02', recurrence: 'FREQ=WEEKLY;INTERVAL=2' }],
  ['every mon, wed and fri', { due: '2026-03-02', recurrence: 'FREQ=WEEKLY;BYDAY=MO,WE,FR' }],
  [
    'every weekday at 8:30',
    { due: '2026-03-02T08:30:00.000Z', recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' },
  ],
  ['every last day', { due: '2026-03-31', recurrence: 'FREQ=MONTHLY;BYMONTHDAY=-1' }],
  ['every last fri of the month', { due: '2026-03-27', recurrence: 'FREQ=MONTHLY;BYDAY=-1FR' }],
  ['every 15th', { due: '2026-03-15', recurrence: 'FREQ=MONTHLY;BYMONTHDAY=15' }],
  ['every 5 jan', { due: '2027-01-05', recurrence: 'FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=5' }],
  ['every quarter', { due: '2026-03-02', recurrence: 'FREQ=MONTHLY;INTERVAL=3' }],
  ['every! 10 days', { due: '2026-03-02', recurrence: 'FREQ=DAILY;INTERVAL=10;FROM=COMPLETION' }],
  ['after 10 days', { due: '2026-03-02', recurrence: 'FREQ=DAILY;INTERVAL=10;FROM=COMPLETION' }],
  [
    'every 2 weeks starting 9 Mar until 1 Dec',
    { due: '2026-03-09', recurrence: 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20261201' },
  ],
  ['weekly', { due: '2026-03-02', recurrence: 'FREQ=WEEKLY' }],
  ['every evening', { due: '2026-03-02T19:00:00.000Z', recurrence: 'FREQ=DAILY' }],
  ['in 5 days', { due: '2026-03-07' }],
  ['next week', { due: '2026-03-09' }],
  ['friday at 5pm', { due: '2026-03-06T17:00:00.000Z' }],
  ['4 Jan', { due: '2027-01-04' }],
  ['Mar 4 2026 10:00', { due: '2026-03-04T10:00:00.000Z' }],
  ['whenever', undefined],
  ['every 3 hours', undefined],
])('the date text "%s" is understood', (text, expected) => {
  expect(parseDateText(text, { today: TODAY, zone: 'UTC' }) as unknown).toEqual(expected)
})

test('only files of Todoist are detected', async () => {
  expect(await todoist.detects(await csvFiles())).toBe(true)
  expect(await todoist.detects(await fixtureFiles('todoist/sync.json'))).toBe(true)
  expect(await todoist.detects([textFile('a.csv', 'Title,Status\nRope,Open')])).toBe(false)
  expect(await todoist.detects([textFile('a.json', '{"cards":[],"lists":[]}')])).toBe(false)
})

test('a CSV file of something else is refused with its name and a remedy', async () => {
  const file = textFile('boats.csv', 'Title,Status\nRope,Open')
  expect(readSource(todoist, [file])).rejects.toThrow(
    'boats.csv, line 1: The columns TYPE, CONTENT, PRIORITY and INDENT are missing. Export the project again',
  )
})

test('the download has the open and completed tasks of the project in the address', async () => {
  const { files, requests } = await downloadWith(
    todoist,
    'https://app.todoist.com/app/project/harbour-p1',
    (path) => {
      if (path.endsWith('/sync'))
        return {
          user: { id: '1', joined_at: new Date(Date.now() - 60_000).toISOString() },
          projects: [
            { id: 'p1', name: 'Harbour' },
            { id: 'p2', name: 'Other' },
          ],
          items: [
            { id: 'i1', project_id: 'p1', content: 'Open' },
            { id: 'i2', project_id: 'p2' },
          ],
        }
      if (path.includes('/completed/'))
        return path.includes('cursor=')
          ? { items: [{ id: 'i4', project_id: 'p1', content: 'Done too' }], next_cursor: null }
          : {
              items: [{ id: 'i3', project_id: 'p1', content: 'Done', note_count: 1 }],
              next_cursor: 'next',
            }
      return { results: [{ id: 'n1', content: 'Fine', posted_at: '2026-02-01T08:00:00Z' }] }
    },
  )
  const reading = await readSource(todoist, files)
  expect(recordsOf(reading, 'task').map(({ id, column }) => [id, column])).toEqual([
    ['i1', 'To do'],
    ['i3', 'Done'],
    ['i4', 'Done'],
  ])
  expect(recordsOf(reading, 'comment').map(({ task, text }) => [task, text])).toEqual([
    ['i3', 'Fine'],
  ])
  expect(requests[0]).toBe('/api/v1/sync')
})
