import { setImmediate } from 'node:timers/promises'
import type {
  DuplicateQuery,
  Passage,
  PassageQuery,
  SimilarPair,
  TitleQuery,
  TitleRef,
} from '../../kernel/services.ts'
import { describeProblem } from '../../store/errors.ts'
import { containsAny } from '../ranking/exclusion.ts'
import type { Hit } from '../ranking/rank.ts'
import { profileOf } from '../ranking/similarity.ts'
import { TitleIndex } from '../titles/title-index.ts'
import type { SourceChange } from './board-index.ts'
import { BoardSearch, MAX_RESULTS } from './board-search.ts'
import { wordWeights } from './comparison.ts'
import { similarPairs } from './duplicates.ts'
import { clearTables, type IndexFile, isDamage, openFile, resetFile } from './file.ts'
import { BUSY_GROWTH, IDLE_GROWTH, untrainedBoards, updateModel } from './models.ts'
import { BUSY_THRESHOLD, compact, IDLE_THRESHOLD, SCAN_THRESHOLD } from './segments.ts'
import { numberOf, sourceStatements } from './sources.ts'
import {
  type BoardChange,
  type IndexLog,
  type IndexState,
  type IndexUpdate,
  type LogPosition,
  type PassageIndex,
  Unready,
} from './types.ts'
import { mergeWords, VocabularyWriter } from './vocabulary.ts'
import { IndexWriter } from './writer.ts'

/** Finds passages by vectors, which it stores in its own tables of the same file. */
export interface VectorSearch {
  /** Texts on these boards changed. */
  boardsChanged(projects: readonly number[]): void
  /** Best first; empty if there is no answer in time. */
  nearest(question: PassageQuery): Promise<Hit[]>
  fuse(byWords: readonly Hit[], byMeaning: readonly Hit[], limit: number): Hit[]
  /** Passages without a vector, and bytes in memory. */
  state(): { lacking: number; bytes: number }
  close(): Promise<void>
}

export interface LocalIndexOptions {
  /** Path of the file, or `:memory:`. */
  path: string
  /** Bytes that boards may take in memory. */
  memory: number
  log: IndexLog
  vectors?: (file: IndexFile['db']) => VectorSearch
  /** Boards changed in the file; undefined if the whole file was emptied or replaced. */
  onChange?: (changes: readonly BoardChange[] | undefined) => void
}

const IDLE_MS = 1000
/** When segments are merged and models are trained: in a scan, while texts arrive, and when none do. */
const SCAN = { threshold: SCAN_THRESHOLD, growth: Number.POSITIVE_INFINITY }
const BUSY = { threshold: BUSY_THRESHOLD, growth: BUSY_GROWTH }
const IDLE = { threshold: IDLE_THRESHOLD, growth: IDLE_GROWTH }

/** The index, stored in a file and searched in this thread. */
export class LocalIndex implements PassageIndex {
  private file: IndexFile
  private parts: ReturnType<LocalIndex['build']>
  /** Serializes the writes to the file. */
  private queue: Promise<unknown> = Promise.resolve()
  /** Boards that changed since the last idle compaction. */
  private readonly uncompacted = new Set<number>()
  private idle: Timer | undefined
  private closing = false
  private answered = 0
  private seconds = 0

  constructor(private readonly options: LocalIndexOptions) {
    this.file = openFile(options.path, options.log)
    this.parts = this.buildOrReset()
    // The process may have ended after a scan and before the training.
    this.enqueue(async () => {
      if (!this.closing) this.scheduleIdle(untrainedBoards(this.file.db))
    }).catch(() => {})
  }

  private buildOrReset() {
    try {
      return this.build()
    } catch (error) {
      if (!isDamage(error)) throw error
      this.resetFile(error)
      return this.build()
    }
  }

  private build() {
    const { db } = this.file
    const { log, memory, vectors } = this.options
    const vocabulary = new VocabularyWriter(db)
    return {
      vocabulary,
      intake: new IndexWriter(db, vocabulary, log),
      search: new BoardSearch(db, memory, log),
      sources: sourceStatements(db),
      titles: new TitleIndex(db),
      meanings: vectors?.(db),
    }
  }

