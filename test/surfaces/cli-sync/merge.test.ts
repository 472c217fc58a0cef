import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Base,
  FIELDS,
  type Field,
  mergeFields,
  nextBase,
  stampOf,
  type Values,
} from '../../../src/surfaces/cli/sync/merge.ts'
import { seed } from '../../support/scale.ts'

const word = fc.constantFrom('oak', 'red', 'pier', 'x'.repeat(300), '')
const words = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'))
const arbitraries: Record<Field, fc.Arbitrary<Values[Field]>> = {
  ...{ title: word, description: word, column: word, labels: words, assignees: words },
  ...{ priority: fc.integer({ min: 0, max: 4 }), archived: fc.boolean(), dependencies: words },
  ...{ due_date: fc.option(word, { nil: null }), parent: fc.option(word, { nil: null }) },
}
const task = fc.record(arbitraries) as fc.Arbitrary<Required<Values>>
const edits = fc.record(arbitraries, { requiredKeys: [] }) as fc.Arbitrary<Values>

const sameBase = (values: Values): Base => {
  const stamps = Object.fromEntries(FIELDS.map((field) => [field, stampOf(values[field]!)]))
  return { files: stamps, board: { ...stamps } }
}

/** A run: what each side has after it, and the base for the next one. */
function sync(base: Base, files: Values, board: Values, prefer?: 'files' | 'board') {
  const { toBoard, toFiles, conflicts } = mergeFields(base, files, board, prefer)
  const pick = (from: Values, fields: readonly Field[]) =>
    Object.fromEntries(fields.map((field) => [field, from[field]]))
  const next = {
    files: { ...files, ...pick(board, toFiles) },
    board: { ...board, ...pick(files, toBoard) },
  }
  return { ...next, conflicts, base: nextBase(base, next.files, next.board, conflicts) }
}

const stampAt = (at: number) => (values: Values) => String(JSON.stringify(stamps(values)[at]))
const stamps = (values: Values) => FIELDS.map((field) => stampOf(values[field]!))

test('without conflicts both versions are equal after a run, and the next one does nothing', () => {
  fc.assert(
    fc.property(task, edits, edits, (start, here, there) => {
      const first = sync(sameBase(start), { ...start, ...here }, { ...start, ...there })
      const open = new Set(first.conflicts)
      for (const field of FIELDS)
        if (!open.has(field))
          expect(stampOf(first.files[field]!)).toEqual(stampOf(first.board[field]!))
      const second = sync(first.base, first.files, first.board)
      expect(second.conflicts).toEqual(first.conflicts)
      expect([second.files, second.board]).toEqual([first.files, first.board])
    }),
    { seed, numRuns: 500 },
  )
})

test('a field that one side changes has its value after a run, and a conflict keeps both', () => {
  fc.assert(
    fc.property(task, edits, edits, (start, here, there) => {
      const [files, board] = [
        { ...start, ...here },
        { ...start, ...there },
      ]
      const result = sync(sameBase(start), files, board)
      for (const [at, field] of FIELDS.entries()) {
        const [was = '', a = '', b = ''] = [start, files, board].map(stampAt(at))
        const after = [result.files, result.board].map(stampAt(at))
        const isConflict = a !== was && b !== was && a !== b
        expect(result.conflicts.includes(field)).toBe(isConflict)
        expect(after).toEqual(isConflict ? [a, b] : a !== was ? [a, a] : [b, b])
      }
    }),
    { seed, numRuns: 500 },
  )
})

test('a preferred side wins every conflict', () => {
  fc.assert(
    fc.property(task, edits, edits, fc.boolean(), (start, here, there, isBoard) => {
      const prefer = isBoard ? 'board' : 'files'
      const versions = { files: { ...start, ...here }, board: { ...start, ...there } }
      const conflicts = sync(sameBase(start), versions.files, versions.board).conflicts
      const result = sync(sameBase(start), versions.files, versions.board, prefer)
      expect(result.conflicts).toEqual([])
      expect(stamps(result.files)).toEqual(stamps(result.board))
      for (const field of conflicts)
        expect(stampOf(result.files[field]!)).toEqual(stampOf(versions[prefer][field]!))
    }),
    { seed, numRuns: 300 },
  )
})

test('values that a side holds in another form do not move back and forth', () => {
  const files: Values = { priority: 2 }
  const board: Values = { priority: 1 }
  const base: Base = { files: { priority: 2 }, board: { priority: 1 } }
  expect(mergeFields(base, files, board)).toEqual({ toBoard: [], toFiles: [], conflicts: [] })
  expect(mergeFields(base, { priority: 3 }, board).toBoard).toEqual(['priority'])
  expect(mergeFields(base, files, { priority: 4 }).toFiles).toEqual(['priority'])
})
