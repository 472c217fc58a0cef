import { describe, expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { github } from '../../src/import/sources/github/index.ts'
import { download, fakeApi, lostFields, readDownload } from './fake-fetch.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async (name: string) => readSource(github, await fixtureFiles(`github/${name}`))
const REST = 'https://api.github.com/repos/harbour/ferry-timetable'
const issue = (number: number, more = {}) => ({
  number,
  title: `Issue ${number}`,
  html_url: `https://github.com/harbour/ferry-timetable/issues/${number}`,
  state: 'open',
  created_at: '2026-03-01T09:00:00Z',
  ...more,
})

describe('issues of the REST API', () => {
  test('an issue becomes a task with its key, labels, people, values and links', async () => {
    const [task] = recordsOf(await read('rest'), 'task')
    expect(task).toEqual({
      id: 'harbour/ferry-timetable#12',
      board: 'harbour/ferry-timetable',
      column: 'Open',
      title: 'Winter timetable',
      description:
        'After [#13](task:harbour%2Fferry-timetable%2313), see ' +
        '[harbour/ferry-timetable#14](task:harbour%2Fferry-timetable%2314) and ' +
        '[harbour/ferry-timetable#13](task:harbour%2Fferry-timetable%2313).\n' +
        'Not `#13`, nor #99.\n\n- [ ] print',
      content_type: 'markdown',
      key: 'FT-12',
      priority: 'High',
      due_date: '2026-12-01',
      labels: ['pier', 'night'],
      assignees: ['ben', 'cleo'],
      created_by: 'ana',
      created_at: '2026-03-01T09:00:00.000Z',
      updated_at: '2026-03-02T09:00:00.000Z',
      fields: [
        { name: 'Milestone', value: 'Season 2027' },
        { name: 'Type', value: 'Feature' },
        { name: 'Reactions', value: 3 },
        { name: 'Story points', value: 5 },
        { name: 'Field 10', value: 'Pier 4' },
      ],
    })
  })

  test('a closed issue is done, and one that is not planned is archived', async () => {
    const [, done, dropped, ...others] = recordsOf(await read('rest'), 'task')
    expect(done).toMatchObject({
      column: 'Done',
      completed_at: '2026-03-05T10:00:00.000Z',
      parent: 'harbour/ferry-timetable#12',
    })
    expect(dropped).toMatchObject({
      column: 'Open',
      archived: true,
      fields: [{ name: 'Closed as', value: 'not planned' }],
    })
    expect(others).toEqual([])
  })

  test('the repository becomes a board with its labels, fields and milestones', async () => {
    expect(recordsOf(await read('rest'), 'board')).toEqual([
      {
        id: 'harbour/ferry-timetable',
        title: 'harbour/ferry-timetable',
        key: 'FT',
        description:
          'When ferries leave\n\n## Milestones\n\n- Season 2027 (due 2027-03-01): All ferries',
        columns: [
          { title: 'Open', done: false },
          { title: 'Done', done: true },
        ],
        labels: [{ name: 'pier', color: '#0e8a16' }, { name: 'night' }],
        fields: [
          { name: 'Milestone', type: 'select', options: ['Season 2027'] },
          { name: 'Type', type: 'select', options: ['Feature'] },
          { name: 'Reactions', type: 'number' },
          { name: 'Story points', type: 'number' },
          { name: 'Field 10', type: 'text' },
          { name: 'Closed as', type: 'select', options: ['not planned'] },
        ],
      },
    ])
  })

  test('comments follow their issue, and dependencies become relations', async () => {
    const reading = await read('rest')
    expect(recordsOf(reading, 'comment')).toEqual([
      {
        id: '501',
        task: 'harbour/ferry-timetable#12',
        text: 'Waits for [the paint](task:harbour%2Fferry-timetable%2313).',
        content_type: 'markdown',
        author: 'olga',
        created_at: '2026-03-02T08:00:00.000Z',
        edited_at: '2026-03-02T09:00:00.000Z',
      },
    ])
    expect(recordsOf(reading, 'relation')).toEqual([
      {
        kind: 'blocks',
        first: 'harbour/ferry-timetable#13',
        second: 'harbour/ferry-timetable#12',
      },
    ])
  })

  test('what is left out is reported', async () => {
    const reading = await read('rest')
    expect(reading.losses).toEqual([
      'An entry of a file: issues.json: not an issue',
      'A comment: Its issue is not in the files',
      'A task: It is in the files twice',
      'A relation to another task: That task is not imported',
    ])
    expect(lostFields(reading)).toEqual([
      'issues[].labels[].description',
      'issues[].active_lock_reason',
      'issues[].closed_by.login',
    ])
  })
})

describe('issues of gh issue list', () => {
  test('an issue becomes a task with its comments, parent and relations', async () => {
    const reading = await read('gh')
    const [parent, task, child] = recordsOf(reading, 'task')
    expect(parent).toMatchObject({ id: 'harbour/rope#3', archived: true })
    expect(task).toEqual({
      id: 'harbour/rope#1',
      board: 'harbour/rope',
      column: 'Open',
      title: 'New moorings',
      description: 'Tie the boats',
      content_type: 'markdown',
      key: 'ROPE-1',
      parent: 'harbour/rope#3',
      labels: ['rope'],
      assignees: ['ben'],
      created_by: 'ana',
      created_at: '2026-04-01T09:00:00.000Z',
      updated_at: '2026-04-03T09:00:00.000Z',
      fields: [
        { name: 'Milestone', value: 'Spring' },
        { name: 'Type', value: 'Task' },
        { name: 'Reactions', value: 2 },
      ],
    })
    expect(child).toMatchObject({ parent: 'harbour/rope#1', column: 'Done' })
    expect(recordsOf(reading, 'person')).toEqual([
      { id: 'ben', name: 'Ben' },
      { id: 'ana', name: 'Ana' },
      { id: 'cleo', name: 'Cleo' },
    ])
    expect(recordsOf(reading, 'comment')).toMatchObject([
      { id: '601', edited_at: '2026-04-02T10:00:00.000Z' },
    ])
    expect(recordsOf(reading, 'relation')).toEqual([
      { kind: 'blocks', first: 'harbour/rope#2', second: 'harbour/rope#1' },
      { kind: 'blocks', first: 'harbour/rope#1', second: 'harbour/rope#3' },
    ])
  })

  test('issues without an address go to one board', async () => {
    const file = textFile('list.json', '[{"number":1,"title":"A","state":"OPEN"}]')
    const reading = await readSource(github, [file])
    expect(reading.records).toEqual([
      { origin: { id: 'github', title: 'GitHub' } },
      {
        board: {
          id: 'github',
          title: 'GitHub',
          columns: [
            { title: 'Open', done: false },
            { title: 'Done', done: true },
          ],
          labels: [],
          fields: [],
        },
      },
      {
        task: { id: '#1', board: 'github', column: 'Open', title: 'A' },
      },
    ])
  })
})

describe('items of a project', () => {
  test('listed items become tasks with size, dates and custom fields', async () => {
    const [boat, splice, draft, ...others] = recordsOf(await read('items'), 'task')
    expect(boat).toMatchObject({ id: 'harbour/boat#5', column: 'No status', archived: true })
    expect(splice).toEqual({
      id: 'harbour/rope#4',
      board: 'project',
      column: '✅ Done',
      title: 'Splice',
      description: 'See #5',
      content_type: 'markdown',
      key: 'ROPE-4',
      parent: 'harbour/boat#5',
      labels: ['rope'],
      assignees: ['ana'],
      priority: 'Urgent',
      estimate: 5,
      start_date: '2026-05-02',
      due_date: '2026-05-09',
      fields: [
        { name: 'Milestone', value: 'Spring' },
        { name: 'Iteration', value: 'Sprint 1' },
        { name: 'Hours', value: 3.5 },
      ],
    })
    expect(draft).toMatchObject({ id: 'DI_6', title: 'Ask Olga', description: 'About the crane' })
    expect(others).toEqual([])
  })

  test('statuses become columns in the order of the project', async () => {
    const reading = await read('project')
    const [board] = recordsOf(reading, 'board')
    expect(reading.records[0]).toEqual({
      origin: { id: 'https://github.com/orgs/harbour/projects/3', title: 'Harbour 2026' },
    })
    expect(board!.columns).toEqual([
      { title: 'Todo', done: false },
      { title: 'At the pier', done: false },
      { title: 'Done', done: true },
      { title: 'No status', done: false },
    ])
    expect(board!.fields[0]).toEqual({ name: 'Boat', type: 'select', options: ['Ferry', 'Tug'] })
  })

  test('a closed issue goes to the done column, whatever its status is', async () => {
    const reading = await read('project')
    const deck = recordsOf(reading, 'task').find(({ title }) => title === 'Scrub the deck')
    expect(deck).toMatchObject({
      column: 'Done',
      completed_at: '2026-06-03T08:00:00.000Z',
      description: 'Then [#22](task:harbour%2Fboat%2322)',
      priority: 'P1',
      start_date: '2026-06-01',
    })
  })
})

test('each field of the fixtures is declared, and each declared field is in them', async () => {
  const names = ['rest', 'gh', 'items', 'project']
  expectAllFields(github, ...(await Promise.all(names.map(read))))
})

test('files of GitHub are detected, and others are not', async () => {
  for (const name of ['rest', 'gh', 'items', 'project'])
    expect(await github.detects(await fixtureFiles(`github/${name}`))).toBe(true)
  const others = [
    textFile('trello.json', '{"cards":[{"name":"A","idShort":1}],"lists":[]}'),
    textFile('gitlab.json', '[{"iid":1,"number":2,"url":"https://x/issues/1"}]'),
    textFile('tasks.csv', '"number","html_url"'),
  ]
  expect(await github.detects(others)).toBe(false)
})

test('a file that is cut short is refused with its location', async () => {
  const file = textFile('issues.json', '[\n  {"number": 1,\n')
  await expect(readSource(github, [file])).rejects.toThrow(
    /issues\.json, line 3, column 1: .*Download it again/,
  )
  await expect(readSource(github, [textFile('empty.json', '[]')])).rejects.toThrow(/has no issues/)
})

describe('the download of a repository', () => {
  const list = `${REST}/issues?state=all&per_page=100&sort=created&direction=asc`
  const comments = `${REST}/issues/comments?per_page=100&sort=created&direction=asc`
  const answers = {
    [REST]: { body: { full_name: 'harbour/ferry-timetable', node_id: 'R_1' } },
    [list]: [
      { status: 500 },
      {
        headers: { link: `<${REST}/issues?page=2>; rel="next"` },
        body: [issue(1, { sub_issues_summary: { total: 1 } })],
      },
    ],
    [`${REST}/issues?page=2`]: [
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' } },
      { body: [issue(2, { issue_dependencies_summary: { blocked_by: 1 } })] },
    ],
    [comments]: {
      body: [
        {
          id: 5,
          issue_url: `${REST}/issues/1`,
          user: { login: 'ana' },
          body: 'Hello',
          created_at: '2026-03-01T10:00:00Z',
        },
      ],
    },
    [`${REST}/issues/1/sub_issues?per_page=100`]: { body: [issue(2)] },
    [`${REST}/issues/2/dependencies/blocked_by?per_page=100`]: { body: [issue(1)] },
  }

  test('follows pages, waits for the rate limit and repeats server errors', async () => {
    const api = fakeApi(answers)
    const reading = await readDownload(github, 'https://github.com/harbour/ferry-timetable', api)
    expect(recordsOf(reading, 'task').map(({ id, parent }) => [id, parent])).toEqual([
      ['harbour/ferry-timetable#1', undefined],
      ['harbour/ferry-timetable#2', 'harbour/ferry-timetable#1'],
    ])
    expect(recordsOf(reading, 'comment')).toHaveLength(1)
    expect(recordsOf(reading, 'relation')).toHaveLength(1)
    expect(api.headers().get('authorization')).toBe('Bearer secret')
    expect(api.requests.filter((request) => request.endsWith(list))).toHaveLength(2)
  })

  test('an unknown repository and a wrong token are explained', async () => {
    const url = 'https://github.com/harbour/ferry-timetable'
    await expect(download(github, url, fakeApi({}))).rejects.toThrow(/does not find .*GITHUB_TOKEN/)
    const refused = fakeApi({ [REST]: { status: 401 } })
    await expect(download(github, url, refused)).rejects.toThrow(/refuses the token.*GITHUB_TOKEN/)
    const denied = fakeApi({ [REST]: { status: 403 } })
    await expect(download(github, url, denied)).rejects.toThrow(/denies access/)
  })

  test('does not follow pages to another server', async () => {
    const link = '<https://example.com/steal>; rel="next"'
    const api = fakeApi({ ...answers, [list]: { headers: { link }, body: [issue(1)] } })
    await expect(
      download(github, 'https://github.com/harbour/ferry-timetable', api),
    ).rejects.toThrow(/another server/)
  })

  test('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'))
    const url = 'https://github.com/harbour/ferry-timetable'
    await expect(download(github, url, fakeApi(answers), { signal })).rejects.toThrow('cancelled')
  })
})

