import { describe, expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { linear } from '../../src/import/sources/linear/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async (name: string) => readSource(linear, await fixtureFiles(`linear/${name}`))
const csv = await read('workspace.csv')
const answers = await read('api')
const task = (id: string, reading = csv) =>
  recordsOf(reading, 'task').find((found) => found.id === id)

describe('a CSV export', () => {
  test('becomes a board for the team with its statuses in the order of the workflow', () => {
    expect(csv.records[0]).toEqual({ origin: { id: 'linear:BOAT', title: 'Boat yard' } })
    expect(recordsOf(csv, 'board')).toEqual([
      {
        id: 'BOAT',
        title: 'Boat yard',
        key: 'BOAT',
        columns: [
          { title: 'Todo', done: false },
          { title: 'In Progress', done: false },
          { title: 'Waiting', done: false },
          { title: 'Ashore', done: true },
          { title: 'Canceled', done: false },
        ],
        labels: [{ name: 'Paint' }, { name: 'Hull' }],
        fields: [
          { name: 'Estimate', type: 'number' },
          { name: 'Cycle', type: 'select', options: ['Cycle 4', 'March'] },
          { name: 'Project', type: 'select', options: ['Spring refit'] },
          { name: 'Cycle Start', type: 'date' },
          { name: 'Cycle End', type: 'date' },
          { name: 'Started', type: 'date' },
          { name: 'Triaged', type: 'date' },
          { name: 'Initiatives', type: 'text' },
          { name: 'Project Milestone', type: 'select', options: ['Afloat'] },
          { name: 'Milestone', type: 'select', options: ['Old milestone'] },
          { name: 'SLA Status', type: 'select', options: ['Completed'] },
          { name: 'Roadmaps', type: 'text' },
          { name: 'Time in status (minutes)', type: 'text' },
          { name: 'Customer', type: 'text' },
          { name: 'Duplicate of', type: 'text' },
        ],
      },
    ])
  })

  test('knows people by their email addresses', () => {
    expect(recordsOf(csv, 'person')).toEqual([
      { id: 'ben@yard.example', name: 'ben@yard.example', email: 'ben@yard.example' },
      { id: 'ana@yard.example', name: 'ana@yard.example', email: 'ana@yard.example' },
      { id: 'Olga Berg', name: 'Olga Berg' },
    ])
  })

  test('keeps every field of a task', () => {
    expect(task('BOAT-2')).toEqual({
      id: 'BOAT-2',
      board: 'BOAT',
      column: 'Ashore',
      title: 'Paint the hull',
      key: 'BOAT-2',
      description:
        'See [BOAT-3](task:BOAT-3) and [the shed](task:BOAT-1) ' +
        'or https://linear.app/yard/issue/SHED-1/x\n\n- [ ] sand',
      content_type: 'markdown',
      priority: 2,
      due_date: '2026-03-10',
      labels: ['Paint', 'Hull'],
      assignees: ['ben@yard.example'],
      parent: 'BOAT-1',
      fields: [
        { name: 'Estimate', value: 3 },
        { name: 'Cycle', value: 'Cycle 4' },
        { name: 'Project', value: 'Spring refit' },
        { name: 'Cycle Start', value: '2026-03-01' },
        { name: 'Cycle End', value: '2026-03-14' },
        { name: 'Started', value: '2026-03-02' },
        { name: 'Triaged', value: '2026-03-01' },
        { name: 'Initiatives', value: 'Fleet' },
        { name: 'Project Milestone', value: 'Afloat' },
        { name: 'Milestone', value: 'Old milestone' },
        { name: 'SLA Status', value: 'Completed' },
        { name: 'Roadmaps', value: '2026' },
        { name: 'Time in status (minutes)', value: 'Todo: 20' },
        { name: 'Customer', value: 'Ferry Ltd' },
      ],
      created_by: 'ana@yard.example',
      created_at: '2026-03-01T09:05:00.000Z',
      updated_at: '2026-03-04T17:30:00.000Z',
      completed_at: '2026-03-04T17:00:00.000Z',
    })
  })

  test('reads the dates of old exports, and tasks behind their parents', () => {
    expect(recordsOf(csv, 'task').map(({ id }) => id)).toEqual([
      'BOAT-1',
      'BOAT-2',
      'BOAT-3',
      'BOAT-4',
    ])
    expect(task('BOAT-1')).toMatchObject({
      priority: 0,
      due_date: '2026-03-31',
      created_at: '2026-03-02T09:00:00.000Z',
    })
  })

  test('archives what is cancelled or archived', () => {
    expect(task('BOAT-4')).toMatchObject({ column: 'Canceled', archived: true, priority: 4 })
    expect(task('BOAT-4')!.completed_at).toBeUndefined()
    expect(task('BOAT-3')!.archived).toBeUndefined()
  })

  test('has each relation once', () => {
    expect(recordsOf(csv, 'relation')).toEqual([
      { kind: 'blocks', first: 'BOAT-3', second: 'BOAT-2' },
      { kind: 'related', first: 'BOAT-2', second: 'BOAT-4' },
      { kind: 'related', first: 'BOAT-3', second: 'BOAT-4' },
    ])
    expect(csv.losses).toEqual([
      'Line 9: "draft" is not the id of an issue',
      'Another row of BOAT-4: The first one is imported',
      'A relation to another task: That task is not imported',
    ])
  })
})

describe('answers of the API', () => {
  test('become a board for each team, with the columns in their order', () => {
    expect(answers.records[0]).toEqual({ origin: { id: 'linear', title: 'Linear' } })
    const [boat, shed] = recordsOf(answers, 'board')
    expect(boat).toMatchObject({
      id: 'BOAT',
      description: 'Repairs',
      columns: [
        { title: 'Todo', done: false },
        { title: 'Sailing', done: false },
        { title: 'Review', done: false },
        { title: 'Ashore', done: true },
        { title: 'Canceled', done: false },
        { title: 'Twin', done: false },
      ],
      labels: [{ name: 'Kind/Paint', color: '#ff8800' }, { name: 'Hull' }],
    })
    expect(shed!.columns).toEqual([
      { title: 'Todo', done: false },
      { title: 'Done', done: true },
    ])
  })

  test('keep every field of a task', () => {
    expect(task('BOAT-2', answers)).toEqual({
      id: 'BOAT-2',
      board: 'BOAT',
      column: 'Ashore',
      title: 'Paint the hull',
      key: 'BOAT-2',
      description:
        'As [BOAT-3](task:BOAT-3) says\n\n## Links\n\n' +
        '- [PR \\[1\\], merged](<https://code.example/pr/1>)',
      content_type: 'markdown',
      priority: 2,
      estimate: 4,
      due_date: '2026-03-10',
      labels: ['Kind/Paint', 'Hull'],
      assignees: ['u-bot'],
      parent: 'BOAT-1',
      archived: true,
      fields: [
        { name: 'Cycle', value: 'Cycle 4' },
        { name: 'Duplicate of', value: 'BOAT-1' },
        { name: 'Project', value: 'Spring refit' },
        { name: 'Cycle Start', value: '2026-03-01' },
        { name: 'Cycle End', value: '2026-03-15' },
        { name: 'Started', value: '2026-03-02' },
        { name: 'Triaged', value: '2026-03-01' },
        { name: 'Project Milestone', value: 'Afloat' },
        { name: 'SLA breach', value: '2026-03-12' },
        { name: 'Snoozed until', value: '2026-03-03' },
        { name: 'Earlier ids', value: 'OLD-7' },
      ],
      created_by: 'ana@yard.example',
      created_at: '2026-03-01T09:05:00.000Z',
      updated_at: '2026-03-04T17:30:00.000Z',
      completed_at: '2026-03-04T17:00:00.000Z',
    })
  })

  test('have points as a custom field, if they are no sizes', () => {
    expect(task('SHED-1', answers)!.fields).toEqual([
      { name: 'Estimate', value: 8 },
      { name: 'Parent issue', value: 'BOAT-1 Task BOAT-1' },
    ])
    expect(task('BOAT-3', answers)).toMatchObject({
      archived: true,
      fields: [{ name: 'Estimate', value: 4 }],
    })
  })

  test('have comments before their replies, and uploads as attachments', () => {
    expect(recordsOf(answers, 'comment')).toEqual([
      {
        id: 'c-1',
        task: 'BOAT-2',
        text: '> the hull\n\nNice',
        content_type: 'markdown',
        author: 'ana@yard.example',
        created_at: '2026-03-02T08:30:00.000Z',
        edited_at: '2026-03-02T08:31:00.000Z',
      },
      {
        id: 'c-2',
        task: 'BOAT-2',
        text: 'Thanks',
        content_type: 'markdown',
        author: 'GitHub',
        created_at: '2026-03-02T09:00:00.000Z',
        reply_to: 'c-1',
      },
    ])
    expect(recordsOf(answers, 'attachment')).toEqual([
      {
        id: 'a-2',
        task: 'BOAT-2',
        filename: 'hull.png',
        url: 'https://uploads.linear.app/x/hull.png',
        created_by: 'ben@yard.example',
        created_at: '2026-03-02T08:00:00.000Z',
      },
    ])
    expect(recordsOf(answers, 'relation')).toEqual([
      { kind: 'blocks', first: 'BOAT-2', second: 'BOAT-3' },
      { kind: 'related', first: 'BOAT-1', second: 'BOAT-2' },
    ])
  })

  test('leave out the trash', () => {
    expect(task('BOAT-9', answers)).toBeUndefined()
    expect(answers.losses).toEqual(['BOAT-9: It is in the trash', 'An issue: It has no identifier'])
  })
})

describe('the download', () => {
  const run = async (url: string, answer: (body: string) => unknown, token?: string) => {
    const bodies: string[] = []
    const fake = async (_: unknown, init?: RequestInit) => {
      bodies.push(String(init?.body))
      return Response.json(answer(bodies.at(-1)!))
    }
    const files = await Array.fromAsync(
      linear.api!.download({
        url,
        token,
        fetch: fake as typeof fetch,
        onProgress: () => {},
        signal: new AbortController().signal,
      }),
    )
    return { files, bodies }
  }
  const end = { hasNextPage: false, endCursor: null }

  test('reads all pages of a team and the comments that a page lacks', async () => {
    const issue = (identifier: string, comments: unknown) => ({
      id: identifier,
      identifier,
      title: identifier,
      state: { name: 'Todo', type: 'unstarted' },
      comments,
    })
    const { files, bodies } = await run(
      'https://linear.app/yard/team/boat/all',
      (body) => {
        if (body.includes('teams('))
          return { data: { teams: { nodes: [{ id: 't', key: 'BOAT', states: { nodes: [] } }] } } }
        if (body.includes('issue(id'))
          return {
            data: { issue: { comments: { nodes: [{ id: '2', body: 'b' }], pageInfo: end } } },
          }
        if (body.includes('"after":"p"'))
          return { data: { issues: { nodes: [issue('BOAT-2', undefined)], pageInfo: end } } }
        const pageInfoOfComments = { hasNextPage: true, endCursor: 'c' }
        const comments = { nodes: [{ id: '1', body: 'a' }], pageInfo: pageInfoOfComments }
        const pageInfo = { hasNextPage: true, endCursor: 'p' }
        return { data: { issues: { nodes: [issue('BOAT-1', comments)], pageInfo } } }
      },
      'lin_api_1',
    )
    expect(JSON.parse(bodies[0]!).variables).toEqual({ filter: { key: { eq: 'BOAT' } } })
    expect(bodies).toHaveLength(4)
    const reading = await readSource(linear, files)
    expect(recordsOf(reading, 'task').map(({ id }) => id)).toEqual(['BOAT-1', 'BOAT-2'])
    expect(recordsOf(reading, 'comment').map(({ text }) => text)).toEqual(['a', 'b'])
  })

  test('asks for a key', async () => {
    await expect(run('https://linear.app/yard/team/BOAT', () => ({}))).rejects.toThrow(
      'Linear needs a token',
    )
  })

  test('tells what Linear answers', async () => {
    const errors = () => ({ errors: [{ message: 'too complex' }] })
    await expect(run('https://linear.app/yard', errors, 'k')).rejects.toThrow(
      'Linear answers: too complex',
    )
  })

  test('belongs to addresses of Linear only', () => {
    expect(linear.api!.matches(new URL('https://linear.app/yard/team/BOAT'))).toBe(true)
    expect(linear.api!.matches(new URL('https://yard.atlassian.net/browse/BOAT'))).toBe(false)
  })
})

test('every declared field is in the fixtures', () => expectAllFields(linear, csv, answers))

test('the files of Linear are detected, and those of others are not', async () => {
  expect(await linear.detects(await fixtureFiles('linear/workspace.csv'))).toBe(true)
  expect(await linear.detects(await fixtureFiles('linear/api'))).toBe(true)
  expect(await linear.detects(await fixtureFiles('jira/cloud.csv'))).toBe(false)
  expect(await linear.detects(await fixtureFiles('jira/api'))).toBe(false)
  expect(await linear.detects([textFile('a.csv', '')])).toBe(false)
})

test('a file without the columns is refused with a remedy', async () => {
  await expect(readSource(linear, [textFile('a.csv', 'ID,Title\n1,x\n')])).rejects.toThrow(
    'a.csv, line 1, field Status: The file has no column "Status". Export it again',
  )
})
