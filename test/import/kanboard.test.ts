import { describe, expect, test } from 'bun:test'
import { type SourceFile, textFile } from '../../src/import/source.ts'
import { kanboard } from '../../src/import/sources/kanboard/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const STARTED = '2026-03-01T09:00:00.000Z'
const [file] = await fixtureFiles('kanboard/kanboard-project.json')
const document = JSON.parse(new TextDecoder().decode(await file!.bytes()))
const hull = { ...textFile('attachments/3', 'PNG') }
const harbour = await readSource(kanboard, [file!, hull])
const english = await readSource(kanboard, await fixtureFiles('kanboard/english.csv'))
const german = await readSource(kanboard, await fixtureFiles('kanboard/german.csv'))
const taskOf = (id: string) => recordsOf(harbour, 'task').find((task) => task.id === id)

describe('Kanboard project', () => {
  test('each field of the API and of the CSV export is declared', () => {
    expectAllFields(kanboard, harbour, english, german)
  })

  test('a project becomes a board with its columns, categories and tags', () => {
    expect(recordsOf(harbour, 'origin')).toEqual([
      { id: 'https://kanboard.example/board/1', title: 'Harbour' },
    ])
    expect(recordsOf(harbour, 'board')).toEqual([
      {
        id: '1',
        title: 'Harbour',
        key: 'HARB',
        description: `All *boats*

## Columns

**Ready**: Work that can start

## Swimlanes

**Dry dock**: Boats out of the water`,
        columns: [
          { title: 'Backlog' },
          { title: 'Ready', wip_limit: 4 },
          { title: 'Done', done: true },
        ],
        labels: [{ name: 'Boats', color: '#a8cfff' }, { name: 'urgent' }],
        fields: [
          { name: 'Reference', type: 'text' },
          { name: 'External source', type: 'text' },
          { name: 'Swimlane', type: 'select', options: ['Default swimlane', 'Dry dock'] },
          { name: 'Color', type: 'text' },
          { name: 'Complexity', type: 'number' },
          { name: 'Estimated hours', type: 'number' },
          { name: 'Spent hours', type: 'number' },
          { name: 'berth', type: 'text' },
          { name: 'Column', type: 'text' },
        ],
      },
    ])
    expect(recordsOf(harbour, 'person')).toEqual([
      { id: '1', name: 'Ana', email: 'ana@example.com' },
      { id: '2', name: 'ben' },
    ])
  })

  test('a task keeps everything it holds', () => {
    expect(taskOf('12')).toEqual({
      id: '12',
      board: '1',
      column: 'Ready',
      title: 'Paint the hull',
      key: 'HARB-12',
      content_type: 'markdown',
      description: `After [#13](task:13) and not #99

## Links

- duplicates [Repaint](task:15)
- relates to Crane (Quay)
- [Chart](<https://example.com/chart>)
- [https://example.com/t/1](<https://example.com/t/1>)`,
      priority: 2,
      start_date: STARTED,
      due_date: '2026-03-10T13:50:00.000Z',
      created_at: STARTED,
      updated_at: '2026-03-02T09:00:00.000Z',
      recurrence: 'FREQ=MONTHLY;INTERVAL=2;FROM=COMPLETION',
      labels: ['Boats', 'urgent'],
      assignees: ['1'],
      created_by: '2',
      parent: '14',
      fields: [
        { name: 'Reference', value: 'HULL-7' },
        { name: 'External source', value: 'Tickets' },
        { name: 'Swimlane', value: 'Dry dock' },
        { name: 'Color', value: 'Deep orange' },
        { name: 'Complexity', value: 5 },
        { name: 'Estimated hours', value: 4 },
        { name: 'Spent hours', value: 1.5 },
        { name: 'berth', value: '4' },
      ],
    })
  })

  test('subtasks become tasks below theirs, in a done column once they are done', () => {
    expect(taskOf('subtask-5')).toEqual({
      id: 'subtask-5',
      board: '1',
      column: 'Done',
      title: 'Sand it',
      parent: '12',
      due_date: '2026-03-10T13:50:00.000Z',
      assignees: ['1'],
      fields: [
        { name: 'Column', value: 'Ready' },
        { name: 'Estimated hours', value: 1 },
        { name: 'Spent hours', value: 0.5 },
      ],
    })
    expect(taskOf('subtask-6')).toMatchObject({ column: 'Ready', parent: '12' })
  })

  test('a closed task is in a column for what is done', () => {
    expect(taskOf('13')).toMatchObject({
      column: 'Done',
      completed_at: '2026-03-03T09:00:00.000Z',
      fields: [
        { name: 'Column', value: 'Ready' },
        { name: 'Swimlane', value: 'Default swimlane' },
      ],
    })
  })

  test('comments, files and links belong to their tasks', async () => {
    const comment = {
      task: '12',
      content_type: 'markdown' as const,
      created_at: STARTED,
    }
    expect(recordsOf(harbour, 'comment')).toEqual([
      {
        ...comment,
        id: '7',
        text: 'See [#13](task:13)',
        author: '1',
        edited_at: '2026-03-01T10:00:00.000Z',
      },
      { ...comment, id: '9', text: 'No author' },
    ])
    const [attachment] = recordsOf(harbour, 'attachment')
    expect(attachment).toMatchObject({
      id: '3',
      task: '12',
      filename: 'hull.png',
      content_type: 'image/png',
      created_by: '1',
      created_at: STARTED,
    })
    expect(new TextDecoder().decode(await attachment!.bytes!())).toBe('PNG')
    expect(recordsOf(harbour, 'relation')).toEqual([
      { kind: 'blocks', first: '12', second: '13' },
      { kind: 'related', first: '12', second: '15' },
    ])
  })

  test('what cannot be imported is reported', () => {
    expect(harbour.losses).toEqual([
      '2 tasks: it has no id, or the id of another task',
      'Repeat of "Refit": it repeats after no time, or backwards',
      'Attachment "gone.txt": its file was not downloaded',
      '1 comment: only managers or administrators may read it',
    ])
    expect([...harbour.fields.lost.keys()]).toEqual([
      'swimlanes[].task_limit',
      'tasks[].subtasks[].timer_start_date',
    ])
  })
})

