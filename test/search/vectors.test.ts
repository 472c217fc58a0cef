import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Backoff } from '../../src/search/vectors/backoff.ts'
import {
  cosine,
  directionOf,
  hammingDistance,
  quantize,
  signsOf,
} from '../../src/search/vectors/quantize.ts'
import { SignIndex } from '../../src/search/vectors/sign-index.ts'
import { VectorStore } from '../../src/search/vectors/vector-store.ts'
import { openPassageFile } from './passage-file.ts'

const pair = fc
  .integer({ min: 1, max: 100 })
  .chain((size) =>
    fc.tuple(
      fc.float32Array({ minLength: size, maxLength: size, min: -1, max: 1, noNaN: true }),
      fc.float32Array({ minLength: size, maxLength: size, min: -1, max: 1, noNaN: true }),
    ),
  )

const length = (vector: Float32Array) => Math.hypot(...vector)
const exact = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, one, at) => sum + one * b[at]!, 0) / (length(a) * length(b) || 1)

test('quantizing two vectors changes their cosine by less than 0.02', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const quantized = cosine(directionOf(quantize(a)), directionOf(quantize(b)))
      expect(Math.abs(quantized - exact(a, b))).toBeLessThan(0.02)
    }),
  )
})

test('a zero vector and a vector of another length have a cosine of 0', () => {
  const some = directionOf(quantize(new Float32Array([1, 0])))
  expect(cosine(some, directionOf(quantize(new Float32Array(2))))).toBe(0)
  expect(cosine(some, directionOf(quantize(new Float32Array([1, 0, 0]))))).toBe(0)
})

test('the Hamming distance of signs counts numbers on different sides of the mean', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const above = (vector: Float32Array) => {
        const mean = vector.reduce((sum, one) => sum + one, 0) / vector.length
        return [...vector].map((one) => one > mean)
      }
      const [left, right] = [above(a), above(b)]
      const differing = left.filter((one, at) => one !== right[at]).length
      const before = new Uint32Array([7, ...signsOf(b)])
      expect(hammingDistance(signsOf(a), before, 1)).toBe(differing)
    }),
  )
})

test('the nearest of 3,000 passages are found, best first, and filtered by board', () => {
  const { db, add, close } = openPassageFile()
  const size = 256
  let seed = 1
  const random = () => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647 - 0.5
  }
  const vector = () => Float32Array.from({ length: size }, random)
  const query = vector()
  const store = new VectorStore(db, 'tiny')
  store.accepts(size)
  const near: number[] = []
  for (let at = 0; at < 3000; at++) {
    const [passage] = add((at % 3) + 1, 'x', `${at}`)
    const isNear = at % 150 === 0
    if (isNear) near.push(passage!)
    const noise = isNear ? 0.3 + near.length / 20 : 0
    const one = isNear ? query.map((number) => number + random() * noise) : vector()
    store.save([{ passage: passage!, vector: one }])
  }
  const boards = new SignIndex(db, 1e6)
  const found = boards.nearest(query, [1, 2, 3], 20, () => true)
  expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(near)
  for (const [at, { score }] of found.slice(1).entries())
    expect(score).toBeLessThanOrEqual(found[at]!.score)
  const on2 = boards.nearest(query, [2], 1000, () => true).map(({ id }) => id)
  expect(on2.every((id) => id % 3 === 2)).toBe(true)
  close()
})

test('a deleted passage loses its vector, and one added meanwhile still lacks its own', () => {
  const { db, add, remove, close } = openPassageFile()
  const store = new VectorStore(db, 'tiny')
  store.accepts(2)
  const [first] = add(1, 'x', 'one')
  const [batch] = store.next(10)
  const [second] = add(1, 'x', 'two')
  remove(first!)
  store.save([{ passage: batch!.passage, vector: new Float32Array([1, 2]) }])
  const count = (table: string) => db.query(`SELECT count(*) AS n FROM ${table}`).get()
  expect([count('vectors'), count('vector_signs'), count('vectors_lacking')]).toEqual([
    { n: 0 },
    { n: 0 },
    { n: 1 },
  ])
  store.save([{ passage: second!, vector: new Float32Array([1, 2]) }])
  remove(second!)
  expect([count('vectors'), count('vector_signs'), count('vectors_lacking')]).toEqual([
    { n: 0 },
    { n: 0 },
    { n: 0 },
  ])
  close()
})

test('the backoff doubles to a limit, adds Retry-After and is an hour for a refused key', () => {
  let now = 0
  const pauses = { first: 1000, max: 8000, refused: 3600_000 }
  const gate = new Backoff(
    pauses,
    () => now,
    () => 1,
  )
  const rests = Array.from({ length: 6 }, () => {
    gate.recordFailure({ kind: 'failing', retryAfter: undefined })
    return gate.remaining
  })
  expect(rests).toEqual([1000, 2000, 4000, 8000, 8000, 8000])
  now += 5000
  expect(gate.remaining).toBe(3000)
  gate.recordFailure({ kind: 'busy', retryAfter: 20_000 })
  expect(gate.remaining).toBeCloseTo(22_000)
  gate.recordFailure({ kind: 'busy', retryAfter: 1e9 })
  expect(gate.remaining).toBeLessThan(4000_000)
  expect(gate.recordSuccess()).toBe(true)
  expect(gate.remaining).toBe(0)
  expect(gate.recordSuccess()).toBe(false)
  gate.recordFailure({ kind: 'refused', retryAfter: undefined })
  expect(gate.remaining).toBe(3600_000)
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (chance) => {
      const other = new Backoff(
        pauses,
        () => 0,
        () => chance,
      )
      other.recordFailure({ kind: 'invalid_response', retryAfter: undefined })
      expect(other.remaining).toBeGreaterThanOrEqual(500)
      expect(other.remaining).toBeLessThanOrEqual(1000)
    }),
  )
})
