import type { IndexedPassage } from '../segment.ts'
import { STOP_TERMS } from '../terms.ts'
import { type LatentModel, packModel } from './latent-model.ts'
import type { SparseMatrix } from './sparse-matrix.ts'
import { truncatedSvd } from './svd.ts'

const MAX_DIMENSIONS = 96
const MIN_DIMENSIONS = 8
/** With more dimensions, words of few passages would not be drawn together. */
const PASSAGES_PER_DIMENSION = 4
/** The most frequent terms are used. */
const MAX_TERMS = 16_384
const MIN_FREQUENCY = 2
/** Terms in a larger share of the passages say nothing about their subject. */
const MAX_SHARE = 0.5

type Terms = Pick<IndexedPassage, 'title' | 'headings' | 'body'>

/**
 * Trains the model of a board on its passages. It yields every few milliseconds of work. Undefined
 * if the passages have too few terms in common.
 */
export function* trainModel(passages: readonly Terms[]): Generator<void, LatentModel | undefined> {
  const counts: Map<number, number>[] = []
  for (const [at, passage] of passages.entries()) {
    if (at % 64 === 63) yield
    counts.push(countsOf(passage))
  }
  const { terms, rarities } = vocabularyOf(counts)
  if (terms.length < 2) return undefined
  yield
  const matrix = matrixOf(counts, terms, rarities)
  yield
  const wanted = Math.floor(passages.length / PASSAGES_PER_DIMENSION)
  const limit = Math.min(MAX_DIMENSIONS, Math.max(MIN_DIMENSIONS, wanted))
  const { dimensions, vectors } = yield* truncatedSvd(matrix, limit)
  for (let row = 0; row < terms.length; row++)
    for (let at = 0; at < dimensions; at++) vectors[row * dimensions + at]! *= rarities[row]!
  return packModel({ terms, dimensions, vectors })
}

/** Runs a training, or a part of one, to its end. */
export function resultOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function countsOf({ title, headings, body }: Terms): Map<number, number> {
  const counts = new Map<number, number>()
  for (const words of [title, headings, body])
    for (const term of words)
      if (!STOP_TERMS.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** The terms that the model knows, ascending, and the inverse document frequency of each. */
function vocabularyOf(counts: readonly ReadonlyMap<number, number>[]) {
  const frequencies = new Map<number, number>()
  for (const terms of counts)
    for (const term of terms.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  const maxFrequency = Math.max(MIN_FREQUENCY, counts.length * MAX_SHARE)
  const useful = [...frequencies]
    .filter(([, frequency]) => frequency >= MIN_FREQUENCY && frequency <= maxFrequency)
    .sort(([a, frequency], [b, other]) => other - frequency || a - b)
    .slice(0, MAX_TERMS)
  const terms = Uint32Array.from(useful, ([term]) => term).sort()
  const rarities = Float32Array.from(terms, (term) =>
    Math.log((counts.length + 1) / frequencies.get(term)!),
  )
  return { terms, rarities }
}

/** A row of unit length per passage: the logarithms of its counts, times the rarities. */
function matrixOf(
  counts: readonly ReadonlyMap<number, number>[],
  terms: Uint32Array,
  rarities: Float32Array,
): SparseMatrix {
  const columnOf = new Map(Array.from(terms, (term, column) => [term, column]))
  const starts = new Uint32Array(counts.length + 1)
  const indexes: number[] = []
  const values: number[] = []
  for (const [row, passage] of counts.entries()) {
    const first = indexes.length
    let squares = 0
    for (const [term, count] of passage) {
      const column = columnOf.get(term)
      if (column === undefined) continue
      const value = Math.log(1 + count) * rarities[column]!
      squares += value * value
      indexes.push(column)
      values.push(value)
    }
    for (let at = first; at < values.length; at++) values[at]! /= Math.sqrt(squares)
    starts[row + 1] = indexes.length
  }
  return {
    ...{ rows: counts.length, columns: terms.length, starts },
    ...{ indexes: Uint32Array.from(indexes), values: Float32Array.from(values) },
  }
}