describe('Kanboard CSV export', () => {
  test('a row becomes a task, and 03/13/2026 shows that the month comes first', () => {
    expect(recordsOf(english, 'task')).toEqual([
      {
        id: '13',
        board: 'Harbour',
        column: 'Done',
        title: '=Buy paint',
        created_at: STARTED,
        updated_at: '2026-03-02T09:00:00.000Z',
        completed_at: '2026-03-13T17:05:00.000Z',
        fields: [
          { name: 'Column', value: 'Ready' },
          { name: 'Swimlane', value: 'Default swimlane' },
        ],
      },
      {
        id: '12',
        board: 'Harbour',
        column: 'Ready',
        title: 'Paint the hull',
        priority: 3,
        start_date: '2026-03-01',
        due_date: '2026-03-10T15:30:00.000Z',
        labels: ['Boats', 'urgent'],
        assignees: ['ana'],
        created_by: 'ben',
        created_at: STARTED,
        updated_at: '2026-03-02T09:00:00.000Z',
        fields: [
          { name: 'Reference', value: 'HULL-7' },
          { name: 'Swimlane', value: 'Dry dock' },
          { name: 'Color', value: 'Deep orange' },
          { name: 'Complexity', value: 5 },
          { name: 'Estimated hours', value: 4 },
          { name: 'Spent hours', value: 1.5 },
        ],
      },
    ])
    expect(english.losses).toEqual([expect.stringContaining('a CSV export does not have them')])
  })

  test('columns in another language are known by their order, and dots put the day first', () => {
    expect(recordsOf(german, 'task')).toEqual([
      {
        id: '12',
        board: 'Hafen',
        column: 'Fertig',
        title: 'Streichen',
        due_date: '2026-03-10T15:30:00.000Z',
        created_at: STARTED,
        completed_at: '2026-03-02T09:00:00.000Z',
        fields: [{ name: 'Color', value: 'Gelb' }],
      },
    ])
  })

  test('dates that may be either way are read with the month first, and reported', async () => {
    const text = 'Task Id,Title,Swimlane,Due date\n1,Sail,,03/04/2026\n'
    const reading = await readSource(kanboard, [textFile('tasks.csv', text)])
    expect(recordsOf(reading, 'task')[0]).toMatchObject({ due_date: '2026-03-04' })
    expect(reading.losses[0]).toStartWith('Order of dates such as 03/04/2026')
  })

  test('an export is detected, and other CSV is not', async () => {
    expect(await kanboard.detects([file!])).toBe(true)
    expect(await kanboard.detects(await fixtureFiles('kanboard/english.csv'))).toBe(true)
    expect(await kanboard.detects(await fixtureFiles('kanboard/german.csv'))).toBe(true)
    const [issues] = await fixtureFiles('vibe-kanban/export/issues.csv')
    expect(await kanboard.detects([issues!])).toBe(false)
    expect(await kanboard.detects(await fixtureFiles('trello/harbour.json'))).toBe(false)
  })

  test('a broken or foreign file is refused with its location and a remedy', async () => {
    const read = (text: string) => readSource(kanboard, [textFile('tasks.csv', text)])
    expect(read('Task Id,Title\n1,"Sail\n')).rejects.toThrow(
      /^tasks.csv, line \d.*not valid CSV.*Export it again/,
    )
    expect(read('Name,Date\nSail,today\n')).rejects.toThrow(
      'tasks.csv, line 1: These are not the columns of a task export. Set your language',
    )
  })
})

