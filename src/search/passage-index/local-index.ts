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
import type { LiveSegment } from '../corpus.ts'
import { containsAny } from '../exclusion.ts'
import { type Hit, type RankSource, rank } from '../rank.ts'
import { profileOf } from '../similarity.ts'
import { TitleIndex } from '../titles/title-index.ts'
import { combine } from '../vocabulary.ts'
import { BoardCache } from './board-cache.ts'
import { comparePassages, wordWeights } from './comparison.ts'
import { similarPairs } from './duplicates.ts'
import { clearTables, type IndexFile, isDamage, openFile, resetFile } from './file.ts'
import { sourceFilter } from './filter.ts'
import { BUSY_GROWTH, IDLE_GROWTH, updateModel } from './models.ts'
import { BUSY_THRESHOLD, compact, IDLE_THRESHOLD } from './segments.ts'
import { kindOf, numberOf, type Source, sourceStatements } from './sources.ts'
import {
  type IndexLog,
  type IndexState,
  type IndexUpdate,
  type LogPosition,
  type PassageIndex,
  Unready,
} from './types.ts'
import { pruneWords, VocabularyWriter } from './vocabulary.ts'
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
}

const MAX_RESULTS = 200
const IDLE_MS = 1000
/** When segments are merged and models are trained: while texts arrive, and when none do. */
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
      boards: new BoardCache(db, memory, log),
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
      this.rankByWords(question, byVectors ? MAX_RESULTS : limit),
    )
    const vectorHits = byVectors && (await this.withRecovery(() => byVectors))
    const hits = vectorHits?.length
      ? this.parts.meanings!.fuse(byWords, vectorHits, without.length ? MAX_RESULTS : limit)
      : byWords.slice(0, limit)
    const found = (await this.withRecovery(() => this.passagesOf(hits)))
      .filter(({ headings, text }) => !containsAny([...headings, text].join('\n'), without))
      .slice(0, limit)
    const passages = question.isComparable
      ? await this.withRecovery(() => this.compare(question, found))
      : found
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
      const weightOf = wordWeights(this.segmentsOf(project_id))
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
      const { intake, boards, vocabulary, titles, meanings: vectors } = this.parts
      try {
        const changes = await intake.apply(delivery)
        for (const [project, list] of changes) boards.applyChanges(project, list)
        titles.apply(changes)
        vectors?.boardsChanged([...changes.keys()])
        if (changes.size) this.scheduleCompaction([...changes.keys()])
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
        loaded: this.parts.boards.size,
        loaded_bytes: this.parts.boards.bytes + (vectors?.bytes ?? 0),
        ...(vectors && { lacking: vectors.lacking }),
        place: this.readPosition(),
        asked: this.answered,
        seconds: this.seconds,
      }
    })
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

  private rankByWords(question: PassageQuery, limit: number): Hit[] {
    const filter = sourceFilter(question)
    const hits: Hit[] = []
    const isQuick = question.minScore !== undefined
    for (const group of this.parts.boards.groups(question.projects)) {
      const segments = group.flatMap((board) => board.liveSegments(filter))
      if (!segments.length) continue
      // A getter, because most questions need no vocabulary.
      const source: RankSource = {
        segments,
        get vocabulary() {
          return combine(group.map((board) => board.vocabulary))
        },
      }
      hits.push(...rank({ ...question, limit, isQuick }, source))
    }
    return hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit)
  }

  private compare(question: PassageQuery, passages: readonly Passage[]): Passage[] {
    const weights = new Map<number, ReturnType<typeof wordWeights>>()
    return comparePassages(question, passages, (project) => {
      const weightOf = weights.get(project) ?? wordWeights(this.segmentsOf(project))
      weights.set(project, weightOf)
      return weightOf
    })
  }

  private segmentsOf(project: number): LiveSegment[] {
    return [...this.parts.boards.groups([project])].flat().flatMap((board) => board.liveSegments())
  }

  private passagesOf(hits: readonly Hit[]): Passage[] {
    const { sources } = this.parts
    return hits.flatMap(({ id, score }) => {
      const passage = sources.passage.get(id)
      const source = passage && sources.byNumber.get(passage.source)
      if (!source) return []
      const headings = [source.title, ...(JSON.parse(passage.headings) as string[])]
      return { ...sourceKeys(source), headings, text: passage.text, score }
    })
  }

  /** Undefined if a CLI command requested a rebuild (table `again`). */
  private readPosition(): LogPosition | undefined {
    const where = 'WHERE NOT EXISTS (SELECT 1 FROM again)'
    return (
      this.file.db.query<LogPosition, []>(`SELECT seq, mark FROM place ${where}`).get() ?? undefined
    )
  }

  private scheduleCompaction(projects: readonly number[]): void {
    this.compactBoards(projects, BUSY)
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
        const { file, parts } = this
        const isCancelled = () => this.closing || file !== this.file
        let isCompacted = false
        while (!isCancelled() && compact(file.db, project, when.threshold, log)) {
          isCompacted = true
          parts.boards.reload(project)
          await setImmediate()
        }
        const { growth } = when
        if (isCancelled()) return
        if (isCompacted && when === IDLE) {
          pruneWords(file.db, project, log)
          parts.vocabulary.forget()
        }
        if (await updateModel(file.db, project, { growth, log, isCancelled }))
          parts.boards.reload(project)
      }).catch((error) =>
        log.warn({ err: error }, `The search index was not updated: ${describeProblem(error)}`),
      )
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

const sourceKeys = ({ kind, ref, task, project }: Source) => ({
  kind: kindOf(kind),
  id: ref,
  task_id: task,
  project_id: project,
})
