import type { Clock, Server, Tx } from './caller.ts'
import type { Store } from './dispatch.ts'

/** What one worker needs to know of a kind of outgoing requests, such as webhooks of agents. */

export interface Outcome {
  at: Date
  ms: number
  /** Null if there was no answer. */
  status: number | null
  /** Null if it was delivered. */
  error: string | null
  /** How long the receiver wants to be left alone, in ms. */
  retryAfter?: number | undefined
}

export interface Attempt {
  now: Date
  /** Aborts the request. */
  signal: AbortSignal
}

/** Where requests go, such as a webhook. The key identifies it within its queue. */
export interface Target {
  key: number
  /** Targets with the same host share its slots. */
  url: string
  /** Claims the next requests. */
  claim(tx: Tx, now: Date, limit: number): Promise<Delivery[]>
}

/** A request that this process has claimed, so that no other process sends it. */
export interface Delivery {
  send(attempt: Attempt): Promise<Outcome>
  /** Records the outcome, and when to try again if it failed. */
  record(tx: Tx, outcome: Outcome, now: Date): Promise<void>
  /** Returns the claim without an attempt. */
  release(tx: Tx): Promise<unknown>
}

export interface DeliveryQueue {
  /** The targets with due requests. Queues that read the change log do so first. */
  due(isStopped: () => boolean): Promise<Target[]>
  /** Frees the claims of a process that was killed. Called only if this one is alone. */
  freeClaims(tx: Tx): Promise<unknown>
  /** Deletes a batch of old rows; returns 0 if none is left. Called once an hour. */
  sweep?(tx: Tx, now: Date): Promise<number>
}

export interface DeliveryServices {
  store: Pick<Store, 'read' | 'write'>
  server: Server
  clock: Clock
}

/** Handles so many at the same time that their writes can share a commit. */
export async function inParallel<T>(items: readonly T[], handle: (item: T) => Promise<void>) {
  for (let index = 0; index < items.length; index += PARALLEL)
    await Promise.all(items.slice(index, index + PARALLEL).map(handle))
}

export const PARALLEL = 8
