import type { Database } from 'bun:sqlite'
import type { LiveSegment } from '../segments/corpus.ts'
import { buildSegment, type IndexedPassage, passagesOf, type Segment } from '../segments/segment.ts'
import type { KnownWord, Vocabulary } from '../words/vocabulary.ts'
import type { BoardModel } from './board-model.ts'
import { loadModel } from './models.ts'
import { freshPassages } from './passage-terms.ts'
import { deletedIdsOf, loadSegments, type StoredSegment } from './segments.ts'
import { type Source, sourceStatements } from './sources.ts'
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
  private model: BoardModel | undefined
  /** New passages that are not in the `fresh` segment yet. */
  private pending: IndexedPassage[] = []
  private isFreshStale = false
  /** Texts that another thread changed in the file; undefined if nothing changed. */
  private changed: Set<number> | undefined
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

  /** Drops the words, which are loaded again when they are needed. */
  releaseWords(): void {
    this.loadedWords = undefined
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
    // Deleted passages count in the statistics of a segment, but `fresh` is the same as if loaded.
    const end = this.segments.at(-1)?.upto ?? 0
    this.isFreshStale ||= came.length > 0 || went.some((id) => id > end)
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
    this.isFreshStale = false
    this.deletedIds.clear()
    for (const id of deletedIdsOf(this.db, this.project)) this.deletedIds.add(id)
    this.model = loadModel(this.db, this.project, this.log)
  }

  /** Another thread changed texts in the file, or segments; they are read at the next question. */
  invalidate(sources: readonly number[]): void {
    this.changed ??= new Set()
    for (const source of sources) this.changed.add(source)
  }

  private refresh(changed: ReadonlySet<number>): void {
    this.changed = undefined
    this.reload()
    if (!changed.size) return
    this.loadedWords = undefined
    const { byNumber: row, idsOf } = sourceStatements(this.db)
    for (const number of this.origins ? changed : []) {
      const { byNumber, sourceOf } = this.origins!
      const source = row.get(number)
      if (source?.project === this.project) byNumber.set(number, source)
      else byNumber.delete(number)
      // Ids of deleted passages stay in `sourceOf`; no segment has them.
      for (const { id } of idsOf.all(number)) sourceOf.set(id, number)
    }
  }

  /** The segments to search, restricted to the texts that pass the filter. */
  liveSegments(filter?: (source: Source) => boolean): LiveSegment[] {
    if (this.changed) this.refresh(this.changed)
    const isDeleted = filter ? this.isExcludedBy(filter) : (id: number) => this.deletedIds.has(id)
    const segments = [...this.segments.map(({ segment }) => segment), this.freshSegment()]
    return segments
      .filter(({ size }) => size)
      .map((segment) => ({ segment, isDeleted, model: this.model }))
  }

  private freshSegment(): Segment {
    if (this.isFreshStale) {
      const passages = [...passagesOf(this.fresh), ...this.pending]
      this.fresh = buildSegment(passages.filter(({ id }) => !this.deletedIds.has(id)))
      this.pending = []
      this.isFreshStale = false
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
