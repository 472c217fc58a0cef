import type { EmbeddingError } from './client.ts'

/** Back-off times in milliseconds. */
export interface BackoffOptions {
  /** After the first failure; doubled after each further one. */
  first: number
  max: number
  /** After a rejected key, which only the operator can fix. */
  refused: number
}

const MAX_RETRY_AFTER = 3600_000

/** Exponential back-off of requests to an endpoint. */
export class Backoff {
  #failures = 0
  #blockedUntil = 0

  constructor(
    private readonly options: BackoffOptions,
    private readonly now: () => number,
    private readonly random: () => number = Math.random,
  ) {}

  /** Milliseconds until the next request is allowed. */
  get remaining(): number {
    return Math.max(0, this.#blockedUntil - this.now())
  }

  /** Resets the back-off. Returns whether the previous request had failed. */
  recordSuccess(): boolean {
    const hadFailed = this.#failures > 0
    this.#failures = 0
    this.#blockedUntil = 0
    return hadFailed
  }

  recordFailure({ kind, retryAfter }: Pick<EmbeddingError, 'kind' | 'retryAfter'>): void {
    this.#failures++
    const { first, max, refused } = this.options
    const exponential = Math.min(max, first * 2 ** Math.min(30, this.#failures - 1))
    // Jitter keeps servers that share an endpoint from retrying all at once.
    const delay = kind === 'refused' ? refused : exponential * (0.5 + this.random() / 2)
    const requested = retryAfter && Math.min(retryAfter, MAX_RETRY_AFTER) * (1 + this.random() / 10)
    this.#blockedUntil = this.now() + (requested ?? delay)
  }
}
