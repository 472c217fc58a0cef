import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { ticktick } from '../../src/import/sources/ticktick/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async () => readSource(ticktick, await fixtureFiles('ticktick'))
const CREATED = '2026-01-05T08:00:00+0000'

test('each column of a backup is declared', async () => {
  expectAllFields(ticktick, await read())
})

test('each list becomes a board with its sections in order', async () => {
  const reading = await read()
  expect(reading.records[0]).toEqual({ origin: { id: 'ticktick', title: 'TickTick' } })
  expect(recordsOf(reading, 'board')).toEqual([
    {
      id: 'Work/Harbour',
      title: 'Harbour',
      description: 'In the folder Work.',
      columns: [
        { title: 'To do', done: false },
        { title: 'Later', done: false },
        { title: 'Now', done: false },
        { title: 'Done', done: true },
      ],
      labels: [{ name: 'boat' }, { name: 'paint' }],
      fields: [{ name: 'Repeats', type: 'text' }],
    },
    {
      id: 'Inbox',
      title: 'Inbox',
      columns: [
        { title: 'To do', done: false },
        { title: "Won't do", done: true },
        { title: 'Done', done: true },
      ],
      labels: [],
      fields: [{ name: 'Kind', type: 'select', options: ['Note'] }],
    },
  ])
})

test('a task keeps its checklist, its days in its zone and its repeat', async () => {
  expect(recordsOf(await read(), 'task')[0]).toEqual({
    id: `Work/Harbour/${CREATED}/Paint the hull`,
    board: 'Work/Harbour',
    column: 'Now',
    title: 'Paint the hull',
    description: 'Two coats\n- [ ] Brush\n- [x] Sand',
    content_type: 'markdown',
    priority: 2,
    start_date: '2026-03-02',
    due_date: '2026-03-05',
    recurrence: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA',
    labels: ['boat', 'paint'],
    created_at: '2026-01-05T08:00:00.000Z',
  })
})

test('each completion of a repeating task has an id of its own', async () => {
  const tasks = recordsOf(await read(), 'task').filter(({ title }) => title === 'Sweep')
  expect(
    tasks.map(({ id, column, completed_at, recurrence }) => [id, column, completed_at, recurrence]),
  ).toEqual([
    [
      `Work/Harbour/${CREATED}/Sweep 2026-02-20T10:00:00+0000`,
      'Done',
      '2026-02-20T10:00:00.000Z',
      undefined,
    ],
    [
      `Work/Harbour/${CREATED}/Sweep 2026-02-21T10:00:00+0000`,
      'Done',
      '2026-02-21T10:00:00.000Z',
      undefined,
    ],
    [`Work/Harbour/${CREATED}/Sweep`, 'To do', undefined, undefined],
  ])
  expect(tasks[2]!.due_date).toBe('2026-02-22T08:00:00.000Z')
})

test('parents, notes and tasks that will not be done are kept', async () => {
  const reading = await read()
  const tasks = recordsOf(reading, 'task')
  expect(tasks[1]).toEqual({
    id: `Work/Harbour/${CREATED}/Buy paint`,
    board: 'Work/Harbour',
    column: 'Later',
    title: 'Buy paint',
    priority: 3,
    due_date: '2026-03-02T08:00:00.000Z',
    parent: `Work/Harbour/${CREATED}/Paint the hull`,
    created_at: '2026-01-05T08:00:00.000Z',
  })
  expect(tasks[5]).toMatchObject({
    column: "Won't do",
    priority: 0,
    fields: [{ name: 'Kind', value: 'Note' }],
  })
  expect(tasks[6]).toMatchObject({ title: 'Untitled', priority: 4 })
  expect(reading.losses).toEqual([
    'Repeat RRULE:FREQ=DAILY;INTERVAL=1;TT_SKIP=WEEKEND: It is in the custom field Repeats',
    'Attachments of Old idea: Backups do not contain files',
    'Parent of Old idea: It is not in the backup',
  ])
})

test('only backups of TickTick are detected', async () => {
  expect(await ticktick.detects(await fixtureFiles('ticktick'))).toBe(true)
  for (const other of ['csv/boats.csv', 'asana/quay.csv', 'mstodo/outlook.csv', 'todoist'])
    expect(await ticktick.detects(await fixtureFiles(other))).toBe(false)
})

test('a file without the columns of a backup is refused', async () => {
  const file = textFile('boats.csv', 'Title,Status\nRope,Open')
  expect(readSource(ticktick, [file])).rejects.toThrow(
    'boats.csv, line 1: The columns List Name and Title are missing. Create a backup again',
  )
})
