import { expect, test } from 'bun:test'
import { decodeModel, dotProduct, type LatentModel } from '../../src/search/latent/latent-model.ts'
import { truncatedSvd } from '../../src/search/latent/svd.ts'
import { resultOf, trainModel } from '../../src/search/latent/train.ts'
import { rank } from '../../src/search/ranking/rank.ts'
import { buildSegment, type IndexedPassage } from '../../src/search/segments/segment.ts'
import { hashOf } from '../../src/search/words/terms.ts'
import { WordList } from '../../src/search/words/vocabulary.ts'
import { passage, randomPassages, randomSource } from './random-passages.ts'

/** A random sparse matrix of that size, also as rows of numbers. */
function randomMatrix(seed: number, rows: number, columns: number) {
  const { below, next } = randomSource(seed)
  const dense = Array.from({ length: rows }, () => new Float64Array(columns))
  const starts = new Uint32Array(rows + 1)
  const entries: [number, number][] = []
  for (const [row, values] of dense.entries()) {
    for (let count = 0; count < 6; count++) values[below(columns)] = next()
    for (const [column, value] of values.entries()) if (value) entries.push([column, value])
    starts[row + 1] = entries.length
  }
  const indexes = Uint32Array.from(entries, ([column]) => column)
  const values = Float32Array.from(entries, ([, value]) => value)
  return { dense, sparse: { rows, columns, starts, indexes, values } }
}

for (const [rows, columns, dimensions] of [
  [120, 80, 8],
  [40, 300, 30],
  [9, 200, 20],
] as const)
  test(`the vectors of a matrix of ${rows} × ${columns} are orthonormal and have its singular values`, () => {
    const { dense, sparse } = randomMatrix(rows, rows, columns)
    const found = resultOf(truncatedSvd(sparse, dimensions))
    const { vectors, values, width } = found
    expect(found.dimensions).toBe(Math.min(rows, dimensions))
    const column = (at: number) =>
      Float64Array.from({ length: columns }, (_, row) => vectors[row * width + at]!)
    const dot = (a: Float64Array, b: Float64Array) =>
      a.reduce((sum, value, at) => sum + value * b[at]!, 0)
    for (let at = 0; at < 5; at++) {
      for (let other = 0; other <= at; other++)
        expect(dot(column(at), column(other))).toBeCloseTo(at === other ? 1 : 0, 3)
      const length = Math.hypot(...dense.map((row) => dot(row, column(at))))
      expect(length / values[at]!).toBeCloseTo(1, 1)
    }
  })

const SUBJECTS = 100

/**
 * Passages with five of the six words of a subject and one of its two names. The names of a subject
 * never occur together.
 */
const passagesOnSubjects = (): IndexedPassage[] =>
  Array.from({ length: SUBJECTS * 4 }, (_, at) => {
    const subject = at % SUBJECTS
    const copy = Math.floor(at / SUBJECTS)
    const words = Array.from({ length: 6 }, (_, word) => `word${word}of${subject}`)
    words.splice(copy, 1)
    return passage(at + 1, [...words, `name${copy % 2}of${subject}`].join(' '))
  })

const trained = (passages: readonly IndexedPassage[]) => resultOf(trainModel(passages))!.model

test('words of one subject have similar directions, also if they never occur together', () => {
  const model = trained(passagesOnSubjects())
  const direction = (word: string) => model.directionOf([[hashOf(word), 1]])!
  const name = direction('name0of7')
  expect(dotProduct(name, direction('name1of7'))).toBeGreaterThan(0.5)
  expect(dotProduct(name, direction('name1of8'))).toBeLessThan(0.2)
})

test('among passages that match alike, one about the subject of the question comes first', () => {
  const passages = [
    ...passagesOnSubjects(),
    passage(900, 'some notes, word1of7 and word2of7'),
    passage(901, 'some notes, word1of8 and word2of8'),
  ]
  const segment = buildSegment(passages)
  const isDeleted = (id: number) => id < 900
  const found = (text: string, model?: LatentModel) => {
    const segments = [{ segment, isDeleted, model }]
    return rank({ text, limit: 9 }, { segments, vocabulary: WordList.of([]) }).map(({ id }) => id)
  }
  const model = trained(passages)
  expect(found('notes on name0of7', model)).toEqual([900, 901])
  expect(found('notes on name0of8', model)).toEqual([901, 900])
})

test('equal passages have equal models, byte by byte', () => {
  const bytes = () => trained(randomPassages(5, 300)).encode()
  expect(bytes()).toEqual(bytes())
})

test('a decoded model gives the same directions, and a damaged one is refused', () => {
  const passages = passagesOnSubjects()
  const model = trained(passages)
  const segment = buildSegment(passages)
  const decoded = decodeModel(model.encode())!
  expect(decoded.passageDirection(segment, 7)).toEqual(model.passageDirection(segment, 7))
  for (const at of [0, 5, 9, 13, 17, 40, model.bytes - 3]) {
    const damaged = model.encode().slice()
    damaged[at]! ^= 1
    expect(decodeModel(damaged)).toBeUndefined()
  }
  expect(decodeModel(model.encode().slice(0, 12))).toBeUndefined()
})

test('passages without a common word have no model, and unknown words no direction', () => {
  expect(resultOf(trainModel([]))).toBeUndefined()
  expect(resultOf(trainModel([passage(1, 'one'), passage(2, 'two')]))).toBeUndefined()
  const model = trained(passagesOnSubjects())
  expect(model.directionOf([[hashOf('elsewhere'), 1]])).toBeUndefined()
  const segment = buildSegment([passage(1, 'elsewhere')])
  expect(model.passageDirection(segment, 0)).toBeUndefined()
})

test('a training yields often, so that questions are answered in between', () => {
  const passages = randomPassages(6, 3000)
  let longest = 0
  let startedAt = performance.now()
  const steps = trainModel(passages)
  while (!steps.next().done) {
    longest = Math.max(longest, performance.now() - startedAt)
    startedAt = performance.now()
  }
  expect(longest).toBeLessThan(1000)
})

test('boards without a model are ranked together with boards that have one', () => {
  const passages = passagesOnSubjects()
  const others = [passage(1001, 'about name0of7'), passage(1002, 'about nothing')]
  const isDeleted = () => false
  const segments = [
    { segment: buildSegment(passages), isDeleted, model: trained(passages) },
    { segment: buildSegment(others), isDeleted },
  ]
  const hits = rank({ text: 'name0of7', limit: 200 }, { segments, vocabulary: WordList.of([]) })
  expect(hits.map(({ id }) => id)).toContain(1001)
  for (const { score } of hits) expect(score).toBeGreaterThan(0)
})
