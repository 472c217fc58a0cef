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
const task = (id: string, reading = cloud) =>
  recordsOf(reading, 'task').find((found) => found.id === id)

describe('an export of Jira Cloud', () => {
  test('becomes a board with a column for each status, done ones last', () => {
    expect(cloud.records[0]).toEqual({ origin: { id: 'jira:BOAT', title: 'Boat yard' } })
    expect(recordsOf(cloud, 'board')).toEqual([
      {
        id: 'BOAT',
        title: 'Boat yard',
        key: 'BOAT',
        description: 'Repairs in the harbour\n\nProject lead: Olga Berg',
        columns: [{ title: 'To Do' }, { title: 'In Progress' }, { title: 'Done', done: true }],
        labels: ['paint', 'ferry', 'Hull', 'Deck'].map((name) => ({ name })),
        fields: [
          { name: 'Issue type', type: 'select', options: ['Story', 'Sub-task', 'Epic', 'Task'] },
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
      { ...first, id: `${first.id} (2)`, text: 'Twice' },
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
      'A work log of BOAT-2: It has no time',
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
      ['SHED', [{ title: 'Open' }, { title: 'Closed', done: true }]],
      ['DOCK', [{ title: 'In Review' }, { title: 'Done', done: true }]],
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
    expect(server.losses).toContain('Parent of SHED-3: The task would be a subtask of itself')
  })
})

test('every declared field is in the fixtures', () => expectAllFields(jira, cloud, server))

test('the files of Jira are detected, and those of others are not', async () => {
  expect(await jira.detects(await fixtureFiles('jira/cloud.csv'))).toBe(true)
  expect(await jira.detects(await fixtureFiles('jira/server.csv'))).toBe(true)
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
