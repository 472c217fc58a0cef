import type { Store } from '../kernel/dispatch.ts'
import type { Tally } from './tally.ts'

export interface OpenStore extends Store {
  /** Calls back after every group of writes, until the returned function is called. */
  onCommit(heard: () => void): () => void
  /** How many writes wait for the next commit. */
  waiting(): number
  /** Counts that all processes of the database share; absent where one process serves it. */
  tally?: Pick<Tally, 'count'>
  close(): Promise<void>
}
