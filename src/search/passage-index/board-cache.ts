import type { Database } from 'bun:sqlite'
import { BoardIndex, type SourceChange } from './board-index.ts'
import type { BoardChange, IndexLog } from './types.ts'

/** A board and its size when it was last measured. */
interface CachedBoard {
  board: BoardIndex
  bytes: number
}

/** A cache of board indexes, bounded in bytes. Evicts the least recently used. */
export class BoardCache {
  /** The most recently used board is last. */
  private readonly cached = new Map<number, CachedBoard>()
  bytes = 0

  constructor(
    private readonly db: Database,
    private readonly maxBytes: number,
    private readonly log: IndexLog,
  ) {}

  get size(): number {
    return this.cached.size
  }

  /** Yields boards in groups that fit into memory. Drop a group before taking the next. */
  *groups(projects: readonly number[]): Generator<BoardIndex[]> {
    let group: CachedBoard[] = []
    let bytes = 0
    for (const project of new Set(projects)) {
      const cached = this.load(project)
      if (group.length && bytes + cached.bytes > this.maxBytes) {
        yield group.map(({ board }) => board)
        this.updateBytes(group)
        group = []
        bytes = 0
      }
      group.push(cached)
      bytes += cached.bytes
      this.evict(group.length)
    }
    if (group.length) yield group.map(({ board }) => board)
    this.updateBytes(group)
    this.evict(0)
  }

  applyChanges(project: number, changes: readonly SourceChange[]): void {
    const cached = this.cached.get(project)
    if (!cached) return
    for (const change of changes) cached.board.applyChange(change)
    this.updateBytes([cached])
  }

  reload(project: number): void {
    const cached = this.cached.get(project)
    if (!cached) return
    cached.board.reload()
    this.updateBytes([cached])
  }

  /** Another thread changed the board; it is read again when it is searched. */
  invalidate({ project, sources }: BoardChange): void {
    this.cached.get(project)?.board.invalidate(sources)
  }

  private load(project: number): CachedBoard {
    const cached = this.cached.get(project) ?? {
      board: new BoardIndex(this.db, project, this.log),
      bytes: 0,
    }
    this.cached.delete(project)
    this.cached.set(project, cached)
    this.updateBytes([cached])
    return cached
  }

  /** Few questions need the words of a board, and they take as much memory as half of its texts. */
  private releaseWords(): void {
    for (const cached of this.cached.values()) cached.board.releaseWords()
    this.updateBytes([...this.cached.values()])
  }

  private updateBytes(boards: readonly CachedBoard[]): void {
    for (const cached of boards) {
      const { bytes } = cached.board
      this.bytes += bytes - cached.bytes
      cached.bytes = bytes
    }
  }

  /** Evicts the least recently used boards, but keeps at least `minimum` of them. */
  private evict(minimum: number): void {
    if (this.bytes > this.maxBytes) this.releaseWords()
    for (const [project, { bytes }] of this.cached) {
      if (this.bytes <= this.maxBytes || this.cached.size <= minimum) return
      this.cached.delete(project)
      this.bytes -= bytes
    }
  }
}
