import { expect, test } from 'bun:test'
import {
  buildSegment,
  decodeSegment,
  type IndexedPassage,
  passagesOf,
} from '../../src/search/segments/segment.ts'
import { hashOf } from '../../src/search/words/terms.ts'
import { randomPassages, randomSource } from './random-passages.ts'

const plain = (leaves: readonly IndexedPassage[]) =>
  leaves.map(({ title, headings, body, ...fields }) => ({
    ...fields,
    ...{ title: [...title], headings: [...headings], body: [...body] },
  }))

for (const seed of [1, 2, 3, 4, 5])
  test(`a segment returns its passages unchanged, in memory and after decoding (${seed})`, () => {
    const leaves = randomPassages(seed, seed * 60)
    const segment = buildSegment(leaves)
    expect(plain(passagesOf(segment))).toEqual(plain(leaves))
    const again = decodeSegment(segment.encode())
    expect(plain(passagesOf(again))).toEqual(plain(leaves))
    expect(again.encode()).toEqual(segment.encode())
    expect(again.size).toBe(leaves.length)
  })

for (const seed of [6, 7, 8])
  test(`a segment returns the passages that contain a term, with its counts (${seed})`, () => {
    const leaves = randomPassages(seed, 200)
    const segment = buildSegment(leaves)
    for (const term of new Set(leaves.flatMap(({ title, body }) => [...title, ...body]))) {
      const matching = leaves.flatMap((leaf, at) => {
        const count = (words: Uint32Array) => words.filter((word) => word === term).length
        const [a, b, c] = [count(leaf.title), count(leaf.headings), count(leaf.body)]
        return a || b || c ? [[at, Math.min(3, a), Math.min(3, b), Math.min(15, c)]] : []
      })
      const number = segment.find(term)
      const visited: number[][] = []
      segment.eachPassage(number, (...one) => void visited.push(one))
      expect(visited).toEqual(matching)
      expect(segment.documentFrequency(number)).toBe(matching.length)
    }
    expect(segment.find(hashOf('nowhere'))).toBe(-1)
  })

test('an empty segment can be encoded, decoded and searched', () => {
  const segment = decodeSegment(buildSegment([]).encode())
  expect(segment.size).toBe(0)
  expect(passagesOf(segment)).toEqual([])
  expect(segment.find(1)).toBe(-1)
})

test('a segment with damaged or missing bytes is refused', () => {
  const bytes = buildSegment(randomPassages(9, 50)).encode()
  const { below } = randomSource(9)
  for (let at = 0; at < 300; at++) {
    const damaged = bytes.slice()
    damaged[at < 40 ? at : below(bytes.length)]! ^= 1 << below(8)
    expect(() => decodeSegment(damaged)).toThrow('damaged')
  }
  for (const length of [0, 3, 12, 31, 32, bytes.length - 4, bytes.length - 1])
    expect(() => decodeSegment(bytes.slice(0, length))).toThrow('damaged')
  expect(() => decodeSegment(new TextEncoder().encode('not a segment'))).toThrow('damaged')
})

test('a segment of 100,000 passages needs less than 120 MB, extrapolated from 500', () => {
  const segment = buildSegment(randomPassages(10, 500, 100))
  expect(segment.bytes * 200).toBeLessThan(120e6)
})
