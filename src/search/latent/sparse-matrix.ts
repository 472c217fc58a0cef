/** A sparse matrix by rows: the columns and the values of row `i` start at `starts[i]`. */
export interface SparseMatrix {
  rows: number
  columns: number
  starts: Uint32Array
  indexes: Uint32Array
  values: Float32Array
}

/** Rows that are processed between two yields: about two milliseconds of work. */
const BLOCK = 256

/** The product with a dense matrix of `width` columns, row by row. Yields between blocks. */
export function* multiply(
  matrix: SparseMatrix,
  dense: Float32Array,
  width: number,
): Generator<void, Float32Array> {
  const { rows, starts, indexes, values } = matrix
  const product = new Float32Array(rows * width)
  for (let row = 0; row < rows; row++) {
    if (row % BLOCK === BLOCK - 1) yield
    const to = row * width
    for (let at = starts[row]!; at < starts[row + 1]!; at++)
      addScaled(product, to, dense, indexes[at]! * width, values[at]!, width)
  }
  return product
}

/** The product of the transposed matrix with a dense matrix. Yields between blocks. */
export function* multiplyTransposed(
  matrix: SparseMatrix,
  dense: Float32Array,
  width: number,
): Generator<void, Float32Array> {
  const { rows, columns, starts, indexes, values } = matrix
  const product = new Float32Array(columns * width)
  for (let row = 0; row < rows; row++) {
    if (row % BLOCK === BLOCK - 1) yield
    const from = row * width
    for (let at = starts[row]!; at < starts[row + 1]!; at++)
      addScaled(product, indexes[at]! * width, dense, from, values[at]!, width)
  }
  return product
}

/** Adds a row of `source`, times `factor`, to a row of `target`. */
function addScaled(
  target: Float32Array,
  to: number,
  source: Float32Array,
  from: number,
  factor: number,
  width: number,
): void {
  for (let at = 0; at < width; at++) target[to + at]! += factor * source[from + at]!
}
