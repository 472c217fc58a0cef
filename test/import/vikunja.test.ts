import { describe, expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { vikunja } from '../../src/import/sources/vikunja/index.ts'
import { type Answer, download, fakeApi, lostFields, readDownload } from './fake-fetch.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async (name: string) => readSource(vikunja, await fixtureFiles(`vikunja/${name}`))

describe('an export with kanban views', () => {
  test('a task keeps its dates, labels, people, repeat rule and task list', async () => {
    const [task] = recordsOf(await read('export'), 'task')
    expect(task).toEqual({
      id: '11',
      board: '3',
      column: 'Sea 2',
      title: 'Clean the buoys',
      description:
        '<p>See <a href="task:12">this</a></p><ul data-type="taskList">' +
        '<li>☑ <div><p>red</p></div></li><li>☐ <div><p>green</p></div></li></ul>',
      content_type: 'html',
      key: 'BUOY-1',
      priority: 1,
      start_date: '2026-04-28T08:00:00.000Z',
      due_date: '2026-05-01T08:00:00.000Z',
      recurrence: 'FREQ=WEEKLY;INTERVAL=2;FROM=COMPLETION',
      labels: ['wet', 'dry', 'DO NOW'],
      assignees: ['1', '2'],
      created_by: '1',
      created_at: '2026-04-01T08:00:00.000Z',
      updated_at: '2026-04-02T08:00:00.000Z',
      fields: [
        { name: 'Percent done', value: 25 },
        { name: 'End date', value: '2026-05-02' },
      ],
    })
  })

  test('a done task is in the done column, and year 1 stands for no time', async () => {
    const [, done] = recordsOf(await read('export'), 'task')
    expect(done).toEqual({
      id: '12',
      board: '3',
      column: 'Shore',
      title: 'Order soap',
      key: 'BUOY-2',
      priority: 4,
      due_date: '2026-04-06T08:00:00.000Z',
      created_by: '1',
      created_at: '2026-04-01T09:00:00.000Z',
      completed_at: '2026-04-05T08:00:00.000Z',
      parent: '11',
    })
  })

  test('a task without a bucket is in the default column, in an archived project archived', async () => {
    const [, , low, elsewhere] = recordsOf(await read('export'), 'task')
    expect(low).toMatchObject({
      column: 'Sea',
      fields: [{ name: 'Repeats', value: 'every 5400 seconds' }],
    })
    expect(elsewhere).toMatchObject({
      column: 'To do',
      archived: true,
      priority: 2,
      recurrence: 'FREQ=MONTHLY',
    })
  })

  test('the buckets of the first kanban view become columns with unique titles', async () => {
    const boards = recordsOf(await read('export'), 'board')
    expect(boards.map(({ title }) => title)).toEqual(['Harbour', 'Harbour / Buoys', 'Old pier'])
    expect(boards[1]).toMatchObject({
      id: '3',
      key: 'BUOY',
      description: 'All buoys & lights',
      columns: [
        { title: 'Sea', done: false, wip_limit: 4 },
        { title: 'Sea 2', done: false },
        { title: 'Shore', done: true },
      ],
      labels: [{ name: 'wet', color: '#00aaff' }, { name: 'dry' }, { name: 'DO NOW' }],
    })
  })

  test('relations are read in their direction, and parents in other projects are related', async () => {
    expect(recordsOf(await read('export'), 'relation')).toEqual([
      { kind: 'blocks', first: '13', second: '11' },
      { kind: 'related', first: '11', second: '21' },
      { kind: 'blocks', first: '12', second: '13' },
    ])
  })

  test('comments and files keep their content', async () => {
    const reading = await read('export')
    expect(recordsOf(reading, 'comment')).toMatchObject([
      { id: '9', content_type: 'html', author: '2', edited_at: '2026-04-02T09:00:00.000Z' },
      { id: '10', content_type: 'markdown', text: 'plain' },
    ])
    const [file] = recordsOf(reading, 'attachment')
    expect(file?.filename).toBe('buoy.txt')
    expect(new TextDecoder().decode(await file!.bytes!())).toBe('buoy\n')
  })

  test('what is left out is reported', async () => {
    const reading = await read('export')
    expect(reading.losses).toEqual([
      'Another kanban view: Second board: a board has one set of columns',
      'A task: It is deleted, or has no id or no title',
      'A file: It is not in the export',
      'A repeat rule: Tasks repeat after whole days',
      'A relation to another task: That task is not imported',
    ])
    expect(lostFields(reading)).toContain('projects[].tasks[].reminders[].reminder')
    expect(lostFields(reading)).toContain('filters[]')
  })
})

test('an old export has namespaces, buckets of the project and markdown', async () => {
  const reading = await read('old')
  expect(recordsOf(reading, 'board')).toMatchObject([
    {
      title: 'Pier / Nets',
      columns: [
        { title: 'Wet', done: false },
        { title: 'Loft', done: false, wip_limit: 2 },
        { title: 'Ready', done: true },
      ],
    },
  ])
  expect(recordsOf(reading, 'task')).toMatchObject([
    {
      column: 'Loft',
      content_type: 'markdown',
      description: '**Soon**, see [https://todo.harbour.example/tasks/2](task:2)',
      recurrence: 'FREQ=DAILY;INTERVAL=2',
    },
    { column: 'Ready' },
  ])
})

test('each field of the fixtures is declared, and each declared field is in them', async () => {
  expectAllFields(vikunja, ...(await Promise.all(['export', 'old'].map(read))))
})

test('exports of Vikunja are detected, and files of others are not', async () => {
  for (const name of ['export', 'old'])
    expect(await vikunja.detects(await fixtureFiles(`vikunja/${name}`))).toBe(true)
  for (const name of ['github/rest', 'gitlab/tree', 'plane/json'])
    expect(await vikunja.detects(await fixtureFiles(name))).toBe(false)
  expect(await vikunja.detects([textFile('data.json', '[{"name":"A"}]')])).toBe(false)
})

test('a broken export is refused with its location', async () => {
  const file = textFile('data.json', '[{"id": 1,\n"title": }]')
  await expect(readSource(vikunja, [file])).rejects.toThrow(
    /data\.json, line 2, column \d+: .*Download it again/,
  )
  await expect(readSource(vikunja, [textFile('other.json', '[]')])).rejects.toThrow(/no data\.json/)
})

describe('the download', () => {
  const url = 'https://vikunja.harbour.example/projects/3/7'
  const api = 'https://vikunja.harbour.example/api/v1'
  const views = [
    { id: 1, view_kind: 'list' },
    { id: 2, view_kind: 'kanban', done_bucket_id: 33 },
  ]
  const task = (id: number, more = {}) => ({ id, title: `Task ${id}`, done: false, ...more })
  const list = `${api}/projects/3/views/1/tasks`
  const attachments = [{ id: 5, file: { id: 7, name: 'a.txt', size: 1 } }]
  const answers: Record<string, Answer | Answer[]> = {
    [`${api}/projects?page=1&per_page=50&is_archived=true`]: [
      { status: 500 },
      {
        body: [
          { id: 3, title: 'Buoys', views },
          { id: 4, title: 'Other' },
          { id: -1, title: 'Mine' },
        ],
      },
    ],
    [`${list}?page=1&per_page=50&`]: {
      headers: { 'x-pagination-total-pages': '2' },
      body: [task(1, { attachments })],
    },
    [`${list}?page=2&per_page=50&`]: [
      { status: 429, headers: { 'retry-after': '0' } },
      { body: [task(2)] },
    ],
    [`${api}/tasks/1/comments`]: { body: [{ id: 9, comment: 'Hello' }] },
    [`${api}/tasks/1/attachments/5`]: { body: 7 },
    [`${api}/projects/3/views/2/buckets`]: {
      body: [
        { id: 31, title: 'Sea', position: 1 },
        { id: 33, title: 'Shore', position: 2 },
      ],
    },
    [`${api}/projects/3/views/2/tasks?page=1&per_page=50`]: {
      body: [{ id: 33, title: 'Shore', tasks: [task(2)] }],
    },
  }

  test('follows pages, repeats what fails and reads the buckets of the kanban view', async () => {
    const fake = fakeApi(answers)
    const reading = await readDownload(vikunja, url, fake)
    expect(recordsOf(reading, 'task').map(({ id, column }) => [id, column])).toEqual([
      ['1', 'Sea'],
      ['2', 'Shore'],
    ])
    expect(recordsOf(reading, 'comment')).toHaveLength(1)
    const [file] = recordsOf(reading, 'attachment')
    expect(new TextDecoder().decode(await file!.bytes!())).toBe('7')
    expect(fake.headers().get('authorization')).toBe('Bearer secret')
  })

  test('a wrong token and an unknown project are explained', async () => {
    const projects = `${api}/projects?page=1&per_page=50&is_archived=true`
    const refused = fakeApi({ [projects]: { status: 401 } })
    await expect(download(vikunja, url, refused)).rejects.toThrow(/refuses.*VIKUNJA_TOKEN/)
    await expect(download(vikunja, url, fakeApi({}))).rejects.toThrow(/does not find/)
    const none = fakeApi({ [projects]: { body: [] } })
    await expect(download(vikunja, url, none)).rejects.toThrow(/does not find .*projects\/3/)
    expect(vikunja.api!.matches(new URL(url))).toBe(true)
    expect(vikunja.api!.matches(new URL('https://github.com/harbour/rope'))).toBe(false)
  })
})
