import { describe, expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { plane } from '../../src/import/sources/plane/index.ts'
import { type Answer, download, fakeApi, lostFields, readDownload } from './fake-fetch.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async (name: string) => readSource(plane, await fixtureFiles(`plane/${name}`))

describe('a JSON export', () => {
  test('a work item becomes a task with its people, links and custom fields', async () => {
    const [task] = recordsOf(await read('json'), 'task')
    expect(task).toEqual({
      id: 'HARB-1',
      board: 'HARB',
      column: 'In Progress',
      title: 'Raise the crane',
      description:
        'See [HARB-2](task:HARB-2)\n\n## Links\n\n- [Manual](https://harbour.example/crane)\n' +
        '- https://harbour.example/plan',
      content_type: 'markdown',
      key: 'HARB-1',
      priority: 1,
      start_date: '2026-03-01',
      due_date: '2026-03-10',
      labels: ['heavy'],
      assignees: ['Ana Sea', 'Ben Rope'],
      created_by: 'Cleo Deck',
      created_at: '2026-02-01T09:00:00.123Z',
      updated_at: '2026-02-02T09:00:00.000Z',
      fields: [
        { name: 'Estimate', value: 5 },
        { name: 'Module', value: 'Cranes, Quay' },
        { name: 'Cycle', value: 'March' },
      ],
    })
  })

  test('a completed item is done, and a cancelled one is archived', async () => {
    const [, done, cancelled] = recordsOf(await read('json'), 'task')
    expect(done).toMatchObject({
      column: 'Done',
      completed_at: '2026-02-05T09:00:00.000Z',
      parent: 'HARB-1',
      estimate: 4,
    })
    expect(cancelled).toMatchObject({ column: 'Cancelled', archived: true })
  })

  test('relations are read in their direction', async () => {
    const reading = await read('json')
    expect(recordsOf(reading, 'relation')).toEqual([
      { kind: 'blocks', first: 'HARB-2', second: 'HARB-1' },
      { kind: 'blocks', first: 'HARB-1', second: 'HARB-3' },
    ])
    expect(reading.losses).toEqual([
      'A work item: It has no id or no name',
      'A relation to another task: That task is not imported',
    ])
    expect(lostFields(reading)).toEqual(['export[].subscribers'])
  })

  test('an older export with dates in words is read, too', async () => {
    const reading = await read('old')
    expect(recordsOf(reading, 'task')[0]).toMatchObject({
      id: 'PIER-7',
      column: 'Todo',
      priority: 3,
      start_date: '2026-03-01',
      due_date: '2026-03-10',
      created_at: '2026-02-01T09:30:00.000Z',
      assignees: ['Ben Rope'],
    })
    expect(recordsOf(reading, 'comment')).toEqual([
      {
        id: 'PIER-7 2026-02-02T00:00:00.000Z 0',
        task: 'PIER-7',
        text: 'With a broom',
        content_type: 'markdown',
        author: 'Ben Rope',
        created_at: '2026-02-02T00:00:00.000Z',
      },
    ])
    expect(recordsOf(reading, 'relation')).toEqual([
      { kind: 'blocks', first: 'PIER-7', second: 'PIER-8' },
    ])
  })
})

test('a CSV export has lists as JSON or joined by commas', async () => {
  const reading = await read('csv')
  const [crane, hook] = recordsOf(reading, 'task')
  expect(crane).toMatchObject({
    title: '=Raise the crane',
    column: 'Backlog',
    estimate: 6,
    assignees: ['Ana Sea', 'Ben Rope'],
    labels: ['heavy'],
    fields: [
      { name: 'Module', value: 'Quay' },
      { name: 'Cycle', value: 'March' },
    ],
  })
  expect(hook).toMatchObject({ parent: 'HARB-1', assignees: ['Ana Sea', 'Olga'] })
  expect(recordsOf(reading, 'relation')).toEqual([
    { kind: 'related', first: 'HARB-1', second: 'HARB-2' },
  ])
})

describe('what the API returns', () => {
  test('ids are replaced by names, and links lead to tasks', async () => {
    const reading = await read('api')
    expect(recordsOf(reading, 'task')[0]).toEqual({
      id: 'BOAT-1',
      board: 'BOAT',
      column: 'Sailing',
      title: 'Scrub the hull',
      description:
        '<p>After <a href="task:BOAT-2">this</a></p><h2>Links</h2><ul>' +
        '<li><a href="https://harbour.example/hull?a=1&amp;b=2">Hull &lt;1&gt;</a></li>' +
        '<li><a href="https://harbour.example/b">https://harbour.example/b</a></li></ul>',
      content_type: 'html',
      key: 'BOAT-1',
      priority: 2,
      start_date: '2026-04-01',
      due_date: '2026-04-02',
      labels: ['oak'],
      assignees: ['u2'],
      created_by: 'u1',
      created_at: '2026-03-01T08:00:00.000Z',
      updated_at: '2026-03-02T08:00:00.000Z',
      fields: [
        { name: 'Estimate', value: '3' },
        { name: 'Module', value: 'Rigging' },
        { name: 'Cycle', value: 'Spring' },
        { name: 'Type', value: 'Chore' },
      ],
    })
    expect(recordsOf(reading, 'person')).toEqual([
      { id: 'u1', name: 'ana', email: 'ana@harbour.example' },
      { id: 'u2', name: 'ben', email: 'ben@harbour.example' },
      { id: 'u3', name: 'Cleo Deck' },
    ])
  })

  test('states become columns in their order, without triage', async () => {
    const [board] = recordsOf(await read('api'), 'board')
    expect(board!.columns).toEqual([
      { title: 'Moored', done: false },
      { title: 'Sailing', done: false },
      { title: 'Home', done: true },
      { title: 'Sunk', done: false },
    ])
  })

  test('comments and attachments keep their content', async () => {
    const reading = await read('api')
    expect(recordsOf(reading, 'comment')).toMatchObject([
      { id: 'c1', author: 'u2', content_type: 'html', edited_at: '2026-03-02T09:00:00.000Z' },
      { id: 'c2', author: 'u1' },
    ])
    const [file] = recordsOf(reading, 'attachment')
    expect(new TextDecoder().decode(await file!.bytes!())).toBe('hull\n')
  })
})

test('each field of the fixtures is declared, and each declared field is in them', async () => {
  expectAllFields(plane, ...(await Promise.all(['json', 'old', 'csv', 'api'].map(read))))
})

test('exports of Plane are detected, and files of others are not', async () => {
  for (const name of ['json', 'old', 'csv', 'api'])
    expect(await plane.detects(await fixtureFiles(`plane/${name}`))).toBe(true)
  for (const name of ['github/rest', 'github/items', 'gitlab/csv', 'gitlab/rest'])
    expect(await plane.detects(await fixtureFiles(name))).toBe(false)
})

test('a broken file and a spreadsheet are refused with what to do', async () => {
  const cut = textFile('export.json', '[{"name": "A"},\n{"na')
  await expect(readSource(plane, [cut])).rejects.toThrow(/export\.json, line 2, column \d+: .*/)
  const quotes = textFile('export.csv', 'Name,Identifier\n"A,B-1\n')
  await expect(readSource(plane, [quotes])).rejects.toThrow(/export\.csv, line 2.*fix the quotes/)
  await expect(readSource(plane, [textFile('a.xlsx', 'PK')])).rejects.toThrow(/JSON or CSV/)
  await expect(readSource(plane, [textFile('a.json', '[]')])).rejects.toThrow(/no work items/)
})

describe('the download of a project', () => {
  const id = '6f0d4f0e-0000-4000-8000-000000000001'
  const url = `https://app.plane.so/team/projects/${id}/issues/`
  const api = `https://api.plane.so/api/v1/workspaces/team/projects/${id}`
  const item = { id: 'i1', name: 'Scrub', sequence_id: 1, state: 's1' }
  const page = (results: unknown[], next?: string): Answer => ({
    body: { results, next_cursor: next, next_page_results: next !== undefined },
  })
  const answers: Record<string, Answer | Answer[]> = {
    [`${api}/`]: { body: { id, identifier: 'BOAT', name: 'Boats' } },
    [`${api}/states/?per_page=100`]: page([{ id: 's1', name: 'Todo', group: 'unstarted' }]),
    [`${api}/labels/?per_page=100`]: page([]),
    [`${api}/members/?per_page=100`]: { body: [{ id: 'u1', display_name: 'ana' }] },
    [`${api}/estimates/`]: { body: { id: 'e1' } },
    [`${api}/estimates/e1/estimate-points/?per_page=100`]: { body: [] },
    [`${api}/modules/?per_page=100`]: page([{ id: 'm1', name: 'Rigging' }]),
    [`${api}/modules/m1/module-issues/?per_page=100`]: page([item]),
    [`${api}/cycles/?per_page=100`]: page([]),
    [`${api}/work-items/?per_page=100`]: [
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 503 },
      page([item], '100:1:0'),
    ],
    [`${api}/work-items/?per_page=100&cursor=100:1:0`]: page([
      { ...item, id: 'i2', sequence_id: 2 },
    ]),
    [`${api}/work-items/i1/comments/?per_page=100`]: page([
      { id: 'c1', comment_html: '<p>Hi</p>', actor: 'u1' },
    ]),
    [`${api}/work-items/i1/attachments/?per_page=100`]: {
      body: [{ id: 'a1', attributes: { name: 'hull.txt', size: 2 } }],
    },
    [`${api}/work-items/i1/attachments/a1/`]: {
      status: 302,
      headers: { location: 'https://files.example/hull' },
    },
    'https://files.example/hull': { body: 7 },
  }

  test('follows pages, repeats what fails and leaves out what the server lacks', async () => {
    const fake = fakeApi(answers)
    const reading = await readDownload(plane, url, fake)
    expect(recordsOf(reading, 'task').map(({ key, fields }) => [key, fields])).toEqual([
      ['BOAT-1', [{ name: 'Module', value: 'Rigging' }]],
      ['BOAT-2', undefined],
    ])
    expect(recordsOf(reading, 'comment')).toMatchObject([{ id: 'c1', author: 'u1' }])
    expect(fake.headers().get('x-api-key')).toBe('secret')
  })

  test('a file is downloaded when it is read, and its server does not get the token', async () => {
    const fake = fakeApi(answers)
    const [file] = recordsOf(await readDownload(plane, url, fake), 'attachment')
    expect(new TextDecoder().decode(await file!.bytes!())).toBe('7')
    expect(fake.requests.at(-1)).toBe('GET https://files.example/hull')
    expect(fake.headers().get('x-api-key')).toBeNull()
  })

  test('an unknown project and a wrong key are explained', async () => {
    await expect(download(plane, url, fakeApi({}))).rejects.toThrow(/does not find .*PLANE_API_KEY/)
    const refused = fakeApi({ [`${api}/`]: { status: 401 } })
    await expect(download(plane, url, refused)).rejects.toThrow(/refuses the token.*PLANE_API_KEY/)
    expect(plane.api!.matches(new URL(url))).toBe(true)
    expect(plane.api!.matches(new URL('https://github.com/harbour/rope'))).toBe(false)
  })
})
