import type { Database } from 'bun:sqlite'
import type { PassageQuery } from '../../kernel/services.ts'
import { isDamage } from '../passage-index/file.ts'
import { sourceFilter } from '../passage-index/filter.ts'
import type { VectorSearch } from '../passage-index/local-index.ts'
import type { Source } from '../passage-index/sources.ts'
import { Backfill, sizeMismatch, truncate } from './backfill.ts'
import { EmbeddingError, type Endpoint } from './client.ts'
import { DEFAULT_TIMEOUTS, Embedder, type Log, type Timeouts } from './embedder.ts'
import { fuse, type Ranked } from './fuse.ts'
import { dropNeighbours, SignIndex } from './sign-index.ts'
import { VectorStore } from './vector-store.ts'

export { type Endpoint, embed } from './client.ts'

interface VectorIndexOptions {
  /** The index file, with its tables in place. */
  db: Database
  endpoint: Endpoint
  /** Bytes of vectors to keep in memory. */
  memory: number
  log: Log
  timeouts?: Partial<Timeouts>
  now?: () => number
}

/** Number of nearest passages that are fused with the ranking by words. */
const MAX_NEAREST = 100
const MAX_QUESTION_LENGTH = 4000
const MAX_REMEMBERED = 256

/** Finds passages by the similarity of their embedding vectors. */
export class VectorIndex implements VectorSearch {
  readonly #store: VectorStore
  readonly #signs: SignIndex
  readonly #embedder: Embedder
  readonly #backfill: Backfill
  /** Vectors of recent questions. */
  readonly #questionVectors = new Map<string, Float32Array>()
  readonly #db: Database

  constructor({
    db,
    endpoint,
    memory,
    log,
    timeouts,
    now = performance.now.bind(performance),
  }: VectorIndexOptions) {
    this.#db = db
    this.#store = new VectorStore(db, endpoint.model)
    this.#signs = new SignIndex(db, memory)
    this.#embedder = new Embedder({
      endpoint,
      log,
      timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
      now,
    })
    this.#backfill = new Backfill({
      store: this.#store,
      embedder: this.#embedder,
      onFilled: (projects) => this.#signs.drop(projects),
    })
    const { lacking } = this.#store
    if (lacking) log.info({ lacking, model: endpoint.model }, 'computing vectors for passages')
    this.#backfill.wake()
  }

  /** Texts on these boards changed. */
  boardsChanged(projects: readonly number[]): void {
    this.#signs.drop(projects)
    this.#backfill.wake()
  }

  /** Best first; empty if the endpoint does not answer in time. Throws if the file is damaged. */
  async nearest(question: PassageQuery): Promise<Ranked[]> {
    const { text, projects } = question
    const embedder = this.#embedder
    if (!this.#store.size || !text.trim() || embedder.signal.aborted) return []
    try {
      const vector = await this.#vectorOf(truncate(text, MAX_QUESTION_LENGTH))
      if (!vector || embedder.signal.aborted) return []
      return this.#signs.nearest(vector, projects, MAX_NEAREST, this.#filterFor(question))
    } catch (error) {
      if (isDamage(error)) throw error
      const isInvalidInput = error instanceof EmbeddingError && error.kind === 'invalid_input'
      // A question that the endpoint rejects says nothing about the next one, so no back-off.
      if (isInvalidInput) embedder.warn('the embeddings endpoint rejects a query', error)
      else embedder.reportFailure(embedder.questions, error)
      return []
    }
  }

  /** Fuses two rankings. Neighbouring passages overlap, so only the better one is kept. */
  fuse(byWords: readonly Ranked[], byMeaning: readonly Ranked[], limit: number): Ranked[] {
    const position = this.#db.query<{ source: number; ordinal: number }, [number]>(
      'SELECT source, ordinal FROM passages WHERE id = ?',
    )
    const fused = fuse([byWords, byMeaning]).slice(0, limit * 2)
    return dropNeighbours(fused.flatMap((hit) => ({ ...hit, ...position.get(hit.id) }))).slice(
      0,
      limit,
    )
  }

  state(): { lacking: number; bytes: number } {
    return { lacking: this.#store.lacking, bytes: this.#signs.bytes }
  }

  async close(): Promise<void> {
    this.#embedder.close()
    await this.#backfill.idle()
  }

  /** A filter for the texts that may answer a question. */
  #filterFor(question: PassageQuery): (source: number) => boolean {
    const isIncluded = sourceFilter(question)
    if (!isIncluded) return () => true
    const sourcesOnBoard = this.#db.query<Source, [number]>(
      'SELECT * FROM sources WHERE project = ?',
    )
    const included = question.projects.flatMap((project) =>
      sourcesOnBoard.all(project).filter(isIncluded),
    )
    const numbers = new Set(included.map(({ source }) => source))
    return (source) => numbers.has(source)
  }

  async #vectorOf(text: string): Promise<Float32Array | undefined> {
    const cached = this.#questionVectors.get(text)
    if (cached?.length === this.#store.size) return cached
    if (this.#embedder.questions.remaining) return undefined
    const vector = await this.#embedder.question(text)
    const previousSize = this.#store.size
    if (!this.#store.accepts(vector.length)) throw sizeMismatch(vector.length, previousSize)
    if (this.#store.size !== previousSize) {
      this.#signs.dropAll()
      this.#backfill.wake()
    }
    this.#questionVectors.delete(text)
    this.#questionVectors.set(text, vector)
    for (const [oldest] of this.#questionVectors) {
      if (this.#questionVectors.size <= MAX_REMEMBERED) break
      this.#questionVectors.delete(oldest)
    }
    return vector
  }
}
