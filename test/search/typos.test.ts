import { expect, test } from 'bun:test'
import { typosBetween } from '../../src/search/words/typos.ts'

test('a swap of neighbours counts as one typo', () => {
  expect(typosBetween('teh', 'the')).toBe(1)
  expect(typosBetween('exprot', 'export')).toBe(1)
  expect(typosBetween('databsae', 'database')).toBe(1)
})

test('the first letter may be wrong or missing', () => {
  expect(typosBetween('atabase', 'database')).toBe(1)
  expect(typosBetween('xatabase', 'database')).toBe(1)
})

test('words of three letters allow a swap only', () => {
  expect(typosBetween('cat', 'cut')).toBeUndefined()
  expect(typosBetween('cat', 'cats')).toBeUndefined()
  expect(typosBetween('cta', 'cat')).toBe(1)
  expect(typosBetween('ab', 'ba')).toBeUndefined()
})

test('words of four letters allow one typo, words of eight allow two', () => {
  expect(typosBetween('bord', 'board')).toBe(1)
  expect(typosBetween('brd', 'board')).toBeUndefined()
  expect(typosBetween('migraton', 'migration')).toBe(1)
  expect(typosBetween('migrtion', 'migrations')).toBe(2)
  expect(typosBetween('migrat', 'migrants')).toBeUndefined()
  expect(typosBetween('same', 'same')).toBe(0)
})