test('the download of a project asks again without the fields that a server lacks', async () => {
  const [items, project] = await fixtureFiles('github/project')
  const json = async (file = project!) =>
    JSON.parse(new TextDecoder().decode(await file.bytes())) as Record<string, unknown>
  const wrap = (projectV2: unknown) => ({ body: { data: { organization: { projectV2 } } } })
  const page = (await json(items)).projectItems as Record<string, unknown>
  const graphql = 'POST https://ghe.harbour.example/api/graphql'
  const api = fakeApi({
    [graphql]: [
      wrap((await json()).project),
      { body: { errors: [{ message: "Field 'parent' doesn't exist" }] } },
      wrap({ items: page }),
    ],
  })
  const url = 'https://ghe.harbour.example/orgs/harbour/projects/3/views/1'
  expect(github.api!.matches(new URL(url))).toBe(true)
  const reading = await readDownload(github, url, api)
  expect(recordsOf(reading, 'task')).toHaveLength(3)
  expect(api.requests).toEqual([graphql, graphql, graphql])
})

test('a title that is too long is cut, and kept in the description', async () => {
  const title = 'boat '.repeat(200).trim()
  const file = textFile(
    'list.json',
    JSON.stringify([{ number: 1, title, body: 'B', state: 'OPEN' }]),
  )
  const [task] = recordsOf(await readSource(github, [file]), 'task')
  expect(task!.title).toHaveLength(500)
  expect(task!.description).toBe(`${title}\n\nB`)
})

