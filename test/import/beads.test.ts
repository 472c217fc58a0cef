import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { beads } from '../../src/import/sources/beads/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async () => readSource(beads, await fixtureFiles('beads'))
const lines = (...issues: object[]) => issues.map((issue) => JSON.stringify(issue)).join('\n')
const readLines = (text: string) => readSource(beads, [textFile('issues.jsonl', text)])

test('every field of beads is declared and read', async () => {
  expectAllFields(beads, await read())
})

test('the repository becomes one board, named after the prefix of its ids', async () => {
  const reading = await read()
  expect(recordsOf(reading, 'origin')).toEqual([{ id: 'beads:pier', title: 'pier' }])
  expect(recordsOf(reading, 'person')).toEqual([
    { id: 'Ana', name: 'Ana' },
    { id: 'ben@example.com', name: 'ben@example.com', email: 'ben@example.com' },
    { id: 'Ben', name: 'Ben' },
  ])
  const [board] = recordsOf(reading, 'board')
  expect(board).toMatchObject({
    id: 'pier',
    key: 'PIER',
    title: 'pier',
    description: '## Memories\n\n- **tides**: Work at low tide only.',
    labels: ['pier', 'wood', 'pinned', 'ephemeral', 'template'].map((name) => ({ name })),
  })
  expect(board!.columns).toEqual([
    { title: 'Open', done: false },
    { title: 'Hooked', done: false },
    { title: 'In progress', done: false },
    { title: 'Deferred', done: false },
    { title: 'Ready to paint', done: false },
    { title: 'Closed', done: true },
  ])
  expect(board!.fields).toContainEqual({
    name: 'Type',
    type: 'select',
    options: ['epic', 'task', 'bug'],
  })
})

test('an issue keeps everything that beads knows about it', async () => {
  const [task] = recordsOf(await read(), 'task')
  expect(task).toEqual({
    id: 'pier-a3f8',
    key: 'pier-a3f8',
    board: 'pier',
    column: 'In progress',
    title: 'Rebuild the pier',
    content_type: 'markdown',
    priority: 1,
    labels: ['pier', 'wood', 'pinned', 'ephemeral', 'template'],
    assignees: ['ben@example.com'],
    created_by: 'Ana',
    created_at: '2026-03-01T08:00:00.000Z',
    updated_at: '2026-03-02T10:00:00.123Z',
    start_date: '2026-03-05T00:00:00.000Z',
    due_date: '2026-04-01T12:00:00.000Z',
    fields: [
      { name: 'Type', value: 'epic' },
      { name: 'Estimate in minutes', value: 90 },
      { name: 'External reference', value: 'https://example.com/7' },
      { name: 'Specification', value: 'docs/pier.md' },
      { name: 'Owner', value: 'olga@example.com' },
      { name: 'Source system', value: 'other' },
      { name: 'Waits for', value: 'timer' },
      { name: 'Waits for ID', value: 't-1' },
      { name: 'Molecule type', value: 'work' },
      { name: 'Started at', value: '2026-03-01' },
      { name: 'Sender', value: 'Ana' },
      { name: 'Wisp type', value: 'patrol' },
      { name: 'Timeout', value: 1000 },
      { name: 'Source formula', value: 'build' },
      { name: 'Source location', value: 'steps[0]' },
      { name: 'Work type', value: 'mutex' },
      { name: 'Event kind', value: 'agent.started' },
      { name: 'Actor', value: 'ana' },
      { name: 'Target', value: 'pier' },
      { name: 'Crane', value: 'left' },
    ],
    description: [
      'All of it.',
      '## Design\n\nOak on **steel**.',
      '## Acceptance criteria\n\n- [ ] It holds a crane',
      '## Notes\n\nAsk Olga.',
      '## Waiters\n\n- ana\n- ben',
      '## Bonded from\n\n- Source id: pier-x\n  - Bond type: parallel',
      '## Payload\n\n{"a":1}',
      '## Tides\n\n- low\n- high',
    ].join('\n\n'),
  })
})

test('comments keep their authors and times, and empty ones are left out', async () => {
  expect(recordsOf(await read(), 'comment')).toEqual([
    {
      id: 'pier-a3f8:2026-03-02T08:00:00Z',
      task: 'pier-a3f8',
      text: 'Steel is *here*.',
      content_type: 'markdown',
      author: 'Ben',
      created_at: '2026-03-02T08:00:00.000Z',
    },
    {
      id: 'pier-a3f8:c-2',
      task: 'pier-a3f8',
      text: 'Good.',
      content_type: 'markdown',
      created_at: '2026-03-03T08:00:00.000Z',
    },
  ])
})

test('priorities are a scale, of which the last one is none', async () => {
  const tasks = recordsOf(await read(), 'task')
  expect(tasks.map(({ id, priority }) => [id, priority])).toEqual([
    ['pier-a3f8', 1],
    ['pier-a3f8.1', 2],
    ['pier-b1', 3],
    ['pier-c1', 4],
    ['pier-d1', 0],
    ['pier-e1', undefined],
  ])
  expect(tasks.at(-1)!.fields).toEqual(
    expect.arrayContaining([
      { name: 'Priority', value: 120 },
      { name: 'Colour', value: 'blue' },
      { name: 'Metadata', value: 'blue' },
    ]),
  )
  expect(tasks.at(-1)!.description).toBe(
    '## Close reason\n\nNot yet\n\n## Plan\n\n- First: wood\n- Then:\n  - steel\n  - rope',
  )
})