describe('Kanboard API', () => {
  const options = (
    fetch: unknown,
    token?: string,
    url = 'https://kanboard.example/kb/board/1',
  ) => ({
    url,
    token,
    fetch: fetch as typeof globalThis.fetch,
    onProgress() {},
    signal: new AbortController().signal,
  })

  function answer(method: string, params: Record<string, number>): unknown {
    const parts: Record<string, string> = {
      getAllSubtasks: 'subtasks',
      getAllComments: 'comments',
      getAllTaskLinks: 'links',
      getAllExternalTaskLinks: 'externalLinks',
      getAllTaskFiles: 'files',
      getTaskTags: 'tags',
      getTaskMetadata: 'metadata',
    }
    const { tasks } = document
    const part = parts[method]
    if (part) return tasks.find(({ id }: { id: string }) => Number(id) === params.task_id)?.[part]
    if (method === 'getAllTasks')
      return tasks.filter(
        (task: { is_active?: unknown }) => Number(task.is_active ?? 1) === params.status_id,
      )
    if (method === 'downloadTaskFile') return btoa('PNG')
    const names: Record<string, string> = {
      getProjectById: 'project',
      getColumns: 'columns',
      getAllSwimlanes: 'swimlanes',
      getAllCategories: 'categories',
      getAllUsers: 'users',
    }
    return document[names[method] ?? '']
  }

  test('it reads the addresses of boards in both forms', () => {
    const matches = (url: string) => kanboard.api!.matches(new URL(url))
    expect(matches('https://kanboard.example/board/1')).toBe(true)
    expect(matches('https://kanboard.example/?controller=BoardViewController&project_id=1')).toBe(
      true,
    )
    expect(matches('https://kanboard.example/dashboard')).toBe(false)
  })

  test('it downloads tasks with their parts in batches, and files', async () => {
    let requests = 0
    const fetch = async (url: string, init: { body: string; headers: Record<string, string> }) => {
      requests++
      expect(url).toBe('https://kanboard.example/kb/jsonrpc.php')
      expect(init.headers.authorization).toBe(`Basic ${btoa('jsonrpc:KEY')}`)
      const calls = JSON.parse(init.body) as {
        id: number
        method: string
        params: Record<string, number>
      }[]
      return Response.json(
        calls.map(({ id, method, params }) => ({ id, result: answer(method, params) ?? null })),
      )
    }
    const files: SourceFile[] = []
    for await (const item of kanboard.api!.download(options(fetch, 'KEY'))) files.push(item)
    expect(requests).toBe(3)
    const reading = await readSource(kanboard, files)
    expect(recordsOf(reading, 'task')).toEqual(recordsOf(harbour, 'task'))
    expect(recordsOf(reading, 'comment')).toEqual(recordsOf(harbour, 'comment'))
    const [attachment] = recordsOf(reading, 'attachment')
    expect(new TextDecoder().decode(await attachment!.bytes!())).toBe('PNG')
  })

  test('a missing token, a refused one and a missing project are explained', async () => {
    const download = (fetch: unknown, token?: string) =>
      Array.fromAsync(kanboard.api!.download(options(fetch, token)))
    expect(download(undefined)).rejects.toThrow('KANBOARD_TOKEN=USER:TOKEN')
    expect(download(async () => new Response('', { status: 401 }), 'KEY')).rejects.toThrow(
      'Kanboard refuses the token',
    )
    expect(download(async () => Response.json([]), 'ana:KEY')).rejects.toThrow(
      'Kanboard has no project 1 that the token can read',
    )
  })
})
