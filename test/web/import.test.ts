import { expect, test } from 'bun:test'
import type { Mapping } from '../../src/import/mapping.ts'
import { isImportable } from '../../src/web/screens/import/files.ts'
import {
  changeBoard,
  changeColumn,
  changeField,
  changePerson,
  changePriority,
  editsOf,
  mergedColumns,
  toKey,
  withoutBlanks,
} from '../../src/web/screens/import/mapping-edits.ts'
import { connect } from '../../src/web/screens/import/threads.ts'

const MAPPING: Mapping = {
  source: 'trello',
  boards: [
    {
      ...{ id: 'b1', title: 'Harbour', key: 'HAR' },
      columns: [
        { from: 'To do', title: 'To do' },
        { from: 'Doing', title: 'Doing' },
      ],
      fields: [{ from: 'Hours', name: 'Hours', type: 'number' }],
    },
    { id: 'b2', title: 'Boats', columns: [], fields: [] },
  ],
  people: [
    { id: 'p1', name: 'Ana', user_id: 'placeholder' },
    { id: 'p2', name: 'Ben', user_id: 7 },
  ],
  priorities: [{ from: 'Top', priority: 0 }],
}
const board = MAPPING.boards[0]!

test('an edit of a mapping changes one entry and leaves the others as they are', () => {
  const skipped = changeBoard(MAPPING, 'b2', { skip: true })
  expect(skipped.boards[1]).toEqual({ ...MAPPING.boards[1]!, skip: true })
  expect(skipped.boards[0]).toBe(board)
  expect(changeColumn(board, 'Doing', { done: true })).toEqual([
    { from: 'To do', title: 'To do' },
    { from: 'Doing', title: 'Doing', done: true },
  ])
  expect(changeField(board, 'Hours', { type: 'text' })[0]!.type).toBe('text')
  expect(changePerson(MAPPING, 'p1', 3).people.map(({ user_id }) => user_id)).toEqual([3, 7])
  expect(changePriority(MAPPING, 'Top', 1).priorities).toEqual([{ from: 'Top', priority: 1 }])
})

test('the edits of a mapping are the entries that differ from the proposal', () => {
  const columns = changeColumn(board, 'Doing', { title: 'Now' })
  const edited = changePerson(changeBoard(MAPPING, 'b1', { columns }), 'p1', 3)
  expect(editsOf(edited, MAPPING)).toEqual({
    source: 'trello',
    boards: [
      { ...board, columns: [{ from: 'Doing', title: 'Now' }], fields: [] },
      MAPPING.boards[1]!,
    ],
    people: [{ id: 'p1', name: 'Ana', user_id: 3 }],
    priorities: [],
  })
})

test('columns with the same title are merged, whatever spaces surround it', () => {
  expect([...mergedColumns(board)]).toEqual([])
  const columns = changeColumn(board, 'Doing', { title: ' To do' })
  expect([...mergedColumns({ ...board, columns })]).toEqual(['To do'])
})

test('a key has only capital letters and digits, and begins with a letter', () => {
  expect(toKey('1 har-bour 2')).toBe('HARBOUR2')
  expect(toKey('abcdefghijklm')).toBe('ABCDEFGHIJ')
})

test('a name that was cleared is that of the source, and an empty key is left to the server', () => {
  const columns = changeColumn(board, 'Doing', { title: ' ' })
  const fields = changeField(board, 'Hours', { name: ' Time ' })
  const cleared = changeBoard(MAPPING, 'b1', { key: '', columns, fields })
  const [first] = withoutBlanks(cleared).boards
  expect(first).not.toHaveProperty('key')
  expect(first!.columns[1]!.title).toBe('Doing')
  expect(first!.fields[0]!.name).toBe('Time')
})

test('files of a folder that a source reads are taken, but none of packages', () => {
  expect(isImportable('export/harbour.json')).toBe(true)
  expect(isImportable('node_modules/a/package.json')).toBe(false)
  expect(isImportable('app/.git/config.json')).toBe(false)
})

test('a call of another thread returns its output, or an error with its properties', async () => {
  const { port1, port2 } = new MessageChannel()
  const functions = {
    double: async (value: number) => value * 2,
    fail(_: null): never {
      throw Object.assign(new Error('The file is broken'), { at: { line: 3 } })
    },
  }
  for (const port of [port1, port2]) port.start()
  connect(port2, functions)
  const call = connect<typeof functions>(port1, {})
  expect(await Promise.all([call('double', 2), call('double', 3)])).toEqual([4, 6])
  const error = await call('fail', null).catch((error: unknown) => error)
  expect(error).toMatchObject({ message: 'The file is broken', at: { line: 3 } })
  for (const port of [port1, port2]) port.close()
})
