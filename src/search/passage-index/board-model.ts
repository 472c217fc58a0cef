import type { Database } from 'bun:sqlite'
import {
  type Direction,
  decodeModel,
  type LatentModel,
  normalized,
  type SubjectModel,
} from '../latent/latent-model.ts'
import type { PassageDirections } from '../latent/passage-directions.ts'
import type { Segment } from '../segments/segment.ts'

const BYTES_PER_DIRECTION = 100

/** A part of a model: the vectors of some consecutive terms. */
interface Block {
  block: Uint8Array
}

/**
 * The latent model of a board. Only the directions of passages are in memory. The vectors of terms,
 * which take several times as much, stay in the file: a question needs few of them.
 */
export class BoardModel implements SubjectModel {
  /** Directions of passages indexed after the training; each is computed at its first comparison. */
  private readonly later = new Map<number, Direction | undefined>()
  /** All vectors of terms, which only later passages need. */
  private whole: LatentModel[] | undefined

  constructor(
    private readonly db: Database,
    private readonly project: number,
    private readonly trained: PassageDirections,
  ) {}

  get bytes(): number {
    const { later, whole = [], trained } = this
    const perDirection = trained.dimensions * 8 + BYTES_PER_DIRECTION
    return whole.reduce((sum, { bytes }) => sum + bytes, trained.bytes + later.size * perDirection)
  }

  directionOf(weights: Iterable<readonly [term: number, weight: number]>): Direction | undefined {
    const sum = new Float64Array(this.trained.dimensions)
    for (const [term, weight] of weights) this.blockOf(term)?.addTerm(sum, term, weight)
    return normalized(sum)
  }

  passageDirection(segment: Segment, row: number): Direction | undefined {
    const id = segment.column('id')[row]!
    if (this.trained.has(id)) return this.trained.of(id)
    if (!this.later.has(id)) {
      this.whole ??= blocksOf(this.db, this.project)
      this.later.set(id, this.directionOf(weightsOf(segment, row)))
    }
    return this.later.get(id)
  }

  private blockOf(term: number): LatentModel | undefined {
    if (this.whole) return this.whole.findLast(({ first }) => first <= term)
    const row = this.db
      .query<Block, [number, number]>(
        `SELECT block FROM model_blocks WHERE project = ? AND first <= ?
         ORDER BY first DESC LIMIT 1`,
      )
      .get(this.project, term)
    return row ? decodeModel(row.block) : undefined
  }
}

const blocksOf = (db: Database, project: number): LatentModel[] =>
  db
    .query<Block, [number]>('SELECT block FROM model_blocks WHERE project = ? ORDER BY first')
    .all(project)
    .flatMap(({ block }) => decodeModel(block) ?? [])

/** The terms of a passage, weighted as in the training. */
function* weightsOf(segment: Segment, row: number): Generator<readonly [number, number]> {
  const numbers = segment.read(row).sort()
  for (let at = 0, end = 0; at < numbers.length; at = end) {
    while (numbers[end] === numbers[at]) end++
    yield [segment.terms[numbers[at]!]!, Math.log(1 + end - at)]
  }
}
