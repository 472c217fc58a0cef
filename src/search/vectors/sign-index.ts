import type { Database } from 'bun:sqlite'
import type { Ranked } from './fuse.ts'
import { cosine, directionOf, hammingDistance, quantize, signsOf } from './quantize.ts'

/** The sign bits of the vectors of a board, as columns. */
interface BoardSigns {
  count: number
  words: number
  ids: Uint32Array
  sources: Uint32Array
  ordinals: Uint32Array
  signs: Uint32Array
  bytes: number
}

interface Row {
  id: number
  source: number
  ordinal: number
  signs: Uint8Array
}

const SIGNS_OF_BOARD = `
  SELECT p.id, p.source, p.ordinal, v.signs
  FROM sources s JOIN passages p ON p.source = s.source JOIN vector_signs v ON v.passage = p.id
  WHERE s.project = ? AND length(v.signs) = ?`
const PASSAGE_COUNT = `
  SELECT count(*) AS n FROM sources s JOIN passages p ON p.source = s.source WHERE s.project = ?`

const WORD_BYTES = 4
const COLUMNS = 3

/** Minimum similarity of an answer, absolute and relative to the best one. */
const MIN_SCORE = 0.1
const MIN_SHARE_OF_BEST = 0.5

/** Sign bits find the nearest passages only roughly, so this many are compared by full vectors. */
const MAX_COMPARED = 1000

/** A cache of the sign bits of boards, bounded in bytes. Evicts the least recently used. */
export class SignIndex {
  readonly #boards = new Map<number, BoardSigns>()
  #bytes = 0

  constructor(
    private readonly db: Database,
    private readonly maxBytes: number,
  ) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Drops changed boards; they are read again when they are searched. */
  drop(projects: Iterable<number>): void {
    for (const project of projects) {
      this.#bytes -= this.#boards.get(project)?.bytes ?? 0
      this.#boards.delete(project)
    }
  }

  dropAll(): void {
    this.drop([...this.#boards.keys()])
  }

  /** The passages with the most similar vectors, best first. */
  nearest(
    vector: Float32Array,
    projects: Iterable<number>,
    limit: number,
    isIncluded: (source: number) => boolean,
  ): Ranked[] {
    const signs = signsOf(vector)
    const nearest = new NearestCandidates(vector.length, MAX_COMPARED)
    for (const project of projects) {
      const { count, words, ids, sources, ordinals, signs: boardSigns } = this.#load(project, signs)
      for (let index = 0; index < count; index++) {
        const distance = hammingDistance(signs, boardSigns, index * words)
        if (distance > nearest.farthest || !isIncluded(sources[index]!)) continue
        nearest.add(distance, {
          id: ids[index]!,
          source: sources[index]!,
          ordinal: ordinals[index]!,
        })
      }
    }
    return dropNeighbours(this.#rescore(vector, nearest.toArray())).slice(0, limit)
  }

  #rescore(vector: Float32Array, candidates: readonly Candidate[]) {
    const direction = directionOf(quantize(vector))
    const vectorOf = this.db.query<{ bytes: Uint8Array }, [number]>(
      'SELECT bytes FROM vectors WHERE passage = ?',
    )
    const scored = candidates.map((candidate) => {
      const row = vectorOf.get(candidate.id)
      return { ...candidate, score: row ? cosine(direction, directionOf(row.bytes)) : 0 }
    })
    scored.sort((a, b) => b.score - a.score || a.id - b.id)
    const threshold = Math.max(MIN_SCORE, (scored[0]?.score ?? 0) * MIN_SHARE_OF_BEST)
    return scored.filter(({ score }) => score >= threshold)
  }

  #load(project: number, { length: words }: Uint32Array): BoardSigns {
    const cached = this.#boards.get(project)
    if (cached?.words === words) {
      // A map keeps insertion order: the most recently used board is last.
      this.#boards.delete(project)
      this.#boards.set(project, cached)
      return cached
    }
    this.drop([project])
    const board = this.#read(project, words)
    this.#boards.set(project, board)
    this.#bytes += board.bytes
    for (const [oldest] of this.#boards) {
      if (this.#bytes <= this.maxBytes) break
      this.drop([oldest])
    }
    return board
  }

  #read(project: number, words: number): BoardSigns {
    const { n } = this.db.query<{ n: number }, [number]>(PASSAGE_COUNT).get(project)!
    const signs = new Uint32Array(n * words)
    const target = new Uint8Array(signs.buffer)
    const [ids, sources, ordinals] = [new Uint32Array(n), new Uint32Array(n), new Uint32Array(n)]
    let count = 0
    const size = words * WORD_BYTES
    const statement = this.db.query<Row, [number, number]>(SIGNS_OF_BOARD)
    for (const { id, source, ordinal, signs: bits } of statement.iterate(project, size)) {
      ids[count] = id
      sources[count] = source
      ordinals[count] = ordinal
      target.set(bits, count++ * size)
    }
    const bytes = n * (size + COLUMNS * WORD_BYTES)
    return { count, words, ids, sources, ordinals, signs, bytes }
  }
}

interface Candidate {
  id: number
  source: number
  ordinal: number
}

/** Selects the nearest candidates without sorting, in buckets by distance. */
class NearestCandidates {
  readonly #buckets: Candidate[][] = []
  #count = 0
  farthest: number

  constructor(
    size: number,
    private readonly limit: number,
  ) {
    this.farthest = size
  }

  add(distance: number, candidate: Candidate): void {
    const bucket = this.#buckets[distance] ?? []
    this.#buckets[distance] = bucket
    bucket.push(candidate)
    this.#count++
    // Drops whole buckets only, so that candidates at equal distance are treated alike.
    while (this.#count - (this.#buckets[this.farthest]?.length ?? 0) >= this.limit) {
      this.#count -= this.#buckets[this.farthest]?.length ?? 0
      delete this.#buckets[this.farthest--]
    }
  }

  toArray(): Candidate[] {
    return this.#buckets.flatMap((bucket) => bucket ?? []).slice(0, this.limit)
  }
}

/** Drops passages that are neighbours of a better one. */
export function dropNeighbours(
  ranked: readonly (Ranked & { source?: number; ordinal?: number })[],
): Ranked[] {
  const taken = new Set<string>()
  return ranked.flatMap(({ id, source, ordinal, score }) => {
    if (source === undefined || ordinal === undefined) return []
    if (taken.has(`${source} ${ordinal - 1}`) || taken.has(`${source} ${ordinal + 1}`)) return []
    taken.add(`${source} ${ordinal}`)
    return { id, score }
  })
}
