/** Groups of rows that are processed between two yields: a few milliseconds of work. */
const BLOCK = 128
/** Rows that are processed together, because that reads and stores each sum less often. */
const TOGETHER = 4
const SWEEPS = 30
/** Smaller off-diagonal values, relative to the diagonal, count as zero: models store 8 bits. */
const PRECISION = 1e-5
/** Columns that depend on others leave a pivot below this share of the largest one. */
const MIN_PIVOT = 1e-7

/** The product of the transposed matrix with itself: `width` × `width`, symmetric. */
export const gram = (matrix: Float32Array, width: number) => symmetricProduct(matrix, matrix, width)

/** The product of the first matrix, transposed, with the second, if that product is symmetric. */
export function* symmetricProduct(
  first: Float32Array,
  second: Float32Array,
  width: number,
): Generator<void, Float64Array> {
  const product = new Float64Array(width * width)
  const step = width * TOGETHER
  // Rows of zeros at the end make the number of rows a multiple of `TOGETHER`.
  const left = new Float64Array(step)
  const right = new Float64Array(step)
  for (let from = 0, block = 0; from < first.length; from += step, block++) {
    if (block % BLOCK === BLOCK - 1) yield
    for (let at = 0; at < step; at++) {
      left[at] = first[from + at] ?? 0
      right[at] = second[from + at] ?? 0
    }
    addProduct(product, left, right, width)
  }
  for (let i = 0; i < width; i++)
    for (let j = 0; j < i; j++) product[i * width + j] = product[j * width + i]!
  return product
}

/** Adds the upper triangle of the product of some rows, each value of which is stored only once. */
function addProduct(
  product: Float64Array,
  left: Float64Array,
  right: Float64Array,
  width: number,
): void {
  const [second, third, fourth] = [width, 2 * width, 3 * width]
  for (let i = 0; i < width; i++) {
    const a = left[i]!
    const b = left[second + i]!
    const c = left[third + i]!
    const d = left[fourth + i]!
    const to = i * width
    for (let j = i; j < width; j++)
      product[to + j]! +=
        a * right[j]! + b * right[second + j]! + c * right[third + j]! + d * right[fourth + j]!
  }
}

/** Multiplies every row by a matrix of `width` × `width`, in place. */
export function* transform(
  matrix: Float32Array,
  factor: Float64Array,
  width: number,
): Generator<void, void> {
  const row = new Float64Array(width)
  for (let from = 0, count = 0; from < matrix.length; from += width, count++) {
    if (count % (BLOCK * 2) === BLOCK * 2 - 1) yield
    row.fill(0)
    let i = 0
    for (; i + TOGETHER <= width; i += TOGETHER) addRows(row, factor, width, i, matrix, from)
    for (; i < width; i++) {
      const value = matrix[from + i]!
      for (let j = 0; j < width; j++) row[j]! += value * factor[i * width + j]!
    }
    for (let j = 0; j < width; j++) matrix[from + j] = row[j]!
  }
}

function addRows(
  row: Float64Array,
  factor: Float64Array,
  width: number,
  i: number,
  matrix: Float32Array,
  from: number,
): void {
  const a = matrix[from + i]!
  const b = matrix[from + i + 1]!
  const c = matrix[from + i + 2]!
  const d = matrix[from + i + 3]!
  const first = i * width
  const second = first + width
  const third = second + width
  const fourth = third + width
  for (let j = 0; j < width; j++)
    row[j]! +=
      a * factor[first + j]! +
      b * factor[second + j]! +
      c * factor[third + j]! +
      d * factor[fourth + j]!
}

/** Makes the columns orthonormal, in place. Columns that depend on others become zero. */
export function* orthonormalize(matrix: Float32Array, width: number): Generator<void, void> {
  const inverse = invertedCholesky(yield* gram(matrix, width), width)
  yield* transform(matrix, inverse, width)
}

