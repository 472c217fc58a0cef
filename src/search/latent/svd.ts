import { eigen, gram, orthonormalize, transform } from './dense-matrix.ts'
import { multiply, multiplyTransposed, type SparseMatrix } from './sparse-matrix.ts'

/** Extra columns and rounds make the last dimensions precise. */
const EXTRA = 12
const ROUNDS = 3
const SEED = 0x5eed

export interface RightVectors {
  dimensions: number
  /** The right singular vectors: a row per column of the matrix, a value per dimension. */
  vectors: Float32Array
  /** The singular values, descending. */
  values: Float64Array
}

/**
 * The largest singular values of a sparse matrix and their right vectors, by subspace iteration
 * (Halko, Martinsson and Tropp, 2011). The random start has a fixed seed, so equal matrices have
 * equal results. It yields every few milliseconds of work, so that the caller can pause.
 */
export function* truncatedSvd(
  matrix: SparseMatrix,
  maxDimensions: number,
): Generator<void, RightVectors> {
  const width = Math.min(maxDimensions + EXTRA, matrix.rows, matrix.columns)
  let right = randomSigns(matrix.columns * width)
  for (let round = 0; round < ROUNDS; round++) {
    const left = yield* multiply(matrix, right, width)
    yield* orthonormalize(left, width)
    right = yield* multiplyTransposed(matrix, left, width)
  }
  const { values: squares, vectors: rotation } = yield* eigen(yield* gram(right, width), width)
  const values = squares.map((square) => Math.sqrt(Math.max(0, square)))
  for (let row = 0; row < width; row++)
    for (let at = 0; at < width; at++)
      rotation[row * width + at]! *= values[at]! > values[0]! * 1e-4 ? 1 / values[at]! : 0
  yield* transform(right, rotation, width)
  const dimensions = Math.min(maxDimensions, width)
  return { dimensions, vectors: firstColumns(right, width, dimensions), values }
}

/** Random values of 1 and -1 (xorshift). */
function randomSigns(count: number): Float32Array {
  let state = SEED
  return new Float32Array(count).map(() => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 1 ? 1 : -1
  })
}

function firstColumns(matrix: Float32Array, width: number, count: number): Float32Array {
  if (count === width) return matrix
  const rows = matrix.length / width
  const first = new Float32Array(rows * count)
  for (let row = 0; row < rows; row++)
    first.set(matrix.subarray(row * width, row * width + count), row * count)
  return first
}
