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

/** Values of a row that are processed together, because that reads and stores each sum less often. */
const TOGETHER = 4

/** The product with a dense matrix of `width` columns, row by row. Yields between blocks. */
export function* multiply(
  matrix: SparseMatrix,
  dense: Float32Array,
  width: number,
): Generator<void, Float32Array> {
  const product = new Float32Array(matrix.rows * width)
  const sum = new Float64Array(width)
  for (let row = 0; row < matrix.rows; row++) {
    if (row % BLOCK === BLOCK - 1) yield
    sum.fill(0)
    addRow(sum, matrix, row, dense)
    // A loop, because `set` is slow between arrays of different types.
    for (let at = 0; at < width; at++) product[row * width + at] = sum[at]!
  }
  return product
}

/** Adds the rows of `dense` that a row of the matrix has values for, times these values. */
function addRow(
  sum: Float64Array,
  { starts, indexes, values }: SparseMatrix,
  row: number,
  dense: Float32Array,
): void {
  const width = sum.length
  const end = starts[row + 1]!
  let at = starts[row]!
  for (; at + TOGETHER <= end; at += TOGETHER) {
    const a = values[at]!
    const b = values[at + 1]!
    const c = values[at + 2]!
    const d = values[at + 3]!
    const first = indexes[at]! * width
    const second = indexes[at + 1]! * width
    const third = indexes[at + 2]! * width
    const fourth = indexes[at + 3]! * width
    for (let j = 0; j < width; j++)
      sum[j]! +=
        a * dense[first + j]! +
        b * dense[second + j]! +
        c * dense[third + j]! +
        d * dense[fourth + j]!
  }
  for (; at < end; at++) {
    const from = indexes[at]! * width
    for (let j = 0; j < width; j++) sum[j]! += values[at]! * dense[from + j]!
  }
}

/** The transposed matrix. */
export function transpose({ rows, columns, starts, indexes, values }: SparseMatrix): SparseMatrix {
  const ends = new Uint32Array(columns + 1)
  for (const column of indexes) ends[column + 1]!++
  for (let column = 0; column < columns; column++) ends[column + 1]! += ends[column]!
  const next = ends.slice()
  const turned = {
    indexes: new Uint32Array(indexes.length),
    values: new Float32Array(values.length),
  }
  for (let row = 0; row < rows; row++)
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const to = next[indexes[at]!]!++
      turned.indexes[to] = row
      turned.values[to] = values[at]!
    }
  return { rows: columns, columns: rows, starts: ends, ...turned }
}
