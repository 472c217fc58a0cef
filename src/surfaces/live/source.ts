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
    sees: (project_id: number) => boolean | Promise<boolean>,
  ): boolean | Promise<boolean>
  /** Whether it may have changed who sees what. */
  unsettles(change: Told): boolean
  failed(error: unknown): void
}

export interface Pace {
  /** How often to look for what other processes wrote, and who is due. */
  poll: number
  /** How often a permission is looked up again, whatever happens. */
  check: number
  /** How long a stream may be silent. */
  ping: number
}
