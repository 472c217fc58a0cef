import { eigen, orthonormalize, symmetricProduct, transform } from './dense-matrix.ts'
import { multiply, type SparseMatrix, transpose } from './sparse-matrix.ts'

/** Extra columns and rounds make the last dimensions precise. */
const EXTRA = 12
const ROUNDS = 1
const SEED = 0x5eed

export interface SingularVectors {
  /** The right singular vectors: a row per column of the matrix, which begins with these values. */
  dimensions: number
  vectors: Float32Array
  /** The length of a row. */
  width: number
  /** The left ones, divided by their singular values: a row per row of the matrix. */
  left: Float32Array
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
): Generator<void, SingularVectors> {
  const width = Math.min(maxDimensions + EXTRA, matrix.rows, matrix.columns)
  const transposed = transpose(matrix)
  // A matrix has fewer rows than columns, so the random start is on the left.
  let left = randomSigns(matrix.rows * width)
  for (let round = 0; round < ROUNDS; round++) {
    left = yield* multiply(matrix, yield* multiply(transposed, left, width), width)
    yield* orthonormalize(left, width)
  }
  const image = yield* multiply(matrix, yield* multiply(transposed, left, width), width)
  const square = yield* symmetricProduct(left, image, width)
  const { values: squares, vectors: rotation } = yield* eigen(square, width)
  const values = squares.map((square) => Math.sqrt(Math.max(0, square)))
  for (let row = 0; row < width; row++)
    for (let at = 0; at < width; at++)
      rotation[row * width + at]! *= values[at]! > values[0]! * 1e-4 ? 1 / values[at]! : 0
  yield* transform(left, rotation, width)
  const right = yield* multiply(transposed, left, width)
  return { dimensions: Math.min(maxDimensions, width), width, vectors: right, left, values }
}

/** Random values of 1 and -1 (xorshift). */
function randomSigns(count: number): Float32Array {
  let state = SEED
  const signs = new Float32Array(count)
  for (let at = 0; at < count; at++) {
    const bit = at & 31
    if (!bit) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
    }
    signs[at] = (state >>> bit) & 1 ? 1 : -1
  }
  return signs
}