test('a closed issue is done, below its parent', async () => {
  expect(recordsOf(await read(), 'task')[1]).toMatchObject({
    id: 'pier-a3f8.1',
    parent: 'pier-a3f8',
    column: 'Closed',
    completed_at: '2026-03-04T09:00:00.000Z',
    description: '## Close reason\n\nIt came by boat',
  })
})

test('dependencies become relations, and other links also lines of text', async () => {
  const reading = await read()
  const relations = recordsOf(reading, 'relation')
  expect(relations.map(({ kind, first, second }) => [kind, first, second])).toEqual([
    ['blocks', 'pier-a3f8.1', 'pier-b1'],
    ['related', 'pier-a3f8', 'pier-b1'],
    ['related', 'pier-b1', 'pier-c1'],
    ['related', 'pier-c1', 'pier-d1'],
    ['related', 'pier-a3f8', 'pier-d1'],
    ['blocks', 'pier-c1', 'pier-e1'],
    ['blocks', 'pier-b1', 'pier-e1'],
  ])
  const tasks = recordsOf(reading, 'task')
  expect(tasks[2]!.description).toBe(
    '## Links\n\n- Discovered from [pier-a3f8](task:pier-a3f8)\n- Blocked by external:boats:crane',
  )
  expect(tasks[4]).toMatchObject({
    parent: 'pier-b1',
    description: '## Links\n\n- Replies to [pier-a3f8](task:pier-a3f8)\n- Duplicate of pier-gone',
  })
})

test('deleted issues are left out, and damaged lines are reported with their number', async () => {
  const reading = await read()
  expect(recordsOf(reading, 'task').some(({ id }) => id === 'pier-f1')).toBe(false)
  expect(reading.losses).toEqual([
    '.beads/beads.jsonl: It is older than issues.jsonl',
    'Issue pier-e1: It is there twice; only the one changed last is imported',
    expect.stringMatching(/^\.beads\/issues\.jsonl, line 9: The file is not valid JSON/),
    'Issue Without an id: It has no id',
    'Link of pier-b1 to external:boats:crane: No such issue is in the file',
    'Link of pier-d1 to pier-gone: No such issue is in the file',
  ])
})

test('parents come before their children, and a cycle of parents is broken', async () => {
  const child = (id: string, parent: string) => ({ id, title: id, parent })
  const reading = await readLines(
    lines(child('a-3', 'a-2'), child('a-2', 'a-1'), child('a-1', 'a-3')),
  )
  const tasks = recordsOf(reading, 'task')
  expect(tasks.filter(({ parent }) => !parent)).toHaveLength(1)
  for (const [at, { parent }] of tasks.entries())
    if (parent) expect(tasks.slice(0, at).map(({ id }) => id)).toContain(parent)
  expect(reading.losses).toEqual([expect.stringContaining('It is a subtask of its own subtask')])
})

test('a title and a text that are too long are cut, and nothing of the title is lost', async () => {
  const title = 'Moor '.repeat(150).trim()
  const issue = { id: 'a-1', title, description: 'x'.repeat(1_048_577) }
  const reading = await readLines(lines(issue))
  const [task] = recordsOf(reading, 'task')
  expect(task!.title).toHaveLength(500)
  expect(task!.description).toStartWith(`${title}\n\nxxx`)
  expect(task!.description).toHaveLength(1_048_576)
  expect(reading.losses).toEqual([
    expect.stringMatching(/^End of the title of Moor .*: It is in the description$/),
    expect.stringMatching(/^End of the description of Moor .* 1,048,576 characters$/),
  ])
})

test('a file in which every line is damaged is refused with the first line', async () => {
  await expect(readLines('\n{"id":\n')).rejects.toThrow(
    /^issues\.jsonl, line 2, column 7: The file is not valid JSON .*Download it again/,
  )
})

test('a file with a merge conflict is refused with the line and what to do', async () => {
  const issue = lines({ id: 'a-1', title: 'One' })
  const text = `${issue}\n<<<<<<< HEAD\n${issue}\n=======\n${issue}\n>>>>>>> other\n`
  await expect(readLines(text)).rejects.toThrow(
    /^issues\.jsonl, line 2: .*merge conflict of git\. Resolve it/,
  )
})

test('a file without issues is refused', async () => {
  await expect(readLines('')).rejects.toThrow(
    'There are no issues of beads. Write them with "bd export',
  )
})

test('beads is detected by its issues, and other files are not', async () => {
  expect(await beads.detects(await fixtureFiles('beads'))).toBe(true)
  const conflict = textFile('.beads/issues.jsonl', '<<<<<<< HEAD\n')
  expect(await beads.detects([conflict])).toBe(true)
  const others = [
    textFile('.beads/beads.jsonl', '{"operation":"update","bead":{"id":"bd-1","title":"Moor"}}'),
    textFile('team.jsonl', '{"kind":"task","id":1,"title":"Moor"}'),
    ...(await fixtureFiles('taskmaster/tagged')),
  ]
  for (const file of others) expect(await beads.detects([file])).toBe(false)
})

test('the files of a repository are found', () => {
  for (const path of ['.beads/issues.jsonl', 'apps/web/.beads/beads.jsonl', 'issues.jsonl'])
    expect(beads.inFolder!.test(path)).toBe(true)
  for (const path of ['.beads/interactions.jsonl', '.beads/deletions.jsonl', 'data/issues.jsonl'])
    expect(beads.inFolder!.test(path)).toBe(false)
})
