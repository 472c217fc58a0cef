import { Database } from 'bun:sqlite'
import type { Passage, PassageQuery } from '../../kernel/services.ts'
import { BoardSearch, MAX_RESULTS } from './board-search.ts'
import type { BoardChange, IndexLog, SearchLoad } from './types.ts'

const BUSY_TIMEOUT_MS = 500

interface ReaderOptions {
  path: string
  memory: number
  log: IndexLog
}

/** Searches an index file that another thread writes, which reports each change. */
export class IndexReader {
  private readonly db: Database
  private readonly boards: BoardSearch
  private answered = 0
  private seconds = 0

  constructor({ path, memory, log }: ReaderOptions) {
    this.db = new Database(path, { readonly: true, strict: true })
    this.db.run(`PRAGMA busy_timeout=${BUSY_TIMEOUT_MS}`)
    this.boards = new BoardSearch(this.db, memory, log)
  }

  search(question: PassageQuery): Passage[] {
    const startedAt = performance.now()
    const limit = Math.min(question.limit, MAX_RESULTS)
    // In one transaction, so that a board is not loaded from before and after a change.
    const answer = this.db.transaction(() =>
      this.boards.passagesOf(question, this.boards.rank(question, limit)),
    )()
    this.answered++
    this.seconds += (performance.now() - startedAt) / 1000
    return answer
  }

  changed(changes: readonly BoardChange[]): void {
    for (const change of changes) this.boards.boards.invalidate(change)
  }

  load(): SearchLoad {
    const { size, bytes } = this.boards.boards
    return { loaded: size, loaded_bytes: bytes, asked: this.answered, seconds: this.seconds }
  }

  close(): void {
    this.db.close()
  }
}