/** The inverse of the upper triangular factor R of a matrix that is RᵀR. */
function invertedCholesky(square: Float64Array, width: number): Float64Array {
  const factor = new Float64Array(width * width)
  const inverse = new Float64Array(width * width)
  let largest = 0
  for (let i = 0; i < width; i++) largest = Math.max(largest, square[i * width + i]!)
  for (let j = 0; j < width; j++) {
    let pivot = square[j * width + j]!
    for (let k = 0; k < j; k++) pivot -= factor[k * width + j]! ** 2
    if (pivot <= largest * MIN_PIVOT) continue
    const root = Math.sqrt(pivot)
    factor[j * width + j] = root
    for (let i = j + 1; i < width; i++) {
      let value = square[j * width + i]!
      for (let k = 0; k < j; k++) value -= factor[k * width + j]! * factor[k * width + i]!
      factor[j * width + i] = value / root
    }
  }
  for (let j = 0; j < width; j++) {
    const pivot = factor[j * width + j]!
    if (!pivot) continue
    inverse[j * width + j] = 1 / pivot
    for (let i = 0; i < j; i++) {
      let value = 0
      for (let k = i; k < j; k++) value += inverse[i * width + k]! * factor[k * width + j]!
      inverse[i * width + j] = -value / pivot
    }
  }
  return inverse
}

export interface Eigen {
  /** Descending. */
  values: Float64Array
  /** One column per value. */
  vectors: Float64Array
}

/** The eigenvalues and eigenvectors of a symmetric matrix, by Jacobi rotations. Yields by row. */
export function* eigen(symmetric: Float64Array, width: number): Generator<void, Eigen> {
  const matrix = symmetric.slice()
  // One row per vector, because rotating rows is faster than rotating columns.
  const vectors = new Float64Array(width * width)
  for (let i = 0; i < width; i++) vectors[i * width + i] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotations = 0
    for (let p = 0; p < width - 1; p++) {
      for (let q = p + 1; q < width; q++) if (rotate(matrix, vectors, width, p, q)) rotations++
      yield
    }
    if (!rotations) break
  }
  return sorted(matrix, vectors, width)
}

/** Turns the value at row `p` and column `q` to zero. Returns false if it is negligible. */
function rotate(
  matrix: Float64Array,
  vectors: Float64Array,
  width: number,
  p: number,
  q: number,
): boolean {
  const value = matrix[p * width + q]!
  const atP = matrix[p * width + p]!
  const atQ = matrix[q * width + q]!
  if (value ** 2 <= PRECISION ** 2 * Math.abs(atP * atQ) || Math.abs(value) < 1e-30) return false
  const theta = (atQ - atP) / (2 * value)
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  turnRows(vectors, width, p, q, cosine, sine)
  turnRows(matrix, width, p, q, cosine, sine)
  // The columns are equal to the rows, except where both cross.
  for (let k = 0; k < width; k++) {
    matrix[k * width + p] = matrix[p * width + k]!
    matrix[k * width + q] = matrix[q * width + k]!
  }
  matrix[p * width + p] = atP - tangent * value
  matrix[q * width + q] = atQ + tangent * value
  matrix[p * width + q] = 0
  matrix[q * width + p] = 0
  return true
}

function turnRows(
  matrix: Float64Array,
  width: number,
  p: number,
  q: number,
  cosine: number,
  sine: number,
): void {
  const [first, second] = [p * width, q * width]
  for (let k = 0; k < width; k++) {
    const value = matrix[first + k]!
    const other = matrix[second + k]!
    matrix[first + k] = cosine * value - sine * other
    matrix[second + k] = sine * value + cosine * other
  }
}

function sorted(matrix: Float64Array, vectors: Float64Array, width: number): Eigen {
  const order = Array.from({ length: width }, (_, at) => at)
  order.sort((a, b) => matrix[b * width + b]! - matrix[a * width + a]! || a - b)
  const result = { values: new Float64Array(width), vectors: new Float64Array(width * width) }
  for (const [to, from] of order.entries()) {
    result.values[to] = matrix[from * width + from]!
    for (let row = 0; row < width; row++)
      result.vectors[row * width + to] = vectors[from * width + row]!
  }
  return result
}
