import type { Database } from 'bun:sqlite'
import type { Question } from '../../kernel/outside.ts'
import { isDamage } from '../library/file.ts'
import type { Meanings } from '../library/keeper.ts'
import type { Source } from '../library/sources.ts'
import { wantedBy } from '../library/wanted.ts'
import { Asking, type Log, PATIENCE, type Patience } from './asking.ts'
import { apart, Boards } from './boards.ts'
import { type Endpoint, Unembedded } from './client.ts'
import { Filling, shortened, unlike } from './filling.ts'
import { fuse, type Ranked } from './fuse.ts'
import { Kept } from './kept.ts'

export { type Endpoint, embed } from './client.ts'

interface Means {
  /** The library's file, with its tables in place. */
  db: Database
  endpoint: Endpoint
  /** Bytes of vectors that may stay in memory. */
  memory: number
  log: Log
  patience?: Partial<Patience>
  now?: () => number
}

/** Of the passages that are nearest in meaning, as many lend their places to the answer. */
const MOST_NEAR = 100
const MOST_OF_QUESTION = 4000
const REMEMBERED = 256

/** The second opinion of a library: passages by the direction of their vectors. */
export class Vectors implements Meanings {
  readonly #kept: Kept
  readonly #boards: Boards
  readonly #asking: Asking
  readonly #filling: Filling
  /** Vectors of questions that were asked before. */
  readonly #asked = new Map<string, Float32Array>()
  readonly #db: Database

  constructor({
    db,
    endpoint,
    memory,
    log,
    patience,
    now = performance.now.bind(performance),
  }: Means) {
    this.#db = db
    this.#kept = new Kept(db, endpoint.model)
    this.#boards = new Boards(db, memory)
    this.#asking = new Asking({ endpoint, log, patience: { ...PATIENCE, ...patience }, now })
    this.#filling = new Filling({
      kept: this.#kept,
      asking: this.#asking,
      filled: (projects) => this.#boards.drop(projects),
    })
    const { lacking } = this.#kept
    if (lacking) log.info({ lacking, model: endpoint.model }, 'passages are being given vectors')
    this.#filling.wake()
  }

  /** Texts on these boards are other ones than before. */
  changed(projects: readonly number[]): void {
    this.#boards.drop(projects)
    this.#filling.wake()
  }

  /** Best first; nothing where the endpoint does not answer in time. Refuses a damaged file. */
  async nearest(question: Question): Promise<Ranked[]> {
    const { text, projects } = question
    const asking = this.#asking
    if (!this.#kept.size || !text.trim() || asking.ended.aborted) return []
    try {
      const vector = await this.#vectorOf(shortened(text, MOST_OF_QUESTION))
      if (!vector || asking.ended.aborted) return []
      return this.#boards.nearest(vector, projects, MOST_NEAR, this.#wanted(question))
    } catch (error) {
      if (isDamage(error)) throw error
      const isUnfit = error instanceof Unembedded && error.trouble === 'unfit'
      // One question that is not taken says nothing of the next one.
      if (isUnfit) asking.warn('the embeddings endpoint does not take a question', error)
      else asking.stumbled(asking.questions, error)
      return []
    }
  }

  /** Passages overlap: of two that follow each other only the better one is an answer. */
  fuse(byWords: readonly Ranked[], byMeaning: readonly Ranked[], limit: number): Ranked[] {
    const where = this.#db.query<{ source: number; ordinal: number }, [number]>(
      'SELECT source, ordinal FROM passages WHERE id = ?',
    )
    const fused = fuse([byWords, byMeaning]).slice(0, limit * 2)
    return apart(fused.flatMap((one) => ({ ...one, ...where.get(one.id) }))).slice(0, limit)
  }

  state(): { lacking: number; bytes: number } {
    return { lacking: this.#kept.lacking, bytes: this.#boards.bytes }
  }

  async close(): Promise<void> {
    this.#asking.end()
    await this.#filling.ended()
  }

  /** Whether passages of that text may answer. */
  #wanted(question: Question): (source: number) => boolean {
    const wanted = wantedBy(question)
    if (!wanted) return () => true
    const of = this.#db.query<Source, [number]>('SELECT * FROM sources WHERE project = ?')
    const may = question.projects.flatMap((project) => of.all(project).filter(wanted))
    const numbers = new Set(may.map(({ source }) => source))
    return (source) => numbers.has(source)
  }

  async #vectorOf(text: string): Promise<Float32Array | undefined> {
    const known = this.#asked.get(text)
    if (known?.length === this.#kept.size) return known
    if (this.#asking.questions.rest) return undefined
    const vector = await this.#asking.question(text)
    const before = this.#kept.size
    if (!this.#kept.accepts(vector.length)) throw unlike(vector.length, before)
    if (this.#kept.size !== before) {
      this.#boards.dropAll()
      this.#filling.wake()
    }
    this.#asked.delete(text)
    this.#asked.set(text, vector)
    for (const [oldest] of this.#asked) {
      if (this.#asked.size <= REMEMBERED) break
      this.#asked.delete(oldest)
    }
    return vector
  }
}
