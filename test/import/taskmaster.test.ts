import { expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { taskMaster } from '../../src/import/sources/taskmaster/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const read = async (fixture: string) =>
  readSource(taskMaster, await fixtureFiles(`taskmaster/${fixture}`))
const taskOf = async (fixture: string, id: string) =>
  recordsOf(await read(fixture), 'task').find((task) => task.id === id)

test('every field of Task Master is declared and read', async () => {
  expectAllFields(taskMaster, await read('tagged'), await read('old'))
})

test('each tag becomes a board, named after the project', async () => {
  const reading = await read('tagged')
  expect(recordsOf(reading, 'origin')).toEqual([{ id: 'taskmaster:Harbour', title: 'Harbour' }])
  expect(recordsOf(reading, 'person')).toEqual([{ id: 'ana', name: 'ana' }])
  expect(recordsOf(reading, 'board').map(({ id, title }) => [id, title])).toEqual([
    ['master', 'Harbour: master'],
    ['boats', 'Harbour: boats'],
    ['empty', 'Harbour: empty'],
  ])
})

test('a board has the statuses in use as columns, and a field for each other value', async () => {
  const [master, boats] = recordsOf(await read('tagged'), 'board')
  expect(master).toEqual({
    id: 'master',
    title: 'Harbour: master',
    description: 'The work at the harbour\n\n## About\n\n- Source file: docs/harbour.txt',
    columns: [
      { title: 'Pending', done: false },
      { title: 'In progress', done: false },
      { title: 'Blocked', done: false },
      { title: 'Deferred', done: false },
      { title: 'Waiting for cleo', done: false },
      { title: 'Done', done: true },
      { title: 'Cancelled', done: false },
    ],
    labels: [{ name: 'pier' }, { name: 'survey' }],
    fields: [
      { name: 'Task ID', type: 'text' },
      { name: 'Complexity', type: 'number' },
      { name: 'Recommended subtasks', type: 'number' },
      { name: 'Previous status', type: 'text' },
      { name: 'Effort', type: 'number' },
      { name: 'Actual effort', type: 'number' },
      { name: 'Category', type: 'text' },
      { name: 'Ticket', type: 'text' },
      { name: 'Supplier', type: 'text' },
      { name: 'Is urgent', type: 'checkbox' },
      { name: 'Offer', type: 'url' },
      { name: 'Value', type: 'text' },
    ],
  })
  expect(boats!.description).toBe('The boats\n\n## About\n\n- Season: 2026')
})

test('a task keeps everything that Task Master knows about it', async () => {
  expect(await taskOf('tagged', 'master:1')).toEqual({
    id: 'master:1',
    board: 'master',
    column: 'Done',
    title: 'Survey the pier',
    content_type: 'markdown',
    priority: 'high',
    labels: ['pier', 'survey'],
    assignees: ['ana'],
    created_at: '2026-03-01T08:00:00.000Z',
    updated_at: '2026-03-02T10:00:00.000Z',
    completed_at: '2026-03-03T00:00:00.000Z',
    due_date: '2026-03-31',
    fields: [
      { name: 'Task ID', value: '1' },
      { name: 'Complexity', value: 4 },
      { name: 'Recommended subtasks', value: 2 },
      { name: 'Previous status', value: 'in-progress' },
      { name: 'Effort', value: 3 },
      { name: 'Actual effort', value: 5 },
      { name: 'Category', value: 'research' },
      { name: 'Ticket', value: 'H-7' },
    ],
    description: [
      'Look at every pile.',
      '## Details\n\nStart at the **north** end.',
      '## Test strategy\n\nAna reads the report.',
      '## Complexity reasoning\n\nMany piles.',
      '## Expansion prompt\n\nSplit it by pile.',
      '## Acceptance criteria\n\n- Every pile has a photo\n- The report is signed',
      '## Relevant files\n\n- Path: piles.csv\n  - Description: The piles\n  - Action: modify',
      '## Codebase patterns\n\n- One row for each pile',
      '## Existing infrastructure\n\n- Name: Camera\n  - Location: shed\n  - Usage: Photos',
      '## Scope boundaries\n\n- Included: The pier\n- Excluded: The crane',
      '## Implementation approach\n\nFrom north to south.',
      '## Technical constraints\n\n- Only at low tide',
      '## Skills\n\n- Diving',
      '## Visits\n\n- Monday\n- Friday',
    ].join('\n\n'),
  })
})

test('the complexity report adds what a task does not say itself', async () => {
  const task = await taskOf('tagged', 'master:2')
  expect(task!.fields).toContainEqual({ name: 'Complexity', value: 7 })
  expect(task!.fields).toContainEqual({ name: 'Recommended subtasks', value: 3 })
  expect(task!.description).toBe(
    'Oak, 12 beams\n\n## History\n\nFirst line\nSecond line\n\n' +
      '## Expansion prompt\n\nSplit it by beam.\n\n## Complexity reasoning\n\nOak is rare.',
  )
  expect((await taskOf('tagged', 'boats:1'))!.fields).toContainEqual({
    name: 'Complexity',
    value: 3,
  })
})

test('subtasks have unique ids, and at most five levels', async () => {
  const reading = await read('tagged')
  const parents = recordsOf(reading, 'task').map(({ id, parent }) => [id, parent])
  expect(parents).toEqual([
    ['master:1', undefined],
    ['master:2', undefined],
    ['master:3', undefined],
    ['master:4', undefined],
    ['master:DOCK-5', undefined],
    ['master:6', undefined],
    ['master:1.1', 'master:1'],
    ['master:1.2', 'master:1'],
    ['master:1.2~2', 'master:1'],
    ['master:1.2.lens', 'master:1.2'],
    ['master:1.2.lens.1', 'master:1.2.lens'],
    ['master:1.2.lens.1.1', 'master:1.2.lens.1'],
    ['master:1.2.lens.1.1.1', 'master:1.2.lens.1'],
    ['boats:1', undefined],
  ])
  expect(reading.losses).toContain('Level of Open it: Subtasks have at most 5 levels')
})

test('dependencies name siblings first, then other tasks, and missing ones are reported', async () => {
  const reading = await read('tagged')
  expect(recordsOf(reading, 'relation').map(({ first, second }) => [first, second])).toEqual([
    ['master:1', 'master:2'],
    ['master:1.2', 'master:2'],
    ['master:1.1', 'master:1.2'],
    ['master:1.2', 'master:1.2~2'],
  ])
  expect(reading.losses).toEqual(
    expect.arrayContaining([
      'Task 7 of master: It has no content',
      'Dependency of task 2 on 99: That task does not exist',
      'Dependency of task 1.2 on 1.9: That task does not exist',
    ]),
  )
})

test('a cancelled task is archived, and a task without a title is named after its text', async () => {
  expect(await taskOf('tagged', 'master:3')).toMatchObject({
    title: 'Paint the crane',
    column: 'Cancelled',
    archived: true,
  })
  expect(await taskOf('tagged', 'master:DOCK-5')).toMatchObject({ key: 'DOCK-5', column: 'Done' })
})

test('a file of a version without tags gives the same ids as the tag master', async () => {
  const reading = await read('old')
  expect(recordsOf(reading, 'origin')).toEqual([{ id: 'taskmaster:Ferry', title: 'Ferry' }])
  expect(recordsOf(reading, 'board')[0]).toMatchObject({ id: 'master', title: 'Ferry' })
  expect(recordsOf(reading, 'task').map(({ id }) => id)).toEqual(['master:1'])
})

test('a tag may be a plain list, and a project without a name is called Task Master', async () => {
  const reading = await read('unnamed')
  expect(recordsOf(reading, 'origin')).toEqual([{ id: 'taskmaster:', title: 'Task Master' }])
  expect(recordsOf(reading, 'task')).toHaveLength(1)
})

test('projects without a name differ by the time of their creation', async () => {
  const metadata = { created: '2026-03-01T08:00:00.000Z', updated: '2026-03-05T08:00:00.000Z' }
  const text = JSON.stringify({ master: { tasks: [], metadata } })
  const reading = await readSource(taskMaster, [
    textFile('.taskmaster/config.json', '{"global":{"projectName":"Taskmaster"}}'),
    textFile('.taskmaster/tasks/tasks.json', text),
  ])
  expect(recordsOf(reading, 'origin')).toEqual([
    { id: 'taskmaster:2026-03-01T08:00:00.000Z', title: 'Task Master' },
  ])
})

test('the file from before a move to .taskmaster is left out', async () => {
  const files = [
    ...(await fixtureFiles('taskmaster/tagged')),
    ...(await fixtureFiles('taskmaster/old')),
  ]
  const reading = await readSource(taskMaster, files)
  expect(recordsOf(reading, 'board').map(({ id }) => id)).toEqual(['master', 'boats', 'empty'])
  expect(reading.losses).toContain('tasks/tasks.json: It is older than the tasks in .taskmaster')
})

test('projects in several folders become boards of their own', async () => {
  const text = '{"tasks":[{"id":1,"title":"Moor"}]}'
  const reading = await readSource(taskMaster, [
    textFile('ferry/.taskmaster/tasks/tasks.json', text),
    textFile('crane/.taskmaster/tasks/tasks.json', text),
    textFile('other/tasks/tasks.json', '{"dialog":{}}'),
  ])
  expect(recordsOf(reading, 'task').map(({ id }) => id)).toEqual([
    'ferry:master:1',
    'crane:master:1',
  ])
  expect(reading.losses).toEqual(['other/tasks/tasks.json: It has no tasks of Task Master'])
})

const BROKEN = textFile('.taskmaster/tasks/tasks.json', '{\n  "tasks": [{ "id": 1,, }]\n}')

test('a broken file names the line and column', async () => {
  await expect(readSource(taskMaster, [BROKEN])).rejects.toThrow(
    /^\.taskmaster\/tasks\/tasks\.json, line 2, column 23: The file is not valid JSON .*Download/,
  )
})

test('a broken complexity report is left out', async () => {
  const report = textFile('scripts/task-complexity-report.json', '{\n')
  const reading = await readSource(taskMaster, [...(await fixtureFiles('taskmaster/old')), report])
  expect(recordsOf(reading, 'task')).toHaveLength(1)
  expect(reading.losses[0]).toStartWith('scripts/task-complexity-report.json: ')
})

test('a file with a merge conflict says how to go on', async () => {
  const text = '{\n<<<<<<< HEAD\n"a": 1\n=======\n"b": 1\n>>>>>>> other\n}'
  await expect(readSource(taskMaster, [textFile('tasks.json', text)])).rejects.toThrow(
    /line 2: .*merge conflict of git.*mergetool/,
  )
})

test('a file without tasks is refused', async () => {
  await expect(readSource(taskMaster, [textFile('tasks.json', '{}')])).rejects.toThrow(
    'tasks.json: There are no tasks of Task Master. Import the folder .taskmaster',
  )
})

test('Task Master is detected by its tasks, and other files are not', async () => {
  for (const name of ['tagged', 'old', 'unnamed'])
    expect(await taskMaster.detects(await fixtureFiles(`taskmaster/${name}`))).toBe(true)
  expect(await taskMaster.detects([BROKEN])).toBe(true)
  const others = [
    textFile(
      '.vscode/tasks.json',
      '{"version":"2.0.0","tasks":[{"label":"build","type":"shell"}]}',
    ),
    textFile('tasks.json', '{"tasks":[{"id":1,"title":"Moor","status":"open","labels":[]}]}'),
    textFile('.beads/issues.jsonl', '{"id":"bd-1","title":"Moor","status":"open"}'),
  ]
  for (const file of others) expect(await taskMaster.detects([file])).toBe(false)
})

test('the files of a repository are found', async () => {
  const paths = [
    '.taskmaster/tasks/tasks.json',
    'apps/web/.taskmaster/tasks/tasks.json',
    '.taskmaster/config.json',
    '.taskmaster/state.json',
    '.taskmaster/reports/task-complexity-report_boats.json',
    'tasks/tasks.json',
    '.taskmasterconfig',
    'tasks.json',
  ]
  for (const path of paths) expect(taskMaster.inFolder!.test(path)).toBe(true)
  for (const path of ['.vscode/tasks.json', '.taskmaster/docs/prd.txt', 'src/config.json'])
    expect(taskMaster.inFolder!.test(path)).toBe(false)
})
