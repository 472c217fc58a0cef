import { describe, expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { gitlab } from '../../src/import/sources/gitlab/index.ts'
import { type Answer, download, fakeApi, lostFields, readDownload } from './fake-fetch.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async (name: string) => readSource(gitlab, await fixtureFiles(`gitlab/${name}`))
const HOST = 'https://git.harbour.example'
const LAMP = 'harbour/west/pier-lights#1'
const LINK = 'task:harbour%2Fwest%2Fpier-lights%232'

describe('issues of the API', () => {
  test('an issue becomes a task with its values, links and attachments', async () => {
    const reading = await read('rest')
    const upload = '/uploads/0123456789abcdef0123456789abcdef/lamp%201.png'
    const url = `${HOST}/harbour/west/pier-lights${upload}`
    expect(recordsOf(reading, 'task')[0]).toEqual({
      id: LAMP,
      board: 'harbour/west/pier-lights',
      column: 'Doing',
      title: 'Lamp is dark',
      description: `Like [#2](${LINK}), west/pier-lights#2 and [here](${LINK}).\n![lamp](${url})`,
      content_type: 'markdown',
      key: 'PIERLIGHTS-1',
      start_date: '2026-02-03',
      due_date: '2026-02-10',
      labels: ['kind::bug', 'Doing'],
      assignees: ['12'],
      created_by: '11',
      created_at: '2026-02-01T06:00:00.000Z',
      updated_at: '2026-02-02T08:00:00.000Z',
      fields: [
        { name: 'Milestone', value: 'Winter' },
        { name: 'Weight', value: 5 },
        { name: 'Time estimate (hours)', value: 2 },
        { name: 'Time spent (hours)', value: 0.25 },
        { name: 'Type', value: 'incident' },
        { name: 'Severity', value: 'HIGH' },
        { name: 'Health', value: 'on_track' },
        { name: 'Epic', value: 'Safe pier' },
        { name: 'Iteration', value: '2026-02-01 to 2026-02-14' },
        { name: 'Confidential', value: true },
      ],
    })
    expect(recordsOf(reading, 'attachment')).toEqual([
      {
        id: `${LAMP} 0123456789abcdef0123456789abcdef/lamp%201.png`,
        task: LAMP,
        filename: 'lamp 1.png',
        url,
      },
    ])
  })

  test('a closed issue is done, and one that was moved is archived', async () => {
    const [, closed, moved] = recordsOf(await read('rest'), 'task')
    expect(closed).toMatchObject({
      column: 'Closed',
      completed_at: '2026-02-05T09:00:00.000Z',
      parent: LAMP,
    })
    expect(moved).toMatchObject({ column: 'Open', archived: true })
  })

  test('the lists of the first issue board become columns', async () => {
    const [board] = recordsOf(await read('rest'), 'board')
    expect(board).toMatchObject({
      key: 'PIERLIGHTS',
      description: 'Lights of the pier\n\n## Milestones\n\n- Winter (due 2026-03-01): Before ice',
      columns: [
        { title: 'Open', done: false },
        { title: 'Planned', done: false },
        { title: 'Doing', done: false, wip_limit: 3 },
        { title: 'Closed', done: true },
      ],
      labels: [{ name: 'Doing', color: '#00ff00' }, { name: 'kind::bug' }],
    })
  })

  test('comments keep their threads, and system notes are left out', async () => {
    const reading = await read('rest')
    expect(recordsOf(reading, 'comment')).toMatchObject([
      { id: '901', author: '11', text: 'It flickers' },
      { id: '902', reply_to: '901', text: `Since [#2](${LINK})` },
    ])
    expect(reading.losses).toEqual([
      'That a comment is internal: Comments have no visibility',
      'A relation to another task: That task is not imported',
    ])
  })

  test('links become relations, each once', async () => {
    expect(recordsOf(await read('rest'), 'relation')).toEqual([
      { kind: 'blocks', first: 'harbour/west/pier-lights#2', second: LAMP },
      { kind: 'related', first: LAMP, second: 'harbour/west/pier-lights#3' },
    ])
  })
})

describe('an exported project', () => {
  test('an issue becomes a task with comments, a file and a time entry', async () => {
    const reading = await read('tree')
    expect(recordsOf(reading, 'task')[0]).toMatchObject({
      id: '5#10',
      column: 'Doing',
      title: 'Check the buoys',
      labels: ['Doing', 'sea'],
      assignees: ['22', '99'],
      created_at: '2016-06-14T15:02:08.000Z',
    })
    expect(recordsOf(reading, 'time_entry')).toEqual([
      { id: '7', task: '5#10', who: '22', minutes: 90, day: '2016-06-15', note: 'by boat' },
    ])
    const [file] = recordsOf(reading, 'attachment')
    expect(file?.filename).toBe('map.txt')
    expect(new TextDecoder().decode(await file!.bytes!())).toBe('a map\n')
    expect(recordsOf(reading, 'comment')).toMatchObject([
      { id: '351', author: '26' },
      { reply_to: '351', edited_at: '2016-06-16T15:02:47.770Z' },
    ])
  })

  test('members become people with their email', async () => {
    expect(recordsOf(await read('tree'), 'person')).toEqual([
      { id: '22', name: 'ben', email: 'ben@harbour.example' },
      { id: '99', name: '99' },
      { id: '21', name: 'olga', email: 'olga@harbour.example' },
      { id: '26', name: 'Cleo' },
    ])
  })

  test('what is left out is reported', async () => {
    const reading = await read('tree')
    expect(reading.losses).toEqual([
      'An issue: It has no number or no title',
      'A time entry: It has no person, no day, or a negative time',
    ])
    expect(lostFields(reading)).toContain('tree.issues[].designs[].filename')
  })
})

test('an old export of a project in one file is read, too', async () => {
  const files = await fixtureFiles('gitlab/old')
  expect(await gitlab.detects(files)).toBe(true)
  const reading = await readSource(gitlab, files)
  expect(recordsOf(reading, 'task')).toMatchObject([
    { id: '6#1', column: 'Open', created_by: '21' },
  ])
  expect(recordsOf(reading, 'comment')).toMatchObject([{ id: '3', text: 'Yes', author: '21' }])
  expect(recordsOf(reading, 'person')).toEqual([
    { id: '21', name: 'olga', email: 'olga@harbour.example' },
  ])
  expect([...reading.fields.unknown]).toEqual([])
})

test('a row of the CSV export becomes a task', async () => {
  const [dredge, light] = recordsOf(await read('csv'), 'task')
  expect(dredge).toMatchObject({
    id: 'harbour/port#7',
    key: 'PORT-7',
    description: "See [#8](task:harbour%2Fport%238)\n'=not a formula",
    labels: ['mud', 'deep'],
    assignees: ['ben', 'cleo'],
    created_at: '2026-04-01T09:30:00.000Z',
    start_date: '2026-05-01',
  })
  expect(light).toEqual({
    id: 'harbour/port#8',
    board: 'harbour/port',
    column: 'Closed',
    title: '=Fix the light',
    key: 'PORT-8',
    created_by: 'ben',
    created_at: '2026-04-01T10:00:00.000Z',
    updated_at: '2026-04-05T10:00:00.000Z',
    completed_at: '2026-04-05T10:00:00.000Z',
  })
})

test('each field of the fixtures is declared, and each declared field is in them', async () => {
  expectAllFields(gitlab, ...(await Promise.all(['rest', 'tree', 'csv'].map(read))))
})

test('files of GitLab are detected, and others are not', async () => {
  for (const name of ['rest', 'tree', 'csv'])
    expect(await gitlab.detects(await fixtureFiles(`gitlab/${name}`))).toBe(true)
  for (const name of ['rest', 'gh', 'items'])
    expect(await gitlab.detects(await fixtureFiles(`github/${name}`))).toBe(false)
  expect(await gitlab.detects([textFile('tasks.csv', 'Title,Author\nA,B')])).toBe(false)
})

test('a broken line of an exported project is refused with its location', async () => {
  const file = textFile('tree/project/issues.ndjson', '{"iid":1,"title":"A"}\n{"iid":2,\n')
  await expect(readSource(gitlab, [file])).rejects.toThrow(
    /tree\/project\/issues\.ndjson, line 2, column \d+: .*Download it again/,
  )
})

describe('the download of a project', () => {
  const url = `${HOST}/harbour/pier/-/issues`
  const api = `${HOST}/api/v4/projects/harbour%2Fpier`
  const issue = (iid: number, notes: number) => ({
    iid,
    title: `Issue ${iid}`,
    state: 'opened',
    user_notes_count: notes,
    web_url: `${HOST}/harbour/pier/-/issues/${iid}`,
  })
  const list = `${api}/issues?scope=all&per_page=100&order_by=created_at&sort=asc`
  const answers: Record<string, Answer | Answer[]> = {
    [api]: { body: { path_with_namespace: 'harbour/pier', web_url: `${HOST}/harbour/pier` } },
    [`${api}/labels?per_page=100`]: { body: [] },
    [`${api}/boards`]: { body: [] },
    [list]: [
      { status: 429, headers: { 'retry-after': '0' } },
      { headers: { link: `<${api}/issues?page=2>; rel="next"` }, body: [issue(1, 1)] },
    ],
    [`${api}/issues?page=2`]: [{ status: 502 }, { body: [issue(2, 0)] }],
    [`${api}/issues/1/notes?per_page=100&sort=asc`]: { body: [{ id: 1, body: 'Hello' }] },
    [`${api}/issues/1/links`]: {
      body: [{ link_type: 'blocks', web_url: `${HOST}/harbour/pier/-/issues/2` }],
    },
    [`${api}/issues/2/links`]: { body: [] },
    [`POST ${HOST}/api/graphql`]: { body: { errors: [{ message: 'unknown field' }] } },
  }

  test('reads links one by one from a server without work items', async () => {
    const fake = fakeApi(answers)
    const reading = await readDownload(gitlab, url, fake)
    expect(recordsOf(reading, 'task').map(({ id }) => id)).toEqual([
      'harbour/pier#1',
      'harbour/pier#2',
    ])
    expect(recordsOf(reading, 'comment')).toHaveLength(1)
    expect(recordsOf(reading, 'relation')).toHaveLength(1)
    expect(fake.headers().get('private-token')).toBe('secret')
  })

  test('reads parents and links of all work items at once', async () => {
    const nodes = [
      {
        webUrl: `${HOST}/harbour/pier/-/work_items/2`,
        widgets: [{ parent: { webUrl: `${HOST}/harbour/pier/-/work_items/1` } }],
      },
    ]
    const body = { data: { project: { workItems: { nodes, pageInfo: { hasNextPage: false } } } } }
    const fake = fakeApi({ ...answers, [`POST ${HOST}/api/graphql`]: { body } })
    const [, child] = recordsOf(await readDownload(gitlab, url, fake), 'task')
    expect(child?.parent).toBe('harbour/pier#1')
    expect(fake.requests.some((request) => request.endsWith('/links'))).toBe(false)
  })

  test('an unknown project and a wrong token are explained', async () => {
    await expect(download(gitlab, url, fakeApi({}))).rejects.toThrow(/does not find .*GITLAB_TOKEN/)
    const refused = fakeApi({ [api]: { status: 401 } })
    await expect(download(gitlab, url, refused)).rejects.toThrow(/refuses the token.*read_api/)
  })
})

test('addresses of projects are taken, and others are not', () => {
  const matches = (address: string) => gitlab.api!.matches(new URL(address))
  expect(matches('https://gitlab.com/harbour/west/pier/-/issues/?sort=created')).toBe(true)
  expect(matches('https://gitlab.harbour.example/harbour/pier')).toBe(true)
  expect(matches('https://gitlab.com/harbour')).toBe(false)
  expect(matches('https://github.com/harbour/pier')).toBe(false)
})
