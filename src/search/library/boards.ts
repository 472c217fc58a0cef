import type { Database } from 'bun:sqlite'
import { Board, type Change } from './board.ts'
import type { Log } from './shelves.ts'

/** A board, and what it took when it was last looked at. */
interface Held {
  board: Board
  bytes: number
}

/** Boards in memory: loaded when they are asked, and let go of when others need the room. */
export class Boards {
  /** Whoever was asked last stands last. */
  private readonly held = new Map<number, Held>()
  bytes = 0

  constructor(
    private readonly db: Database,
    private readonly most: number,
    private readonly log: Log,
  ) {}

  get size(): number {
    return this.held.size
  }

  /** In groups that fit together; nothing of one may be kept when the next is taken. */
  *groups(projects: readonly number[]): Generator<Board[]> {
    let group: Held[] = []
    let bytes = 0
    for (const project of new Set(projects)) {
      const held = this.hold(project)
      if (group.length && bytes + held.bytes > this.most) {
        yield group.map(({ board }) => board)
        this.weigh(group)
        group = []
        bytes = 0
      }
      group.push(held)
      bytes += held.bytes
      this.shrink(group.length)
    }
    if (group.length) yield group.map(({ board }) => board)
    this.weigh(group)
    this.shrink(0)
  }

  changed(project: number, changes: readonly Change[]): void {
    const held = this.held.get(project)
    if (!held) return
    for (const change of changes) held.board.changed(change)
    this.weigh([held])
  }

  reload(project: number): void {
    const held = this.held.get(project)
    if (!held) return
    held.board.reload()
    this.weigh([held])
  }

  private hold(project: number): Held {
    const held = this.held.get(project) ?? {
      board: new Board(this.db, project, this.log),
      bytes: 0,
    }
    this.held.delete(project)
    this.held.set(project, held)
    this.weigh([held])
    return held
  }

  private weigh(some: readonly Held[]): void {
    for (const held of some) {
      const { bytes } = held.board
      this.bytes += bytes - held.bytes
      held.bytes = bytes
    }
  }

  /** Those asked last stay, as many as are needed now. */
  private shrink(needed: number): void {
    for (const [project, { bytes }] of this.held) {
      if (this.bytes <= this.most || this.held.size <= needed) return
      this.held.delete(project)
      this.bytes -= bytes
    }
  }
}
