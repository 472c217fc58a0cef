import type { Database } from 'bun:sqlite'
import { type Leaf, leavesOf, type Shelf, shelve } from '../shelf.ts'
import { freshLeaves } from './leaves.ts'
import { goneIn, type Segment, segmentsOf } from './segments.ts'
import type { Log } from './shelves.ts'
import type { Source } from './sources.ts'

const BYTES_A_NUMBER = 40
const BYTES_A_SOURCE = 300

/** What became of a text on one board. */
export interface Change {
  source: Source
  /** Not where it was removed, or moved away. */
  isHere: boolean
  came: readonly Leaf[]
  went: readonly number[]
}

interface Origins {
  byNumber: Map<number, Source>
  /** The text of a passage. */
  of: Map<number, number>
}

/** The passages of a board in memory: segments, and what came after them. */
export class Board {
  private readonly gone: Set<number>
  private segments: Segment[]
  private fresh: Shelf
  /** Not on the shelf of new ones yet. */
  private waiting: Leaf[] = []
  private origins: Origins | undefined

  constructor(
    private readonly db: Database,
    readonly project: number,
    private readonly log: Log,
  ) {
    this.segments = segmentsOf(db, project, log)
    this.fresh = shelve(freshLeaves(db, project))
    this.gone = new Set(goneIn(db, project))
  }

  get bytes(): number {
    const { size: sources = 0 } = this.origins?.byNumber ?? {}
    const numbers = this.gone.size + (this.origins?.of.size ?? 0)
    return (
      this.segments.reduce((sum, { shelf }) => sum + shelf.bytes, this.fresh.bytes) +
      numbers * BYTES_A_NUMBER +
      sources * BYTES_A_SOURCE
    )
  }

  /** What was written since it was loaded. */
  changed({ source, isHere, came, went }: Change): void {
    for (const leaf of came) this.waiting.push(leaf)
    for (const id of went) this.gone.add(id)
    if (!this.origins) return
    const { byNumber, of } = this.origins
    if (isHere) byNumber.set(source.source, source)
    else byNumber.delete(source.source)
    for (const { id } of came) of.set(id, source.source)
    for (const id of went) of.delete(id)
  }

  /** After its segments were made anew. */
  reload(): void {
    this.segments = segmentsOf(this.db, this.project, this.log, this.segments)
    this.fresh = shelve(freshLeaves(this.db, this.project))
    this.waiting = []
    this.gone.clear()
    for (const id of goneIn(this.db, this.project)) this.gone.add(id)
  }

  /** What is asked: all that is there, or of the texts that are wanted. */
  stacks(wanted?: (source: Source) => boolean) {
    const isGone = wanted ? this.unwanted(wanted) : (id: number) => this.gone.has(id)
    const shelves = [...this.segments.map(({ shelf }) => shelf), this.freshShelf()]
    return shelves.filter(({ size }) => size).map((shelf) => ({ shelf, isGone }))
  }

  private freshShelf(): Shelf {
    if (this.waiting.length) {
      const leaves = [...leavesOf(this.fresh), ...this.waiting]
      this.fresh = shelve(leaves.filter(({ id }) => !this.gone.has(id)))
      this.waiting = []
    }
    return this.fresh
  }

  private unwanted(wanted: (source: Source) => boolean) {
    this.origins ??= originsOf(this.db, this.project)
    const { byNumber, of } = this.origins
    const numbers = new Set<number>()
    for (const source of byNumber.values()) if (wanted(source)) numbers.add(source.source)
    return (id: number) => {
      const number = of.get(id)
      return number === undefined || !numbers.has(number) || this.gone.has(id)
    }
  }
}

function originsOf(db: Database, project: number): Origins {
  const sources = db.query<Source, [number]>('SELECT * FROM sources WHERE project = ?').all(project)
  const ids = db
    .query<{ id: number; source: number }, [number]>(
      `SELECT p.id, p.source FROM sources s JOIN passages p ON p.source = s.source
       WHERE s.project = ?`,
    )
    .all(project)
  return {
    byNumber: new Map(sources.map((source) => [source.source, source])),
    of: new Map(ids.map(({ id, source }) => [id, source])),
  }
}
