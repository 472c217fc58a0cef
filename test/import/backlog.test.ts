import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { backlog } from '../../src/import/sources/backlog/index.ts'
import { backlogConfig, TaskIds, taskFile } from '../../src/surfaces/cli/export/backlog-file.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async () => readSource(backlog, await fixtureFiles('backlog'))
const taskOf = async (id: string) => recordsOf(await read(), 'task').find((task) => task.id === id)!

test('every field of Backlog.md is declared and read', async () => {
  expectAllFields(backlog, await read())
})

test('a folder becomes a board with its statuses as columns', async () => {
  const reading = await read()
  expect(recordsOf(reading, 'origin')).toEqual([{ id: 'backlog:Harbour', title: 'Harbour' }])
  expect(recordsOf(reading, 'person').map(({ id }) => id)).toEqual(['cleo', 'ana', 'ben'])
  expect(recordsOf(reading, 'board')).toEqual([
    {
      id: 'backlog',
      title: 'Harbour',
      key: 'PIER',
      description: [
        '## Definition of done\n\n- Photos are taken',
        '## Milestones\n\n- **v0**\n  Before the harbour',
        '- **v1**',
        '- **Spring**, Due date: 2026-05-31 12:00, Owner: Olga\n  Before the\n  boats come.',
        '- **Winter**',
      ].join('\n\n'),
      columns: [
        { title: 'Draft', done: false },
        { title: 'To Do', done: false },
        { title: 'In Progress', done: false },
        { title: 'Waiting', done: false },
        { title: 'Done', done: true },
        { title: 'Wontfix', done: false },
        { title: 'Decisions', done: false, hidden: true },
        { title: 'Documents', done: false, hidden: true },
      ],
      labels: ['pier', 'wood', 'survey', 'decision', 'doc'].map((name) => ({ name })),
      fields: [
        { name: 'Milestone', type: 'select', options: ['Spring'] },
        { name: 'Type', type: 'select', options: ['feature'] },
        { name: 'Estimated hours', type: 'number' },
        { name: 'Reference', type: 'url' },
        { name: 'Decision status', type: 'select', options: ['accepted'] },
        { name: 'Reviewer', type: 'text' },
        { name: 'Document type', type: 'select', options: ['guide'] },
        { name: 'Path', type: 'text' },
        { name: 'Author', type: 'text' },
      ],
    },
  ])
})

test('a task keeps everything that its file says', async () => {
  expect(await taskOf('PIER-1')).toEqual({
    id: 'PIER-1',
    key: 'PIER-1',
    board: 'backlog',
    column: 'In Progress',
    title: 'Survey the pier: all piles',
    content_type: 'markdown',
    priority: 'high',
    labels: ['pier', 'wood', 'survey'],
    assignees: ['ana', 'ben'],
    created_by: 'cleo',
    created_at: '2026-03-01T09:30:00.000Z',
    updated_at: '2026-03-02T10:00:00.000Z',
    completed_at: '2026-03-04T00:00:00.000Z',
    due_date: '2026-03-31',
    fields: [
      { name: 'Milestone', value: 'Spring' },
      { name: 'Type', value: 'feature' },
      { name: 'Estimated hours', value: 4 },
    ],
    description: [
      'Look at every pile, then do [the timber](task:PIER-2) and [this](pier-77 - Gone.md).\n<!-- AC:BEGIN --> is a marker.',
      '## Acceptance Criteria\n- [x] Every pile has a photo\n- [ ] The report is signed',
      '## Definition of Done\n- [ ] Photos are taken',
      '## Implementation Plan\n\n1. North\n2. South',
      '## Implementation Notes\n\nLow tide only.',
      '## Final Summary\n\nAll is well.',
      '## Tides\n\nLow at noon.',
      '## References\n\n- piles.csv\n- https://example.com/piles',
      '## Documentation\n\n- docs/piles.md',
      '## Modified files\n\n- src/pier.ts',
    ].join('\n\n'),
  })
})

test('comments keep their authors and times', async () => {
  const comment = {
    task: 'PIER-1',
    content_type: 'markdown',
    created_at: '2026-03-02T08:00:00.000Z',
  }
  expect(recordsOf(await read(), 'comment')).toEqual([
    { ...comment, id: 'PIER-1:2026-03-02 08:00', text: 'Steel is *here*.', author: 'ben' },
    { ...comment, id: 'PIER-1:2026-03-02 08:00#2', text: 'Two lines\nof text' },
  ] as never)
})