test('sub-issues below the fifth level move up to it', async () => {
  const chain = Array.from({ length: 7 }, (_, at) => ({
    ...issue(at + 1),
    ...(at && { parent_issue_url: `${REST}/issues/${at}` }),
  }))
  const reading = await readSource(github, [textFile('a.json', JSON.stringify(chain.toReversed()))])
  const parents = recordsOf(reading, 'task').map(({ parent }) => parent?.split('#')[1])
  expect(parents).toEqual([undefined, '1', '2', '3', '4', '4', '4'])
  expect(reading.losses).toEqual(
    ['6', '7'].map((number) => `Level of Issue ${number}: Subtasks have at most 5 levels`),
  )
})

test('issues that are parents of each other lose one parent', async () => {
  const loop = [
    issue(1, { parent_issue_url: `${REST}/issues/2` }),
    issue(2, { parent_issue_url: `${REST}/issues/1` }),
  ]
  const reading = await readSource(github, [textFile('a.json', JSON.stringify(loop))])
  expect(recordsOf(reading, 'task').filter(({ parent }) => parent)).toHaveLength(1)
})

test('addresses of repositories and projects are taken, and others are not', () => {
  const matches = (url: string) => github.api!.matches(new URL(url))
  expect(matches('https://github.com/harbour/rope')).toBe(true)
  expect(matches('https://github.com/users/ana/projects/1')).toBe(true)
  expect(matches('https://github.com/harbour')).toBe(false)
  expect(matches('https://gitlab.com/harbour/rope')).toBe(false)
})
