import type { Database } from 'bun:sqlite'
import type { LiveSegment } from '../corpus.ts'
import type { LatentModel } from '../latent/latent-model.ts'
import { buildSegment, type IndexedPassage, passagesOf, type Segment } from '../segment.ts'
import type { KnownWord, Vocabulary } from '../vocabulary.ts'
import { loadModel } from './models.ts'
import { freshPassages } from './passage-terms.ts'
import { deletedIdsOf, loadSegments, type StoredSegment } from './segments.ts'
import type { Source } from './sources.ts'
import type { IndexLog } from './types.ts'
import { BoardVocabulary } from './vocabulary.ts'

const BYTES_PER_ID = 40
const BYTES_PER_SOURCE = 300

/** The change of a text on one board. */
export interface SourceChange {
  source: Source
  /** False if the text was removed or moved to another board. */
  isOnBoard: boolean
  added: readonly IndexedPassage[]
  removed: readonly number[]
  /** Words of the added passages. */
  words: readonly KnownWord[]
}

interface Origins {
  byNumber: Map<number, Source>
  /** The text number of each passage id. */
  sourceOf: Map<number, number>
}

/** The index of a board in memory: its segments, and the passages after them. */
export class BoardIndex {
  private readonly deletedIds: Set<number>
  private segments: StoredSegment[]
  private fresh: Segment
  private model: LatentModel | undefined
  /** New passages that are not in the `fresh` segment yet. */
  private pending: IndexedPassage[] = []
  private origins: Origins | undefined
  private loadedWords: BoardVocabulary | undefined

  constructor(
    private readonly db: Database,
    readonly project: number,
    private readonly log: IndexLog,
  ) {
    this.segments = loadSegments(db, project, log)
    this.fresh = buildSegment(freshPassages(db, project))
    this.deletedIds = new Set(deletedIdsOf(db, project))
    this.model = loadModel(db, project, log)
  }

  get bytes(): number {
    const { size: sources = 0 } = this.origins?.byNumber ?? {}
    const ids = this.deletedIds.size + (this.origins?.sourceOf.size ?? 0)
    return (
      this.segments.reduce((sum, { segment }) => sum + segment.bytes, this.fresh.bytes) +
      (this.model?.bytes ?? 0) +
      (this.loadedWords?.bytes ?? 0) +
      ids * BYTES_PER_ID +
      sources * BYTES_PER_SOURCE
    )
  }

  /** The words of the board, loaded when they are first needed. */
  get vocabulary(): Vocabulary {
    this.loadedWords ??= new BoardVocabulary(this.db, this.project)
    return this.loadedWords.words()
  }

  /** Applies a change that was written after loading. */
  applyChange({
    source,
    isOnBoard: isHere,
    added: came,
    removed: went,
    words,
  }: SourceChange): void {
    this.loadedWords?.learn(words)
    for (const passage of came) this.pending.push(passage)
    for (const id of went) this.deletedIds.add(id)
    if (!this.origins) return
    const { byNumber, sourceOf: of } = this.origins
    if (isHere) byNumber.set(source.source, source)
    else byNumber.delete(source.source)
    for (const { id } of came) of.set(id, source.source)
    for (const id of went) of.delete(id)
  }

  /** Reloads the board after its segments changed. */
  reload(): void {
    this.segments = loadSegments(this.db, this.project, this.log, this.segments)
    this.fresh = buildSegment(freshPassages(this.db, this.project))
    this.pending = []
    this.deletedIds.clear()
    for (const id of deletedIdsOf(this.db, this.project)) this.deletedIds.add(id)
    this.model = loadModel(this.db, this.project, this.log)
  }

  /** The segments to search, restricted to the texts that pass the filter. */
  liveSegments(filter?: (source: Source) => boolean): LiveSegment[] {
    const isDeleted = filter ? this.isExcludedBy(filter) : (id: number) => this.deletedIds.has(id)
    const segments = [...this.segments.map(({ segment }) => segment), this.freshSegment()]
    return segments
      .filter(({ size }) => size)
      .map((segment) => ({ segment, isDeleted, model: this.model }))
  }

  private freshSegment(): Segment {
    if (this.pending.length) {
      const passages = [...passagesOf(this.fresh), ...this.pending]
      this.fresh = buildSegment(passages.filter(({ id }) => !this.deletedIds.has(id)))
      this.pending = []
    }
    return this.fresh
  }

  private isExcludedBy(filter: (source: Source) => boolean) {
    this.origins ??= originsOf(this.db, this.project)
    const { byNumber, sourceOf: of } = this.origins
    const numbers = new Set<number>()
    for (const source of byNumber.values()) if (filter(source)) numbers.add(source.source)
    return (id: number) => {
      const number = of.get(id)
      return number === undefined || !numbers.has(number) || this.deletedIds.has(id)
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
    sourceOf: new Map(ids.map(({ id, source }) => [id, source])),
  }
}