test('tasks are in the order of their ordinals, below their parents', async () => {
  const places = recordsOf(await read(), 'task').map(({ id, parent, column, archived }) => [
    id,
    parent,
    column,
    archived,
  ])
  expect(places).toEqual([
    ['PIER-1', undefined, 'In Progress', undefined],
    ['PIER-2', 'PIER-1', 'To Do', undefined],
    ['PIER-1.1', 'PIER-1', 'Done', undefined],
    ['PIER-3', undefined, 'To Do', undefined],
    ['DRAFT-1', undefined, 'Draft', undefined],
    ['PIER-5', undefined, 'Done', true],
    ['PIER-1~2', undefined, 'Waiting', true],
    ['DRAFT-2', undefined, 'Draft', true],
    ['decision-1', undefined, 'Decisions', undefined],
    ['doc-1', undefined, 'Documents', undefined],
    ['docs/tides.md', undefined, 'Documents', undefined],
  ])
})

test('files of old versions, with Windows lines, numbers as ids or no YAML, are read', async () => {
  expect(await taskOf('PIER-1.1')).toMatchObject({
    description: 'A small one.',
    assignees: ['ana'],
    created_at: '2026-02-28T00:00:00.000Z',
    fields: [{ name: 'Reference', value: 'https://example.com/boat' }],
  })
  expect(await taskOf('PIER-2')).toMatchObject({
    key: 'PIER-2',
    title: 'Order: timber',
    description: 'Oak.',
    created_at: '2026-02-01T00:00:00.000Z',
    updated_at: '2026-02-02T00:00:00.000Z',
    completed_at: '2026-02-03T00:00:00.000Z',
  })
  expect(await taskOf('PIER-3')).toMatchObject({ title: 'Ask Olga', description: 'Just a text' })
})

test('decisions and documents become tasks with a label in hidden columns', async () => {
  expect(await taskOf('decision-1')).toMatchObject({
    title: 'Use oak',
    labels: ['decision'],
    created_at: '2026-02-01T00:00:00.000Z',
    description: '## Context\n\nWood or steel?',
    fields: [
      { name: 'Decision status', value: 'accepted' },
      { name: 'Reviewer', value: 'Ben' },
    ],
  })
  expect(await taskOf('doc-1')).toMatchObject({
    labels: ['pier', 'doc'],
    updated_at: '2026-02-02T08:00:00.000Z',
    fields: [
      { name: 'Document type', value: 'guide' },
      { name: 'Path', value: 'guides/doc-1 - The-piles.md' },
      { name: 'Author', value: 'Ana' },
    ],
  })
  expect((await taskOf('docs/tides.md')).title).toBe('Tide table')
})

test('dependencies become relations, and what cannot be read is reported', async () => {
  const reading = await read()
  expect(recordsOf(reading, 'relation')).toEqual([
    { kind: 'blocks', first: 'PIER-2', second: 'PIER-1' },
    { kind: 'blocks', first: 'PIER-3', second: 'PIER-1' },
  ])
  expect(reading.losses).toEqual([
    'backlog/tasks/pier-4 - Damaged.md: The YAML at its beginning is damaged',
    'notes.md: It has no id, and its name is not like "task-1 - Title.md"',
    'Dependency of PIER-1 on PIER-99: That task does not exist',
  ])
  expect(reading.fields.lost.get('task.onStatusChange')?.count).toBe(1)
})

const BOARD = {
  key: 'HARB',
  title: 'Harbour "2026"',
  columns: [
    { title: 'Sea', done: false },
    { title: 'Landed', done: true },
    { title: 'Land', done: false },
  ],
}
const TASK = {
  unique_index: 1,
  title: 'Moor: the "ferry"',
  description:
    'Text with <!-- AC:BEGIN --> in it.\n\n## Acceptance criteria\n\n- [x] Tied\n- [ ] Seen',
  section: 'Land',
  assignees: [{ name: 'Ana' }],
  created_by: { name: 'Ben' },
  labels: [{ name: 'a, b' }],
  priority_name: 'Urgent',
  due_date: '2026-03-31' as string | null,
  parent: null as string | null,
  relations: [{ relation_type: 'BlockedBy', ticket_number: 'HARB-2' }],
  comments: [
    { author: { name: 'Olga' }, text: 'First\n\n---\nlast', created_at: '2026-03-01T08:00:00Z' },
  ],
  created_at: '2026-03-01T09:30:00Z',
  updated_at: '2026-03-02T10:00:00Z',
  url: 'https://example.com/HARB-1',
}

