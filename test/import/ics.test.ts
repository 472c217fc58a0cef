import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { ics } from '../../src/import/sources/ics/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async () => readSource(ics, await fixtureFiles('ics/harbour.ics'))

test('each property of a to-do is declared', async () => {
  expectAllFields(ics, await read())
})

test('a calendar becomes a board with the columns of its states', async () => {
  const reading = await read()
  expect(reading.records[0]).toEqual({ origin: { id: 'ics:Harbour', title: 'Harbour' } })
  expect(recordsOf(reading, 'board')).toEqual([
    {
      id: 'cal-1',
      title: 'Harbour',
      description: 'All work on the quay',
      columns: [
        { title: 'Needs action', done: false },
        { title: 'In progress', done: false },
        { title: 'Done', done: true },
        { title: 'Cancelled', done: true },
      ],
      labels: [{ name: 'boat' }, { name: 'paint' }, { name: 'urgent' }],
      fields: [
        { name: 'Percent complete', type: 'number' },
        { name: 'Contact', type: 'text' },
        { name: 'Location', type: 'text' },
        { name: 'Coordinates', type: 'text' },
        { name: 'Resources', type: 'text' },
        { name: 'URL', type: 'url' },
        { name: 'Link', type: 'text' },
        { name: 'Conference', type: 'text' },
        { name: 'Class', type: 'select', options: ['private'] },
        { name: 'X-BERTH', type: 'text' },
        { name: 'Repeats', type: 'text' },
      ],
    },
  ])
})

test('a to-do keeps its zone, its rule, its people and its other properties', async () => {
  expect(recordsOf(await read(), 'task')[0]).toEqual({
    id: 'paint',
    board: 'cal-1',
    column: 'In progress',
    title: 'Paint the hull, twice',
    description: 'Two coats.\nUse white.',
    content_type: 'markdown',
    priority: 1,
    start_date: '2026-03-05T08:00:00.000Z',
    due_date: '2026-03-05T13:30:00.000Z',
    recurrence: 'FREQ=MONTHLY;BYDAY=-1FR',
    labels: ['boat', 'paint', 'urgent'],
    assignees: ['ana@example.com', 'urn:uuid:ben'],
    created_by: 'olga@example.com',
    created_at: '2026-01-05T08:00:00.000Z',
    updated_at: '2026-02-05T08:00:00.000Z',
    fields: [
      { name: 'Percent complete', value: 40 },
      { name: 'Contact', value: 'Cleo at the shop' },
      { name: 'Location', value: 'Quay 4' },
      { name: 'Coordinates', value: '53.5,9.9' },
      { name: 'Resources', value: 'Ladder' },
      { name: 'URL', value: 'https://boats.example.com/paint' },
      { name: 'Link', value: 'https://boats.example.com/link' },
      { name: 'Conference', value: 'https://boats.example.com/call' },
      { name: 'Class', value: 'private' },
      { name: 'X-BERTH', value: '12' },
    ],
  })
})

test('the other to-dos keep their states, dates and relations', async () => {
  const reading = await read()
  const tasks = recordsOf(reading, 'task')
  expect(tasks.map(({ id, column, priority, parent }) => [id, column, priority, parent])).toEqual([
    ['paint', 'In progress', 1, undefined],
    ['sand', 'Done', 3, 'paint'],
    ['sweep', 'Needs action', 0, undefined],
    ['ropes', 'Cancelled', 4, 'sweep'],
    ['sweep/2026-03-11', 'Done', 0, undefined],
    ['to-do', 'Needs action', 0, undefined],
  ])
  expect(tasks[1]).toMatchObject({
    due_date: '2026-02-19',
    completed_at: '2026-02-20T10:00:00.000Z',
  })
  expect(tasks[2]).toMatchObject({
    start_date: '2026-03-10T09:00:00.000Z',
    due_date: '2026-03-10T11:00:00.000Z',
    fields: [{ name: 'Repeats', value: 'FREQ=HOURLY' }],
  })
  expect(tasks[3]!.due_date).toBe('2026-03-11T11:00:00.000Z')
  expect(tasks[5]!.title).toBe('Untitled')
  expect(recordsOf(reading, 'relation')).toEqual([
    { kind: 'blocks', first: 'sand', second: 'sweep' },
    { kind: 'related', first: 'paint', second: 'sweep' },
  ])
  expect(reading.losses).toEqual([
    'Repeat FREQ=HOURLY: It is in the custom field Repeats',
    'Link to missing: It is not in the files',
  ])
})

test('attachments have an address or their bytes', async () => {
  const reading = await read()
  const files = recordsOf(reading, 'attachment')
  expect(files.map(({ filename, url, content_type }) => [filename, url, content_type])).toEqual([
    ['paint list.pdf', 'https://files.example.com/paint%20list.pdf', 'application/pdf'],
    ['note.txt', undefined, 'text/plain'],
    ['hull.png', 'https://files.example.com/hull.png', undefined],
  ])
  expect(new TextDecoder().decode(await files[1]!.bytes!())).toBe('White')
  expect(recordsOf(reading, 'comment')).toEqual([
    { id: 'paint/comment 1', task: 'paint', text: 'Ask Ana first.', content_type: 'markdown' },
  ])
  expect(recordsOf(reading, 'person')).toEqual([
    { id: 'olga@example.com', name: 'Olga', email: 'olga@example.com' },
    { id: 'ana@example.com', name: 'Ana', email: 'ana@example.com' },
    { id: 'urn:uuid:ben', name: 'Ben' },
  ])
})

test('a damaged to-do is left out, and the others are read', async () => {
  const reading = await readSource(ics, await fixtureFiles('ics/broken.ics'))
  expect(recordsOf(reading, 'task').map(({ title }) => title)).toEqual(['Good'])
  expect(reading.losses[0]).toStartWith('To-do at line 7 of broken.ics: It is damaged')
})

test('only calendars with to-dos are detected', async () => {
  expect(await ics.detects(await fixtureFiles('ics/harbour.ics'))).toBe(true)
  expect(await ics.detects([textFile('a.ics', 'BEGIN:VCALENDAR\nEND:VCALENDAR')])).toBe(false)
  expect(await ics.detects(await fixtureFiles('csv/boats.csv'))).toBe(false)
})

test('a file without a calendar or without to-dos is refused', async () => {
  expect(readSource(ics, [textFile('a.ics', 'Hello')])).rejects.toThrow(
    'a.ics, line 1: There is no calendar in the file. Export it as iCalendar (.ics)',
  )
  const events = textFile('b.ics', 'BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR')
  expect(readSource(ics, [events])).rejects.toThrow('b.ics: There are no to-dos in the calendar')
})

test('times and files that cannot be read are reported, and the to-do is imported', async () => {
  const text = [
    ...['BEGIN:VCALENDAR', 'BEGIN:VTODO', 'UID:1', 'SUMMARY:Tar the ropes', 'DUE:soon'],
    ...['ATTACH:cid:part3', 'END:VTODO', 'END:VCALENDAR', ''],
  ].join('\r\n')
  const reading = await readSource(ics, [textFile('ropes.ics', text)])
  expect(recordsOf(reading, 'task')).toMatchObject([{ title: 'Tar the ropes' }])
  expect(reading.losses).toEqual([
    'DUE of "Tar the ropes": It is no time',
    'File 1 of 1: It has no content and no address',
  ])
})