  async search(question: PassageQuery): Promise<Passage[]> {
    const startedAt = performance.now()
    const limit = Math.min(question.limit, MAX_RESULTS)
    const { without = [] } = question
    const isQuick = question.minScore !== undefined
    const byVectors = isQuick ? undefined : this.parts.meanings?.nearest(question)
    // Awaited below, unless the search by words fails first.
    byVectors?.catch(() => {})
    const byWords = await this.withRecovery(() =>
      this.parts.search.rank(question, byVectors ? MAX_RESULTS : limit),
    )
    const vectorHits = byVectors && (await this.withRecovery(() => byVectors))
    const hits = vectorHits?.length
      ? this.parts.meanings!.fuse(byWords, vectorHits, without.length ? MAX_RESULTS : limit)
      : byWords.slice(0, limit)
    const found = await this.withRecovery(() => this.parts.search.passagesOf(question, hits))
    const passages = found
      .filter(({ headings, text }) => !containsAny([...headings, text].join('\n'), without))
      .slice(0, limit)
    this.answered++
    this.seconds += (performance.now() - startedAt) / 1000
    return passages
  }

  find(query: TitleQuery): Promise<TitleRef[]> {
    return this.withRecovery(() => this.parts.titles.find(query))
  }

  duplicates({ project_id, tasks, minScore }: DuplicateQuery): Promise<SimilarPair[]> {
    return this.withRecovery(() => {
      const { sources } = this.parts
      const weightOf = wordWeights(this.parts.search.segmentsOf(project_id))
      const profileOfTask = (task_id: number) => {
        const source = sources.byRef.get(numberOf('description'), task_id)
        if (source?.project !== project_id) return undefined
        const text = sources.passages.get(source.source)?.text ?? ''
        return profileOf(source.title, text, weightOf)
      }
      return similarPairs(tasks, profileOfTask, minScore)
    })
  }

  position(): Promise<LogPosition | undefined> {
    return this.withRecovery(() => this.readPosition())
  }

  apply(delivery: IndexUpdate): Promise<void> {
    return this.enqueue(async () => {
      const { intake, vocabulary, titles, meanings: vectors } = this.parts
      const { boards } = this.parts.search
      try {
        const changes = await intake.apply(delivery)
        for (const [project, list] of changes) boards.applyChanges(project, list)
        titles.apply(changes)
        this.options.onChange?.(changes.entries().map(toBoardChange).toArray())
        vectors?.boardsChanged([...changes.keys()])
        if (changes.size)
          this.scheduleCompaction([...changes.keys()], delivery.isScan ? SCAN : BUSY)
      } catch (error) {
        vocabulary.forget()
        throw error
      }
    })
  }

  clear(): Promise<void> {
    return this.enqueue(async () => {
      clearTables(this.file.db)
      this.parts.titles.close()
      await this.parts.meanings?.close()
      this.parts = this.build()
      this.options.onChange?.(undefined)
    })
  }

  unreadFiles(): Promise<number[]> {
    const rows = () => this.parts.sources.unread.all(numberOf('file'))
    return this.withRecovery(() => rows().map(({ ref }) => ref))
  }

  recordAttempt(id: number): Promise<void> {
    return this.enqueue(async () => {
      this.parts.sources.recordAttempt.run(numberOf('file'), id)
    })
  }

  state(): Promise<IndexState> {
    return this.withRecovery(() => {
      const { db } = this.file
      const vectors = this.parts.meanings?.state()
      const count = (expression: string) =>
        db.query<{ n: number }, []>(`SELECT ${expression} AS n`).get()!.n
      const pragma = (name: string) =>
        Object.values(db.query<Record<string, number>, []>(`PRAGMA ${name}`).get()!)[0]!
      return {
        passages: count('(SELECT count(*) FROM passages)'),
        sources: count('(SELECT count(*) FROM sources)'),
        boards: count('(SELECT count(DISTINCT project) FROM sources)'),
        bytes: pragma('page_count') * pragma('page_size'),
        loaded: this.parts.search.boards.size,
        loaded_bytes: this.parts.search.boards.bytes + (vectors?.bytes ?? 0),
        ...(vectors && { lacking: vectors.lacking }),
        place: this.readPosition(),
        asked: this.answered,
        seconds: this.seconds,
      }
    })
  }