test('what Corkboard exports for Backlog.md comes back as it was', async () => {
  const ids = new TaskIds(BOARD.key)
  const other = { ...TASK, unique_index: 2, parent: 'HARB-1', relations: [], comments: [] }
  const tasks = [TASK, { ...other, due_date: '2026-04-01T12:30:00Z', section: 'Landed' }]
  const files = tasks.map((task, at) => taskFile(task, ids, at))
  const reading = await readSource(backlog, [
    textFile('config.yml', backlogConfig(BOARD)),
    ...files.map(({ name, text }) => textFile(`tasks/${name}`, text)),
  ])
  expect(recordsOf(reading, 'board')[0]).toMatchObject({
    title: "Harbour '2026'",
    key: 'HARB',
    columns: [
      { title: 'Sea', done: false },
      { title: 'Land', done: false },
      { title: 'Landed', done: true },
    ],
  })
  const [first, second] = recordsOf(reading, 'task')
  expect(first).toEqual({
    id: 'HARB-1',
    key: 'HARB-1',
    board: 'backlog',
    column: 'Land',
    title: TASK.title,
    description:
      'Text with <!-- AC:BEGIN --> in it.\n\n## Acceptance Criteria\n\n- [x] Tied\n- [ ] Seen',
    content_type: 'markdown',
    priority: 'urgent',
    labels: ['a, b'],
    assignees: ['Ana'],
    created_by: 'Ben',
    created_at: '2026-03-01T09:30:00.000Z',
    updated_at: '2026-03-02T10:00:00.000Z',
    due_date: '2026-03-31',
    fields: [{ name: 'Reference', value: TASK.url }],
  })
  expect(second).toMatchObject({
    parent: 'HARB-1',
    column: 'Landed',
    due_date: '2026-04-01T12:30:00.000Z',
  })
  expect(recordsOf(reading, 'comment')).toEqual([
    {
      id: 'HARB-1:2026-03-01 08:00',
      task: 'HARB-1',
      text: 'First\n\n***\nlast',
      content_type: 'markdown',
      author: 'Olga',
      created_at: '2026-03-01T08:00:00.000Z',
    },
  ])
  expect(recordsOf(reading, 'relation')).toEqual([
    { kind: 'blocks', first: 'HARB-2', second: 'HARB-1' },
  ])
  expect(reading.losses).toEqual([])
})

const PAGE = '---\nid: TASK-1\ntitle: Moor\nstatus: To Do\n---\n'

test('a configuration in the root names the folder, and other folders are left out', async () => {
  const reading = await readSource(backlog, [
    textFile('backlog.config.yml', 'project_name: Ferry\nbacklog_directory: ./plan/\n'),
    textFile('plan/tasks/task-1 - Moor.md', PAGE),
    textFile('docs/guide.md', '# Not of Backlog.md'),
  ])
  expect(recordsOf(reading, 'task').map(({ id }) => id)).toEqual(['TASK-1'])
})

test('several folders in a repository become boards of their own', async () => {
  const reading = await readSource(backlog, [
    textFile('backlog/config.yml', 'project_name: Ferry\nstatuses: [Sea, Land]\n'),
    textFile('backlog/tasks/task-1 - Moor.md', PAGE),
    textFile('crane/.backlog/tasks/task-1 - Moor.md', PAGE),
  ])
  expect(recordsOf(reading, 'board').map(({ id }) => id)).toEqual(['backlog', 'crane'])
  expect(recordsOf(reading, 'task').map(({ id }) => id)).toEqual(['TASK-1', 'crane:TASK-1'])
})

test('a task with a merge conflict is reported, and the others are read', async () => {
  const reading = await readSource(backlog, [
    textFile('tasks/task-1 - Moor.md', PAGE),
    textFile('tasks/task-2 - Sail.md', '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n'),
  ])
  expect(recordsOf(reading, 'task')).toHaveLength(1)
  expect(reading.losses).toEqual([
    'tasks/task-2 - Sail.md: The file has an unresolved merge conflict of git',
  ])
})

test('a folder without tasks and configuration is refused', async () => {
  await expect(readSource(backlog, [textFile('config.yml', 'a: 1')])).rejects.toThrow(
    'config.yml: There are no tasks of Backlog.md. Import the folder with its config.yml',
  )
})

test('Backlog.md is detected by its configuration or tasks, and other files are not', async () => {
  expect(await backlog.detects(await fixtureFiles('backlog'))).toBe(true)
  expect(await backlog.detects([textFile('tasks/task-1 - Moor.md', PAGE)])).toBe(true)
  const others = [
    textFile('config.yml', 'title: A site\ntheme: plain\n'),
    textFile('docs/guide.md', '# Guide'),
    ...(await fixtureFiles('taskmaster/tagged')),
    ...(await fixtureFiles('beads')),
  ]
  for (const file of others) expect(await backlog.detects([file])).toBe(false)
})

test('the files of a repository are found', () => {
  const paths = [
    'backlog/config.yml',
    '.backlog/tasks/task-1 - Moor.md',
    'apps/web/backlog/archive/tasks/task-1 - Moor.md',
    'backlog/docs/guides/doc-1 - The-piles.md',
    'backlog.config.yml',
    'tasks/task-1 - Moor.md',
  ]
  for (const path of paths) expect(backlog.inFolder!.test(path)).toBe(true)
  for (const path of ['src/backlog/config.ts', 'backlog/README.md', 'src/docs/guide.md'])
    expect(backlog.inFolder!.test(path)).toBe(false)
})
