import type { Caller } from '../../kernel/caller.ts'

/** A change as listeners are told of it. */
export interface Told {
  seq: number
  type: string
  team_id: number | null
  project_id: number | null
  actor_id: number
  actor: object
  data: Record<string, unknown>
  created_at: Date
}

/** What the streams ask of the rest of the house. */
export interface Source {
  newest(): Promise<number>
  since(seq: number, limit: number): Promise<Told[]>
  onCommit(heard: () => void): () => void
  /** What the same credential allows by now; a fault once it is no good. */
  again(caller: Caller): Promise<Caller>
  sees(caller: Caller, project_id: number): Promise<boolean>
  hears(
    caller: Caller,
    change: Told,
    sees: (project_id: number) => Promise<boolean>,
  ): Promise<boolean>
  failed(error: unknown): void
}

export interface Listener {
  /** Takes what happened after what it was given before; never waits. */
  offer(changes: readonly Told[]): void
  /** Called every few seconds, whether or not anything happened. */
  tick(): void
  end(): void
}

export const BATCH = 200

export interface Pace {
  /** How often to look for what other processes wrote. */
  poll: number
  /** How often a permission is looked up again, and how long a stream may be silent. */
  check: number
  ping: number
}

const CALM: Pace = { poll: 1000, check: 5000, ping: 15_000 }

/** Reads the change log once for all who listen, and not at all while nobody does. */
export class Feed {
  /** Everybody connected, among them those who still catch up. */
  private readonly present = new Set<Listener>()
  private readonly joined = new Set<Listener>()
  private seq = 0
  private again = false
  private pumping = false
  private stop: (() => void) | undefined
  closed = false

  constructor(
    private readonly source: Source,
    readonly pace: Pace = CALM,
  ) {}

  get size() {
    return this.present.size
  }

  enter(listener: Listener) {
    this.present.add(listener)
    this.stop ??= this.start()
  }

  /** Joins, if the listener has read as far as the others have; it catches up by itself until then. */
  join(listener: Listener, seq: number): boolean {
    if (!this.joined.size) this.seq = seq
    if (seq < this.seq) return false
    this.joined.add(listener)
    void this.pump()
    return true
  }

  leave(listener: Listener) {
    this.joined.delete(listener)
    this.present.delete(listener)
    if (this.present.size) return
    this.stop?.()
    this.stop = undefined
  }

  /** Ends every stream; no other will begin. */
  close() {
    this.closed = true
    for (const listener of [...this.present]) listener.end()
  }

  private start() {
    const wake = () => void this.pump()
    const deaf = this.source.onCommit(wake)
    const poll = setInterval(wake, this.pace.poll)
    const check = setInterval(() => {
      for (const listener of [...this.present]) listener.tick()
    }, this.pace.check)
    return () => {
      deaf()
      clearInterval(poll)
      clearInterval(check)
    }
  }

  private async pump() {
    this.again = true
    if (this.pumping) return
    this.pumping = true
    try {
      while (this.again && this.joined.size) {
        this.again = false
        await this.step()
      }
    } catch (error) {
      this.source.failed(error)
    }
    this.pumping = false
  }

  private async step() {
    const from = this.seq
    const changes = await this.source.since(from, BATCH)
    // Everybody may have left and somebody else come while this was read.
    if (!changes.length || this.seq !== from) return
    this.seq = changes.at(-1)!.seq
    for (const listener of [...this.joined]) listener.offer(changes)
    if (changes.length === BATCH) this.again = true
  }
}
