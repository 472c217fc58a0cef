import type { Caller } from '../../kernel/caller.ts'
import type { Signal } from '../../kernel/services.ts'

/** A change as it is sent to streams. */
export interface LiveChange {
  seq: number
  type: string
  team_id: number | null
  project_id: number | null
  actor_id: number
  actor: object
  data: Record<string, unknown>
  created_at: Date
  /** A position that includes the change, if there are replicas of the database. */
  position?: string
}

/** What the streams need from the rest of the server. */
export interface Source {
  lastSeq(): Promise<number>
  changesSince(seq: number, limit: number): Promise<LiveChange[]>
  onCommit(listener: () => void): () => void
  onSignal(listener: (signal: Signal) => void): () => void
  /** Looks up the caller of the same credential again. Throws a fault if it is invalid. */
  refreshCaller(caller: Caller): Promise<Caller>
  canSeeBoard(caller: Caller, project_id: number): Promise<boolean>
  canHear(
    caller: Caller,
    change: LiveChange,
    canSeeBoard: (project_id: number) => boolean | Promise<boolean>,
  ): boolean | Promise<boolean>
  /** Whether the change may affect who can see what. */
  mayChangeAccess(change: LiveChange): boolean
  onError(error: unknown): void
}

export interface Intervals {
  /** How often to look for changes of other processes, and for checks and pings that are due. */
  poll: number
  /** How often rights are looked up again without a reason. */
  check: number
  /** How long a stream may be silent before it gets a ping. */
  ping: number
}
