import { describe, expect, test } from 'bun:test'
import { textFile } from '../../src/import/source.ts'
import { vibeKanban } from '../../src/import/sources/vibe-kanban/index.ts'
import { expectAllFields, fixtureFiles, readSource, recordsOf } from './read-source.ts'

const files = await fixtureFiles('vibe-kanban/export')
const archive = await readSource(vibeKanban, files)
const manifest = await readSource(vibeKanban, await fixtureFiles('vibe-kanban/manifest'))
const taskOf = (id: string) => recordsOf(archive, 'task').find((task) => task.id === id)

describe('Vibe Kanban archive', () => {
  test('each field of the CSV files and of the manifest is declared', () => {
    expectAllFields(vibeKanban, archive, manifest)
  })

  test('each project becomes a board, with the statuses of its issues in order', () => {
    expect(recordsOf(archive, 'origin')).toEqual([
      { id: 'vibe-kanban:HB', title: 'Vibe Kanban HB' },
    ])
    const [harbour, pier, empty] = recordsOf(archive, 'board')
    expect(harbour).toEqual({
      id: 'Harbour',
      title: 'Harbour',
      columns: [
        { title: 'In progress' },
        { title: 'Sea trials' },
        { title: 'Done', done: true },
        { title: 'Cancelled', hidden: true },
      ],
      labels: [],
      fields: [{ name: 'Status', type: 'text' }],
    })
    const titles = pier!.columns.map(({ title }) => title)
    expect(titles).toEqual(['To do', 'In progress', 'In review', 'Done'])
    expect(empty!.id).toBe('Empty')
  })

  test('people come from the users and from the names in issues', () => {
    expect(recordsOf(archive, 'person')).toEqual([
      { id: 'ana@example.com', name: 'Ana Berg', email: 'ana@example.com' },
      { id: 'olga@example.com', name: 'Smith, Olga', email: 'olga@example.com' },
      { id: 'ben@example.com', name: 'Ben', email: 'ben@example.com' },
      { id: 'Somebody else', name: 'Somebody else' },
      { id: 'cleo', name: 'cleo' },
    ])
  })

  test('an issue becomes a task, and a name with a comma stays one assignee', () => {
    expect(taskOf('HB-1')).toEqual({
      id: 'HB-1',
      board: 'Harbour',
      column: 'In progress',
      title: 'Paint the hull',
      key: 'HB-1',
      description: 'Two coats, **blue**.\n![hull.png](attachment://7f0c)',
      content_type: 'markdown',
      priority: 'Urgent',
      start_date: '2026-03-03',
      due_date: '2026-03-10T15:30:00.000Z',
      created_at: '2026-03-01T09:00:00.123Z',
      updated_at: '2026-03-02T08:00:00.000Z',
      assignees: ['ana@example.com', 'olga@example.com'],
      created_by: 'ben@example.com',
    })
  })

  test('a completed issue is in a column for what is done, and a cancelled one is archived', () => {
    expect(taskOf('HB-2')).toMatchObject({
      column: 'Done',
      description: '-5 litres',
      completed_at: '2026-03-05T12:00:00.000Z',
      fields: [{ name: 'Status', value: 'Sea trials' }],
    })
    expect(taskOf('HB-4')).toMatchObject({ column: 'Cancelled', archived: true })
  })

  test('a subtask names its parent, and issues with the same key get ids of their own', () => {
    expect(taskOf('HB-3')).toMatchObject({ parent: 'HB-1' })
    expect(recordsOf(archive, 'task').map(({ id, key }) => [id, key])).toEqual([
      ['HB-1', 'HB-1'],
      ['HB-3', 'HB-3'],
      ['HB-2', 'HB-2'],
      ['HB-4', 'HB-4'],
      ['Pier/HB-1', undefined],
      ['Pier/HB-1#2', undefined],
    ])
  })

  test('attachments have the bytes of the archive, and missing ones are reported', async () => {
    const [first, second] = recordsOf(archive, 'attachment')
    expect(first).toMatchObject({
      id: 'HB-1/hull.png',
      task: 'HB-1',
      filename: 'hull.png',
      content_type: 'image/png',
    })
    expect(new TextDecoder().decode(await first!.bytes!())).toBe('PNG\n')
    expect(second!.id).toBe('HB-1/hull.png#2')
    expect(archive.losses).toEqual([
      'Parent of "Buy paint": HB-9 is not in the export',
      'Attachment "old.txt": its issue is not in the export',
      'Attachment "gone.txt": its file is not in the archive',
      expect.stringContaining('Links to attachments in 1 description'),
    ])
  })
})

describe('Vibe Kanban files', () => {
  test('a manifest without CSV files is read too', () => {
    expect(recordsOf(manifest, 'board')[0]).toMatchObject({ id: 'Harbour', key: 'HB' })
    expect(recordsOf(manifest, 'task')).toEqual([
      {
        id: 'HB-1',
        board: 'Harbour',
        column: 'In review',
        title: 'Paint the hull',
        key: 'HB-1',
        priority: 'high',
      },
      {
        id: 'HB-2',
        board: 'Harbour',
        column: 'To do',
        title: 'Sand',
        key: 'HB-2',
        description: 'First',
        content_type: 'markdown',
        parent: 'HB-1',
      },
    ])
  })

  test('an unpacked archive in a folder gives the same tasks', async () => {
    const nested = files.map((file) => ({ ...file, path: `vibe-kanban-export/${file.path}` }))
    const reading = await readSource(vibeKanban, nested)
    expect(recordsOf(reading, 'task')).toEqual(recordsOf(archive, 'task'))
    expect(recordsOf(reading, 'attachment')).toHaveLength(2)
  })

  test('exports of Vibe Kanban are detected, and other files are not', async () => {
    expect(await vibeKanban.detects(files)).toBe(true)
    expect(await vibeKanban.detects(await fixtureFiles('vibe-kanban/manifest'))).toBe(true)
    expect(await vibeKanban.detects(await fixtureFiles('trello/harbour.json'))).toBe(false)
    expect(await vibeKanban.detects([textFile('issues.csv', 'Issue key,Summary\n')])).toBe(false)
  })

  test('broken CSV is refused with its line and a remedy', async () => {
    const broken = textFile('issues.csv', 'Issue ID,Title\nHB-1,"Paint\n')
    expect(readSource(vibeKanban, [broken])).rejects.toThrow(
      /^issues.csv, line \d.*: The file is not valid CSV .* Export it again/,
    )
    expect(readSource(vibeKanban, [textFile('issues.csv', 'Issue ID,Name\n')])).rejects.toThrow(
      'issues.csv, line 1, field Title: There is no column Title. Export the issues again',
    )
  })

  test('the database is refused with a way to export it', async () => {
    const database = [textFile('db.sqlite', 'SQLite format 3\0 CREATE TABLE task_attempts')]
    expect(await vibeKanban.detects(database)).toBe(true)
    expect(readSource(vibeKanban, database)).rejects.toThrow('import the archive that it exports')
  })
})
