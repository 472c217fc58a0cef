import type { Database } from 'bun:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { TitleQuery, TitleRef } from '../../kernel/services.ts'
import type { SourceChange } from '../passage-index/board-index.ts'
import { numberOf, type Source } from '../passage-index/sources.ts'
import { type Title, TitleCandidates } from './candidates.ts'
import { titleScore } from './score.ts'
import { titleWords } from './words.ts'

/** Older titles are not in the index; the search for tasks finds them. */
export const MAX_TITLES = 100_000
const MAX_TYPED_WORDS = 8
const MAX_RESULTS = 200
const CHUNK = 200
const SLICE_MS = 8

/** The kinds of texts whose titles are indexed, with the kind of result. */
const KINDS = { task: numberOf('description'), page: numberOf('page') } as const

/** Finds titles of tasks and pages while they are typed. It is filled at the first search. */
export class TitleIndex {
  private readonly candidates = new TitleCandidates(MAX_TITLES)
  /** Where loading continues for each kind. */
  private readonly unloaded = Object.values(KINDS).map((kind) => ({
    kind,
    before: Number.MAX_SAFE_INTEGER,
  }))
  private isStarted = false
  private readonly next

  constructor(db: Database) {
    this.next = db.query<Title, [number, number, number]>(
      `SELECT source, kind, ref, project, title FROM sources
       WHERE kind = ? AND ref < ? ORDER BY ref DESC LIMIT ?`,
    )
  }

  /** While the index is being filled, the newest titles are found. */
  async find({ text, projects, kinds, limit }: TitleQuery): Promise<TitleRef[]> {
    this.start()
    const typed = titleWords(text).slice(0, MAX_TYPED_WORDS)
    if (!typed.length) return []
    const boards = new Set(projects)
    const ofKinds = new Set<number>(kinds.map((kind) => KINDS[kind]))
    const isVisible = ({ project, kind }: { project: number; kind: number }) =>
      boards.has(project) && ofKinds.has(kind)
    const count = Math.min(limit, MAX_RESULTS)
    const ranked = this.candidates
      .find(typed, isVisible)
      .map((title) => ({ ...title, score: titleScore(typed, title.words) ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || b.ref - a.ref)
    return kinds.flatMap((kind) =>
      ranked
        .filter((title) => title.kind === KINDS[kind])
        .slice(0, count)
        .map(({ ref }) => ({ kind, id: ref })),
    )
  }

  /** Applies the changes of texts that were just written. */
  apply(changes: ReadonlyMap<number, readonly SourceChange[]>): void {
    if (!this.isStarted) return
    for (const [project, list] of changes)
      for (const { source, isOnBoard } of list) {
        if (!isTitle(source)) continue
        if (isOnBoard) this.candidates.put(source)
        // A moved text may have arrived on its new board before it leaves the old one.
        else this.candidates.remove(source.source, project)
      }
  }

  /** Stops loading, because the file is about to be closed or emptied. */
  close(): void {
    this.unloaded.length = 0
  }

  private start(): void {
    if (this.isStarted) return
    this.isStarted = true
    this.loadNext()
    // If the file is damaged, the next search finds that out too.
    this.loadRest().catch(() => {
      this.isStarted = false
    })
  }

  private async loadRest(): Promise<void> {
    while (this.unloaded.length) {
      await setImmediate()
      const startedAt = performance.now()
      while (this.unloaded.length && performance.now() - startedAt < SLICE_MS) this.loadNext()
    }
  }

  /** Loads the next titles of each kind, the newest first. */
  private loadNext(): void {
    for (const position of [...this.unloaded]) {
      const rows = this.next.all(position.kind, position.before, CHUNK)
      for (const row of rows) this.candidates.addOlder(row)
      position.before = rows.at(-1)?.ref ?? 0
      if (rows.length < CHUNK || this.candidates.isFull)
        this.unloaded.splice(this.unloaded.indexOf(position), 1)
    }
  }
}

const isTitle = ({ kind }: Source) => kind === KINDS.task || kind === KINDS.page
