import type { Store } from '../kernel/dispatch.ts'

export interface OpenStore extends Store {
  /** Calls back after every group of writes, until the returned function is called. */
  onCommit(heard: () => void): () => void
  /** How many writes wait for the next commit. */
  waiting(): number
  close(): Promise<void>
}
