import { describe, expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { jira } from '../../src/import/sources/jira/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const ANA = '5b10ac8d82e05b22cc7d4ef5'
const BEN = '712020:f7136f6b-ac50-47ca-aa26-bd06af11e954'
const CLEO = '712020:0c0c0c0c-0000-4000-8000-000000000003'

const read = async (name: string) => readSource(jira, await fixtureFiles(`jira/${name}`))
const cloud = await read('cloud.csv')
const server = await read('server.csv')
const answers = await read('api')
const xml = await read('search.xml')
const task = (id: string, reading = cloud) =>
  recordsOf(reading, 'task').find((found) => found.id === id)

/** The name of the type in Jira, which writes it with a hyphen. */
const SUBTASK = ['Sub', 'task'].join('-')

describe('an export of Jira Cloud', () => {
  test('becomes a board with a column for each status, done ones last', () => {
    expect(cloud.records[0]).toEqual({ origin: { id: 'jira:BOAT', title: 'Boat yard' } })
    expect(recordsOf(cloud, 'board')).toEqual([
      {
        id: 'BOAT',
        title: 'Boat yard',
        key: 'BOAT',
        description: 'Repairs in the harbour\n\nProject lead: Olga Berg',
        columns: [
          { title: 'To Do', done: false },
          { title: 'In Progress', done: false },
          { title: 'Done', done: true },
        ],
        labels: ['paint', 'ferry', 'Hull', 'Deck'].map((name) => ({ name })),
        fields: [
          { name: 'Issue type', type: 'select', options: ['Story', SUBTASK, 'Epic', 'Task'] },
          { name: 'Resolution', type: 'select', options: ['Fixed'] },
          { name: 'Sprint', type: 'select', options: ['Spring 2'] },
          { name: 'Earlier sprints', type: 'text' },
          { name: 'Fix versions', type: 'text' },
          { name: 'Affects versions', type: 'text' },
          { name: 'Security level', type: 'select', options: ['Crew'] },
          { name: 'Votes', type: 'number' },
          { name: 'Original estimate (hours)', type: 'number' },
          { name: 'Remaining estimate (hours)', type: 'number' },
          { name: 'Creator', type: 'text' },
          { name: 'Story Points', type: 'number' },
          { name: 'Skipper', type: 'text' },
          { name: 'Launch', type: 'date' },
          { name: 'Chart', type: 'url' },
          { name: 'Satisfaction rating', type: 'number' },
          { name: 'Time spent (hours)', type: 'number' },
          { name: 'Parent', type: 'text' },
        ],
      },
    ])
  })

  test('names people by their accounts', () => {
    expect(recordsOf(cloud, 'person')).toEqual([
      { id: ANA, name: 'Ana Lund' },
      { id: '5c0001', name: 'Olga Berg' },
      { id: BEN, name: 'Ben Okoro' },
      { id: CLEO, name: CLEO },
    ])
  })

  test('keeps every field of a task', () => {
    expect(task('BOAT-2')).toEqual({
      id: 'BOAT-2',
      board: 'BOAT',
      column: 'Done',
      title: 'Paint the hull',
      key: 'BOAT-2',
      description: [
        '## Plan',
        '- sand it\n- see [BOAT-3](task:BOAT-3) and [the shed](task:BOAT-3)\\',
        '  ![hull.png](https://yard.example/secure/attachment/1/hull.png)',
        'Ask @Ben Okoro, **today**.',
        '## Environment',
        'Dry dock `4`',
        '## Log',
        'Line 1\\\nLine **2**',
        '## Linked issues',
        '- Duplicate (outward): [BOAT-3](task:BOAT-3)\n- Duplicate (outward): SHED-9',
      ]
        .join('\n\n')
        .replace('\\\n\n  !', '\\\n  !'),
      content_type: 'markdown',
      priority: 'High',
      start_date: '2026-03-02',
      due_date: '2026-03-10',
      labels: ['paint', 'ferry', 'Hull', 'Deck'],
      assignees: [BEN],
      parent: 'BOAT-1',
      fields: [
        { name: 'Issue type', value: 'Story' },
        { name: 'Resolution', value: 'Fixed' },
        { name: 'Sprint', value: 'Spring 2' },
        { name: 'Earlier sprints', value: 'Spring 1' },
        { name: 'Fix versions', value: '2026.1, 2026.2' },
        { name: 'Affects versions', value: '2025' },
        { name: 'Security level', value: 'Crew' },
        { name: 'Votes', value: 2 },
        { name: 'Original estimate (hours)', value: 4 },
        { name: 'Remaining estimate (hours)', value: 0.5 },
        { name: 'Creator', value: 'Olga Berg' },
        { name: 'Story Points', value: 5 },
        { name: 'Skipper', value: 'Cleo Ray' },
        { name: 'Launch', value: '2026-04-01' },
        { name: 'Chart', value: 'https://sea.example/chart' },
        { name: 'Satisfaction rating', value: 4 },
      ],
      created_by: ANA,
      created_at: '2026-03-01T09:05:00.000Z',
      updated_at: '2026-03-04T17:30:00.000Z',
      completed_at: '2026-03-04T17:00:00.000Z',
    })
  })

  test('orders tasks by rank, but subtasks behind their parents', () => {
    expect(recordsOf(cloud, 'task').map(({ id }) => id)).toEqual([
      'BOAT-1',
      'BOAT-2',
      'BOAT-3',
      'BOAT-4',
    ])
    expect(task('BOAT-3')).toMatchObject({ title: '=Order paint', parent: 'BOAT-2' })
  })

  test('keeps a title that is too long in the description', () => {
    expect(task('BOAT-4')!.title).toHaveLength(500)
    expect(task('BOAT-4')!.description).toBe(`Float ${'x'.repeat(600)}`)
  })

  test('names a parent that is not in the file', () => {
    expect(task('BOAT-4')!.parent).toBeUndefined()
    expect(task('BOAT-4')!.fields).toContainEqual({ name: 'Parent', value: '99999 Elsewhere' })
  })

  test('has comments, also two of the same minute and one without a date', () => {
    const first = {
      id: `BOAT-2 comment 2026-03-02T11:00:00.000Z ${CLEO}`,
      task: 'BOAT-2',
      text: 'Nice work; go on',
      content_type: 'markdown' as const,
      author: CLEO,
      created_at: '2026-03-02T11:00:00.000Z',
    }
    expect(recordsOf(cloud, 'comment')).toEqual([
      first,
      { ...first, id: `${first.id}#2`, text: 'Twice' },
      {
        id: 'BOAT-2 comment  ',
        task: 'BOAT-2',
        text: 'not a date; but a text',
        content_type: 'markdown',
      },
    ])
  })

  test('has work logs as time entries and addresses of attachments', () => {
    expect(recordsOf(cloud, 'time_entry')).toEqual([
      {
        id: `BOAT-2 time 2026-03-02 ${BEN} 5400`,
        task: 'BOAT-2',
        who: BEN,
        minutes: 90,
        day: '2026-03-02',
        note: 'Sanding; first coat',
      },
    ])
    expect(recordsOf(cloud, 'attachment').map(({ filename, url }) => [filename, url])).toEqual([
      ['hull.png', 'https://yard.example/secure/attachment/1/hull.png'],
      ['a;b.pdf', 'https://yard.example/secure/attachment/2/a%3Bb.pdf'],
    ])
  })

  test('has each link once, and no plain one between a task and its parent', () => {
    expect(recordsOf(cloud, 'relation')).toEqual([
      { kind: 'blocks', first: 'BOAT-3', second: 'BOAT-2' },
      { kind: 'related', first: 'BOAT-1', second: 'BOAT-3' },
    ])
  })

  test('tells what is lost', () => {
    expect(cloud.losses).toEqual([
      'Time zone of the dates: The file does not name it; times are read as UTC',
      'Log Work of BOAT-4: It cannot be read: broken',
      'Line 13: It has no issue key',
      'Another row of BOAT-4: The first one is imported',
      'A time entry: It has no person, no day, or a negative time',
      expect.stringMatching(/^End of the title of Float x+…: It is in the description$/),
    ])
    expect([...cloud.fields.lost.values()]).toEqual([
      { why: 'Notifications are up to each person', count: 2 },
    ])
  })
})

describe('an export of Jira Server', () => {
  test('becomes a board for each project', () => {
    expect(server.records[0]).toEqual({ origin: { id: 'jira', title: 'Jira' } })
    expect(recordsOf(server, 'board').map(({ id, columns }) => [id, columns])).toEqual([
      [
        'SHED',
        [
          { title: 'Open', done: false },
          { title: 'Closed', done: true },
        ],
      ],
      [
        'DOCK',
        [
          { title: 'In Review', done: false },
          { title: 'Done', done: true },
        ],
      ],
    ])
  })

  test('has months first if a day is above 12', () => {
    expect(task('SHED-2', server)).toEqual({
      id: 'SHED-2',
      board: 'SHED',
      column: 'Closed',
      title: 'Sell the nets',
      key: 'SHED-2',
      description: '> All',
      content_type: 'markdown',
      priority: 'Minor',
      due_date: '2026-04-01',
      labels: ['nets', 'old', 'Nets'],
      assignees: ['ben'],
      parent: 'SHED-1',
      fields: [
        { name: 'Issue type', value: 'Task' },
        { name: 'Resolution', value: 'Done' },
        { name: 'Fix versions', value: '1.0' },
      ],
      created_by: 'ana',
      created_at: '2026-03-02T09:00:00.000Z',
      updated_at: '2026-03-03T17:00:00.000Z',
      completed_at: '2026-03-03T17:00:00.000Z',
    })
  })

  test('names a parent on another board in a custom field', () => {
    const moved = task('DOCK-1', server)!
    expect(moved.parent).toBeUndefined()
    expect(moved.fields).toContainEqual({ name: 'Parent', value: 'SHED-2 Clear the shed' })
  })

  test('reports a task that is its own parent', () => {
    expect(server.losses).toContain('Parent of Loop: It is a subtask of its own subtask')
  })
})

describe('answers of the REST API', () => {
  test('have the order of the statuses from the project', () => {
    const [board] = recordsOf(answers, 'board')
    expect(board!.columns).toEqual([
      { title: 'Idea', done: false },
      { title: 'Afloat', done: false },
      { title: 'Closed', done: true },
    ])
  })

  test('name people with their email addresses', () => {
    expect(recordsOf(answers, 'person')).toEqual([
      { id: 'acc-ben', name: 'Ben Okoro' },
      { id: 'acc-ana', name: 'Ana Lund', email: 'ana@yard.example' },
      { id: 'olga', name: 'Olga Berg' },
    ])
  })

  test('keep every field of a task', () => {
    const { description, ...others } = task('BOAT-2', answers)!
    expect(others).toEqual({
      id: 'BOAT-2',
      board: 'BOAT',
      column: 'Closed',
      title: 'Paint the hull',
      key: 'BOAT-2',
      content_type: 'markdown',
      priority: 'High',
      start_date: '2026-03-02',
      due_date: '2026-03-10',
      labels: ['paint', 'Hull'],
      assignees: ['acc-ben'],
      fields: [
        { name: 'Issue type', value: 'Story' },
        { name: 'Resolution', value: 'Fixed' },
        { name: 'Sprint', value: 'Spring 2' },
        { name: 'Earlier sprints', value: 'Spring 1' },
        { name: 'Fix versions', value: '2026.1' },
        { name: 'Affects versions', value: '2025' },
        { name: 'Security level', value: 'Crew' },
        { name: 'Votes', value: 2 },
        { name: 'Original estimate (hours)', value: 4 },
        { name: 'Remaining estimate (hours)', value: 0.5 },
        { name: 'Story Points', value: 5 },
        { name: 'Berth', value: 'North / Pier 2' },
        { name: 'Crew', value: 'Ana Lund, Ben Okoro' },
        { name: 'Launch', value: '2026-04-01T10:00:00.000Z' },
        { name: 'Parent', value: 'BOAT-1 Refit the ferry' },
      ],
      created_by: 'acc-ana',
      created_at: '2026-03-01T09:05:00.000Z',
      updated_at: '2026-03-04T17:30:00.000Z',
      completed_at: '2026-03-04T17:00:00.000Z',
    })
    expect(description!.split('\n')).toEqual([
      '## Plan',
      '',
      'Sand **all** *of it* ~~gone~~ <ins>new</ins> <sup>2</sup> `x_y`\\',
      '@Ben Okoro⛵ 2026-03-01 **LATE** [BOAT-3](task:BOAT-3)',
      '',
      '[the shed](<task:BOAT-3>) and <https://sea.example>',
      '',
      '- one',
      '  1. deep',
      '- two',
      '',
      '- [x] buy',
      '- [ ] mix',
      '',
      '- blue',
      '',
      '```sh',
      'sail --now',
      '`x`',
      '```',
      '',
      '> Low tide',
      '',
      '> **More**',
      '>',
      '> inside',
      '',
      '---',
      '',
      '| A | B |',
      '| --- | --- |',
      '| 1\\|2<br>3 | 4 |',
      '',
      '![hull.png](<https://yard.atlassian.net/rest/api/3/attachment/content/901>)',
      '',
      'kept',
      '',
      '## Environment',
      '',
      'Dry dock',
      '',
      '## Acceptance',
      '',
      'It floats',
      '',
      '## Linked issues',
      '',
      '- clones: SHED-9',
    ])
  })

  test('have wiki markup and an epic link on Data Center', () => {
    expect(task('BOAT-3', answers)).toMatchObject({
      description: '# As **wiki**',
      parent: 'BOAT-2',
      created_by: 'olga',
    })
    expect(task('BOAT-3', answers)!.fields).toContainEqual({ name: 'Sprint', value: 'Old, sprint' })
  })

  test('have comments with replies, work logs and attachments', () => {
    expect(recordsOf(answers, 'comment')).toEqual([
      { id: '601', task: 'BOAT-3', text: 'Old', content_type: 'markdown' },
      { id: '602', task: 'BOAT-3', text: 'Reply', content_type: 'markdown', reply_to: '601' },
      {
        id: '501',
        task: 'BOAT-2',
        text: 'Nice',
        content_type: 'markdown',
        author: 'acc-ana',
        created_at: '2026-03-02T11:00:00.000Z',
        edited_at: '2026-03-02T11:05:00.000Z',
      },
    ])
    expect(recordsOf(answers, 'time_entry')).toEqual([
      {
        id: '701',
        task: 'BOAT-2',
        who: 'acc-ben',
        minutes: 90,
        day: '2026-03-02',
        note: 'Sanding',
      },
    ])
    expect(recordsOf(answers, 'attachment')).toEqual([
      {
        id: '901',
        task: 'BOAT-2',
        filename: 'hull.png',
        url: 'https://yard.atlassian.net/rest/api/3/attachment/content/901',
        content_type: 'image/png',
        created_by: 'acc-ben',
        created_at: '2026-03-02T10:00:00.000Z',
      },
    ])
    expect(recordsOf(answers, 'relation')).toEqual([
      { kind: 'blocks', first: 'BOAT-3', second: 'BOAT-2' },
    ])
  })
})

describe('an XML export', () => {
  test('keeps every field of a task, and its texts as HTML', () => {
    expect(task('BOAT-2', xml)).toEqual({
      id: 'BOAT-2',
      board: 'BOAT',
      column: 'Ashore',
      title: 'Paint the hull & deck',
      key: 'BOAT-2',
      description: [
        '<p>Sand <b>all</b>, see <a href="task:BOAT-3">BOAT-3</a></p>',
        '<h2>Environment</h2>',
        '<p>Dry & cold</p>',
        '<h2>Acceptance</h2>',
        '<p>It floats</p>',
        '<h2>Linked issues</h2>',
        '<ul><li>clones: SHED-9</li></ul>',
      ].join('\n'),
      content_type: 'html',
      priority: 'High',
      due_date: '2026-03-10',
      labels: ['paint', 'Hull'],
      assignees: ['ben'],
      fields: [
        { name: 'Issue type', value: 'Story' },
        { name: 'Resolution', value: 'Fixed' },
        { name: 'Sprint', value: 'Spring 1' },
        { name: 'Fix versions', value: '2026.1' },
        { name: 'Affects versions', value: '2025' },
        { name: 'Security level', value: 'Crew' },
        { name: 'Votes', value: 2 },
        { name: 'Original estimate (hours)', value: 4 },
        { name: 'Remaining estimate (hours)', value: 0.5 },
        { name: 'Time spent (hours)', value: 1.5 },
        { name: 'Story Points', value: 5 },
        { name: 'Parent', value: 'BOAT-1' },
      ],
      created_by: 'acc-ana',
      created_at: '2026-03-01T09:05:00.000Z',
      updated_at: '2026-03-04T17:30:00.000Z',
      completed_at: '2026-03-04T17:00:00.000Z',
    })
    expect(task('BOAT-3', xml)).toEqual({
      id: 'BOAT-3',
      board: 'BOAT',
      column: 'Open',
      title: 'Order paint',
      key: 'BOAT-3',
      parent: 'BOAT-2',
    })
  })

  test('has comments, attachments and relations', () => {
    expect(recordsOf(xml, 'comment')).toEqual([
      {
        id: '501',
        task: 'BOAT-2',
        text: '<p>Nice</p>',
        content_type: 'html',
        author: 'acc-ana',
        created_at: '2026-03-02T11:00:00.000Z',
      },
    ])
    expect(recordsOf(xml, 'attachment')).toEqual([
      {
        id: '901',
        task: 'BOAT-2',
        filename: 'hull 1.png',
        url: 'https://yard.example/jira/secure/attachment/901/hull%201.png',
        created_by: 'ben',
        created_at: '2026-03-02T10:00:00.000Z',
      },
    ])
    expect(recordsOf(xml, 'relation')).toEqual([
      { kind: 'blocks', first: 'BOAT-3', second: 'BOAT-2' },
    ])
    expect(xml.losses).toEqual(['An item: It has no issue key'])
  })

  test('is refused if it was cut short', async () => {
    const file = textFile('search.xml', '<rss><channel><item><key>A-1</key>')
    await expect(readSource(jira, [file])).rejects.toThrow(
      'search.xml: The file is not an export of Jira as XML. Export the issues again',
    )
  })
})

describe('the download', () => {
  /** Answers requests from a table of paths, and notes them. */
  function server(answer: (path: string) => unknown) {
    const requests: { path: string; authorization: string | undefined }[] = []
    const fake = async (url: string | URL | Request, init?: RequestInit) => {
      const { pathname, search } = new URL(String(url))
      const headers = new Headers(init?.headers)
      requests.push({
        path: pathname + search,
        authorization: headers.get('authorization') ?? undefined,
      })
      const body = answer(pathname + search)
      return body instanceof Response ? body : Response.json(body)
    }
    return { requests, fetch: fake as typeof fetch }
  }
  const download = (url: string, token: string | undefined, fetch: typeof globalThis.fetch) =>
    Array.fromAsync(
      jira.api!.download({
        url,
        token,
        fetch,
        onProgress: () => {},
        signal: new AbortController().signal,
      }),
    )

  test('reads all pages of Jira Cloud and the comments that a page lacks', async () => {
    const issue = (key: string, comment?: unknown) => ({
      key,
      fields: { summary: key, comment, status: { name: 'Idea' } },
    })
    const { requests, fetch } = server((path) => {
      if (path.includes('/comment?')) return { comments: [{ id: '2', body: 'b' }] }
      if (path.includes('nextPageToken=t')) return { issues: [issue('BOAT-2')] }
      if (path.includes('/search/jql'))
        return {
          issues: [issue('BOAT-1', { comments: [{ id: '1', body: 'a' }], total: 2 })],
          nextPageToken: 't',
        }
      if (path.endsWith('/statuses') || path.endsWith('/field')) return []
      return { key: 'BOAT', name: 'Boat yard' }
    })
    const address = 'https://yard.atlassian.net/jira/software/c/projects/BOAT/boards/1'
    const files = await download(address, 'ana@yard.example:s3cret', fetch)
    expect(requests.map(({ path }) => path.replace(/\?jql.*ASC/, '?…'))).toEqual([
      '/rest/api/3/field',
      '/rest/api/3/project/BOAT',
      '/rest/api/3/project/BOAT/statuses',
      '/rest/api/3/search/jql?…&maxResults=100&fields=*all',
      '/rest/api/3/issue/BOAT-1/comment?startAt=1&maxResults=1000',
      '/rest/api/3/search/jql?…&maxResults=100&fields=*all&nextPageToken=t',
    ])
    expect(requests[0]!.authorization).toBe(`Basic ${btoa('ana@yard.example:s3cret')}`)
    const reading = await readSource(jira, files)
    expect(recordsOf(reading, 'task').map(({ id }) => id)).toEqual(['BOAT-1', 'BOAT-2'])
    expect(recordsOf(reading, 'comment').map(({ text }) => text)).toEqual(['a', 'b'])
  })

  test('reads Data Center below a folder with a bearer token', async () => {
    const { requests, fetch } = server((path) => {
      if (path.includes('startAt=1')) return { total: 2, issues: [{ key: 'B-2', fields: {} }] }
      if (path.includes('/search')) return { total: 2, issues: [{ key: 'B-1', fields: {} }] }
      return path.endsWith('/statuses') || path.endsWith('/field') ? [] : { key: 'B' }
    })
    const files = await download('https://yard.example/jira/browse/B-17', 'abc', fetch)
    expect(files.map(({ path }) => path)).toEqual([
      'jira.json',
      'issues-000001.json',
      'issues-000002.json',
    ])
    expect(requests[0]).toEqual({ path: '/jira/rest/api/2/field', authorization: 'Bearer abc' })
  })

  test('names the token if the server refuses', async () => {
    const { fetch } = server(() => new Response('no', { status: 401 }))
    await expect(download('https://yard.example/browse/B', undefined, fetch)).rejects.toThrow(
      'Jira refuses the token. Set JIRA_TOKEN',
    )
  })

  test('refuses a page for signing in', async () => {
    const { fetch } = server(() => new Response('<html>', { status: 200 }))
    await expect(download('https://yard.example/browse/B', undefined, fetch)).rejects.toThrow(
      'Jira does not answer with JSON',
    )
  })

  test('belongs to addresses of Jira only', () => {
    const matches = (url: string) => jira.api!.matches(new URL(url))
    expect(matches('https://yard.atlassian.net/browse/BOAT')).toBe(true)
    expect(matches('https://yard.atlassian.net/jira/software/projects/BOAT/boards/3')).toBe(true)
    expect(matches('https://jira.yard.example/projects/BOAT/issues')).toBe(true)
    expect(matches('https://jira.yard.example/issues/?jql=project%3DBOAT')).toBe(true)
    expect(matches('https://github.com/orgs/yard/projects/1')).toBe(false)
    expect(matches('https://linear.app/yard/team/BOAT/all')).toBe(false)
    expect(matches('https://yard.atlassian.net/wiki/spaces/BOAT')).toBe(false)
  })
})

test('every declared field is in the fixtures', () =>
  expectAllFields(jira, cloud, server, answers, xml))

test('the files of Jira are detected, and those of others are not', async () => {
  expect(await jira.detects(await fixtureFiles('jira/cloud.csv'))).toBe(true)
  expect(await jira.detects(await fixtureFiles('jira/server.csv'))).toBe(true)
  expect(await jira.detects(await fixtureFiles('jira/api'))).toBe(true)
  expect(await jira.detects(await fixtureFiles('jira/search.xml'))).toBe(true)
  expect(await jira.detects(await fixtureFiles('linear/workspace.csv'))).toBe(false)
  expect(await jira.detects(await fixtureFiles('linear/api'))).toBe(false)
  expect(await jira.detects([textFile('a.xml', '<rss><channel/></rss>')])).toBe(false)
  expect(await jira.detects([textFile('linear.csv', 'ID,Team,Title\nA-1,A,x\n')])).toBe(false)
  expect(await jira.detects([textFile('a.csv', '')])).toBe(false)
})

test('a file in another language is refused with a remedy', async () => {
  const file = textFile('export.csv', 'Zusammenfassung,Status\nx,y\n')
  await expect(readSource(jira, [file])).rejects.toThrow(
    'export.csv, line 1, field Issue key: The file has no column "Issue key". ' +
      'Set the language of your Jira profile to English',
  )
})

test('a broken file is refused with the line', async () => {
  const file = textFile('export.csv', 'Summary,Issue key,Issue id\nx,A-1,"1\n')
  await expect(readSource(jira, [file])).rejects.toThrow(/export.csv, line \d+.*not valid CSV/)
})
