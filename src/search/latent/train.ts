import type { IndexedPassage } from '../segments/segment.ts'
import { STOP_TERMS } from '../words/terms.ts'
import { type Direction, type LatentModel, normalized, packModel } from './latent-model.ts'
import type { SparseMatrix } from './sparse-matrix.ts'
import { type SingularVectors, truncatedSvd } from './svd.ts'

const MAX_DIMENSIONS = 96
const MIN_DIMENSIONS = 8
/** With more dimensions, words of few passages would not be drawn together. */
const PASSAGES_PER_DIMENSION = 4
/** More dimensions than this improve only the models of larger boards. */
const ENOUGH_DIMENSIONS = 48
const PASSAGES_PER_FURTHER = 8
/** The most frequent terms are used. */
const MAX_TERMS = 16_384
const MIN_FREQUENCY = 2
/** Terms in a larger share of the passages say nothing about their subject. */
const MAX_SHARE = 0.5

type Terms = Pick<IndexedPassage, 'title' | 'headings' | 'body'>

export interface Training {
  model: LatentModel
  /** The direction of a passage of the training, as the model would compute it. */
  directionOf(row: number): Direction | undefined
}

/**
 * Trains the model of a board on its passages. It yields every few milliseconds of work. Undefined
 * if the passages have too few terms in common.
 */
export function* trainModel(passages: readonly Terms[]): Generator<void, Training | undefined> {
  const counts: TermCounts[] = []
  for (const [at, passage] of passages.entries()) {
    if (at % 64 === 63) yield
    counts.push(countsOf(passage))
  }
  const { terms, rarities } = vocabularyOf(counts)
  if (terms.length < 2) return undefined
  yield
  const matrix = matrixOf(counts, terms, rarities)
  yield
  const limit = dimensionsFor(passages.length)
  const vectors = yield* truncatedSvd(matrix, limit)
  return {
    model: packModel({ ...vectors, terms, factors: rarities }),
    directionOf: (row) => rowDirection(vectors, row),
  }
}

/** A row of the matrix times the right vectors, which is what the model computes from its terms. */
function rowDirection(
  { left, values, width, dimensions }: SingularVectors,
  row: number,
): Direction | undefined {
  const direction = new Float64Array(dimensions)
  for (let at = 0; at < dimensions; at++) direction[at] = left[row * width + at]! * values[at]! ** 2
  return normalized(direction)
}

function dimensionsFor(passages: number): number {
  const few = Math.min(ENOUGH_DIMENSIONS, passages / PASSAGES_PER_DIMENSION)
  const wanted = Math.floor(Math.max(MIN_DIMENSIONS, few, passages / PASSAGES_PER_FURTHER))
  return Math.min(MAX_DIMENSIONS, wanted)
}

/** Runs a training, or a part of one, to its end. */
export function resultOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The distinct terms of a passage, ascending, and how often each occurs. */
interface TermCounts {
  terms: Uint32Array
  counts: Uint16Array
}

function countsOf({ title, headings, body }: Terms): TermCounts {
  const terms = new Uint32Array(title.length + headings.length + body.length)
  terms.set(title)
  terms.set(headings, title.length)
  terms.set(body, title.length + headings.length)
  terms.sort()
  const counts = new Uint16Array(terms.length)
  let length = 0
  for (let at = 0; at < terms.length; ) {
    const term = terms[at]!
    let end = at + 1
    while (terms[end] === term) end++
    if (!STOP_TERMS.has(term)) {
      terms[length] = term
      counts[length++] = end - at
    }
    at = end
  }
  return { terms: terms.subarray(0, length), counts }
}

/** The terms that the model knows, ascending, and the inverse document frequency of each. */
function vocabularyOf(counts: readonly TermCounts[]) {
  const frequencies = new Map<number, number>()
  for (const { terms } of counts)
    for (let at = 0; at < terms.length; at++)
      frequencies.set(terms[at]!, (frequencies.get(terms[at]!) ?? 0) + 1)
  const maxFrequency = Math.max(MIN_FREQUENCY, counts.length * MAX_SHARE)
  const useful = [...frequencies].filter(
    ([, frequency]) => frequency >= MIN_FREQUENCY && frequency <= maxFrequency,
  )
  if (useful.length > MAX_TERMS) useful.sort(([a, one], [b, other]) => other - one || a - b)
  const terms = Uint32Array.from(useful.slice(0, MAX_TERMS), ([term]) => term).sort()
  const rarities = Float32Array.from(terms, (term) =>
    Math.log((counts.length + 1) / frequencies.get(term)!),
  )
  return { terms, rarities }
}

/** A row of unit length per passage: the logarithms of its counts, times the rarities. */
function matrixOf(
  passages: readonly TermCounts[],
  terms: Uint32Array,
  rarities: Float32Array,
): SparseMatrix {
  const columnOf = new Map(Array.from(terms, (term, column) => [term, column]))
  const starts = new Uint32Array(passages.length + 1)
  const most = passages.reduce((sum, passage) => sum + passage.terms.length, 0)
  const indexes = new Uint32Array(most)
  const values = new Float32Array(most)
  let length = 0
  for (const [row, passage] of passages.entries()) {
    const first = length
    let squares = 0
    for (let at = 0; at < passage.terms.length; at++) {
      const column = columnOf.get(passage.terms[at]!)
      if (column === undefined) continue
      const value = Math.log(1 + passage.counts[at]!) * rarities[column]!
      squares += value * value
      indexes[length] = column
      values[length++] = value
    }
    const norm = Math.sqrt(squares)
    for (let at = first; at < length; at++) values[at]! /= norm
    starts[row + 1] = length
  }
  return {
    ...{ rows: passages.length, columns: terms.length, starts },
    ...{ indexes: indexes.subarray(0, length), values: values.subarray(0, length) },
  }
}
