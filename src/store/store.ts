import type { Replicas, Store } from '../kernel/dispatch.ts'
import type { Notifier } from './notifier.ts'
import type { RateCounter } from './rate-counter.ts'
import type { ReplicaState } from './replicas.ts'

export interface OpenStore extends Store {
  /** Calls back after every commit, until the returned function is called. */
  onCommit(listener: () => void): () => void
  /** Number of writes that wait for the next commit. */
  queueLength(): number
  /** Shared by all processes of the database; absent if only one process serves it. */
  rateCounter?: Pick<RateCounter, 'count'>
  /** Reaches the other processes of the database; absent if only one serves it. */
  notifier?: Pick<Notifier, 'send' | 'subscribe'>
  replicas?: Replicas & { states(): Promise<ReplicaState[]> }
  close(): Promise<void>
}