  /** The path of the file, for a reader; undefined if it cannot be shared now. */
  async sharedPath(): Promise<string | undefined> {
    const { isShared, path } = this.file
    return isShared() ? path : undefined
  }

  close(): Promise<void> {
    this.closing = true
    clearTimeout(this.idle)
    const closed = this.queue.then(async () => {
      this.parts.titles.close()
      await this.parts.meanings?.close()
      this.file.close()
    })
    this.queue = closed.catch(() => {})
    return closed
  }

  /** Undefined if a CLI command requested a rebuild (table `again`). */
  private readPosition(): LogPosition | undefined {
    const where = 'WHERE NOT EXISTS (SELECT 1 FROM again)'
    return (
      this.file.db.query<LogPosition, []>(`SELECT seq, mark FROM place ${where}`).get() ?? undefined
    )
  }

  private scheduleCompaction(projects: readonly number[], when: typeof BUSY): void {
    this.compactBoards(projects, when)
    this.scheduleIdle(projects)
  }

  private scheduleIdle(projects: readonly number[]): void {
    for (const project of projects) this.uncompacted.add(project)
    clearTimeout(this.idle)
    this.idle = setTimeout(() => {
      this.compactBoards(this.uncompacted, IDLE)
      this.uncompacted.clear()
    }, IDLE_MS)
  }

  /** Compacts board by board between updates, so that questions are answered in between. */
  private compactBoards(projects: Iterable<number>, when: typeof BUSY): void {
    const { log } = this.options
    for (const project of projects)
      this.enqueue(async () => {
        const { file } = this
        const isCancelled = () => this.closing || file !== this.file
        let isCompacted = false
        while (!isCancelled() && compact(file.db, project, when.threshold, log)) {
          isCompacted = true
          this.reload(project)
          await setImmediate()
        }
        const { growth } = when
        if (isCancelled()) return
        if (when === IDLE && mergeWords(file.db, project, { isPruned: isCompacted, log }))
          this.parts.vocabulary.forget()
        if (await updateModel(file.db, project, { growth, log, isCancelled })) this.reload(project)
      }).catch((error) =>
        log.warn({ err: error }, `The search index was not updated: ${describeProblem(error)}`),
      )
  }

  /** Reloads a board in this worker and in the second one, after its segments or model changed. */
  private reload(project: number): void {
    this.parts.search.boards.reload(project)
    this.options.onChange?.([{ project, sources: [] }])
  }

  private enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.queue.then(() => this.withRecovery(task))
    this.queue = result.catch(() => {})
    return result
  }

  /** Discards a damaged file at once and reports Unready, so that indexing starts over. */
  private async withRecovery<T>(task: () => T | Promise<T>): Promise<T> {
    const { file } = this
    try {
      return await task()
    } catch (error) {
      if (!isDamage(error)) throw error
      // A concurrent task may have met the same damage and replaced the file already.
      if (file === this.file) {
        const { titles, meanings: vectors } = this.parts
        titles.close()
        this.resetFile(error)
        this.parts = this.build()
        this.options.onChange?.(undefined)
        await vectors?.close()
      }
      throw new Unready('The search index is being rebuilt')
    }
  }

  private resetFile(error: unknown): void {
    const { file } = this
    const about = { err: error, file: file.path }
    this.options.log.warn(about, 'The search index is damaged and is rebuilt')
    this.file = resetFile(file, this.options.log)
  }
}

const toBoardChange = ([project, changes]: [number, SourceChange[]]): BoardChange => ({
  project,
  sources: changes.map(({ source }) => source.source),
})
