import type { Database } from 'bun:sqlite'
import type { Ranked } from './fuse.ts'
import { apartness, cosine, packed, signsOf, unpacked } from './packed.ts'

/** The signs of a board's vectors, side by side. */
interface Board {
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

const ON_BOARD = `
  SELECT p.id, p.source, p.ordinal, v.signs
  FROM sources s JOIN passages p ON p.source = s.source JOIN vector_signs v ON v.passage = p.id
  WHERE s.project = ? AND length(v.signs) = ?`
const HOW_MANY = `
  SELECT count(*) AS n FROM sources s JOIN passages p ON p.source = s.source WHERE s.project = ?`

const WORD_BYTES = 4
const NUMBERS_BESIDE = 3

/** What is less near than this, or than half as near as the nearest, is no answer. */
const LEAST = 0.1
const LEAST_SHARE = 0.5

/** By signs alone the nearest are found only roughly; of so many the vectors are compared. */
const MOST_COMPARED = 1000

/** Signs in memory, of as many boards as there is room for; those asked of last stay. */
export class Boards {
  readonly #boards = new Map<number, Board>()
  #bytes = 0

  constructor(
    private readonly db: Database,
    private readonly room: number,
  ) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Something on them changed: they are read again when somebody asks. */
  drop(projects: Iterable<number>): void {
    for (const project of projects) {
      this.#bytes -= this.#boards.get(project)?.bytes ?? 0
      this.#boards.delete(project)
    }
  }

  dropAll(): void {
    this.drop([...this.#boards.keys()])
  }

  /** The passages whose vector points nearest to where this one does, best first. */
  nearest(
    vector: Float32Array,
    projects: Iterable<number>,
    limit: number,
    isWanted: (source: number) => boolean,
  ): Ranked[] {
    const signs = signsOf(vector)
    const nearby = new Nearby(vector.length, MOST_COMPARED)
    for (const project of projects) {
      const { count, words, ids, sources, ordinals, signs: all } = this.#board(project, signs)
      for (let at = 0; at < count; at++) {
        const far = apartness(signs, all, at * words)
        if (far > nearby.farthest || !isWanted(sources[at]!)) continue
        nearby.add(far, { id: ids[at]!, source: sources[at]!, ordinal: ordinals[at]! })
      }
    }
    return apart(this.#compared(vector, nearby.all())).slice(0, limit)
  }

  #compared(vector: Float32Array, places: readonly Place[]) {
    const asked = unpacked(packed(vector))
    const one = this.db.query<{ bytes: Uint8Array }, [number]>(
      'SELECT bytes FROM vectors WHERE passage = ?',
    )
    const found = places.map((place) => {
      const kept = one.get(place.id)
      return { ...place, score: kept ? cosine(asked, unpacked(kept.bytes)) : 0 }
    })
    found.sort((a, b) => b.score - a.score || a.id - b.id)
    const least = Math.max(LEAST, (found[0]?.score ?? 0) * LEAST_SHARE)
    return found.filter(({ score }) => score >= least)
  }

  #board(project: number, { length: words }: Uint32Array): Board {
    const known = this.#boards.get(project)
    if (known?.words === words) {
      // A map keeps the order in which its keys came: the last is the one asked of last.
      this.#boards.delete(project)
      this.#boards.set(project, known)
      return known
    }
    this.drop([project])
    const board = this.#read(project, words)
    this.#boards.set(project, board)
    this.#bytes += board.bytes
    for (const [other] of this.#boards) {
      if (this.#bytes <= this.room) break
      this.drop([other])
    }
    return board
  }

  #read(project: number, words: number): Board {
    const { n } = this.db.query<{ n: number }, [number]>(HOW_MANY).get(project)!
    const signs = new Uint32Array(n * words)
    const into = new Uint8Array(signs.buffer)
    const [ids, sources, ordinals] = [new Uint32Array(n), new Uint32Array(n), new Uint32Array(n)]
    let count = 0
    const size = words * WORD_BYTES
    const found = this.db.query<Row, [number, number]>(ON_BOARD)
    for (const { id, source, ordinal, signs: some } of found.iterate(project, size)) {
      ids[count] = id
      sources[count] = source
      ordinals[count] = ordinal
      into.set(some, count++ * size)
    }
    const bytes = n * (size + NUMBERS_BESIDE * WORD_BYTES)
    return { count, words, ids, sources, ordinals, signs, bytes }
  }
}

interface Place {
  id: number
  source: number
  ordinal: number
}

/** The nearest of many, without sorting them: in rows by how far they are. */
class Nearby {
  readonly #rows: Place[][] = []
  #count = 0
  farthest: number

  constructor(
    size: number,
    private readonly most: number,
  ) {
    this.farthest = size
  }

  add(far: number, place: Place): void {
    const row = this.#rows[far] ?? []
    this.#rows[far] = row
    row.push(place)
    this.#count++
    // What does not fit goes only by whole rows, so that all that are equally far are treated alike.
    while (this.#count - (this.#rows[this.farthest]?.length ?? 0) >= this.most) {
      this.#count -= this.#rows[this.farthest]?.length ?? 0
      delete this.#rows[this.farthest--]
    }
  }

  all(): Place[] {
    return this.#rows.flatMap((row) => row ?? []).slice(0, this.most)
  }
}

/** Without those that follow, or are followed by, a better one. */
export function apart(
  found: readonly (Ranked & { source?: number; ordinal?: number })[],
): Ranked[] {
  const taken = new Set<string>()
  return found.flatMap(({ id, source, ordinal, score }) => {
    if (source === undefined || ordinal === undefined) return []
    if (taken.has(`${source} ${ordinal - 1}`) || taken.has(`${source} ${ordinal + 1}`)) return []
    taken.add(`${source} ${ordinal}`)
    return { id, score }
  })
}
