import { Backoff, type BackoffOptions } from './backoff.ts'
import { EmbeddingError, type Endpoint, embed } from './client.ts'

/** The part of the logger that this module uses. */
export interface Log {
  info(about: object, text: string): void
  warn(about: object, text: string): void
}

/** Timeouts and back-off times in milliseconds. */
export interface Timeouts {
  /** Timeout of a question, whose caller waits for it. */
  question: number
  texts: number
  questionBackoff: BackoffOptions
  textBackoff: BackoffOptions
  /** Minimum time between two warnings of one kind. */
  warningInterval: number
}

const HOUR = 3600_000

export const DEFAULT_TIMEOUTS: Timeouts = {
  question: 1500,
  texts: 60_000,
  questionBackoff: { first: 1000, max: 60_000, refused: HOUR },
  textBackoff: { first: 1000, max: 60_000, refused: HOUR },
  warningInterval: 60_000,
}

interface EmbedderOptions {
  endpoint: Endpoint
  log: Log
  timeouts: Timeouts
  now: () => number
}

/** Requests vectors from one endpoint, backs off after failures, and logs warnings. */
export class Embedder {
  readonly questions: Backoff
  readonly texts: Backoff
  readonly #closing = new AbortController()
  readonly #lastWarnings = new Map<string, number>()

  constructor(private readonly options: EmbedderOptions) {
    this.questions = new Backoff(options.timeouts.questionBackoff, options.now)
    this.texts = new Backoff(options.timeouts.textBackoff, options.now)
  }

  get signal(): AbortSignal {
    return this.#closing.signal
  }

  close(): void {
    this.#closing.abort()
  }

  async question(text: string): Promise<Float32Array> {
    const [vector] = await this.#request(this.questions, [text], this.options.timeouts.question)
    return vector!
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#request(this.texts, texts, this.options.timeouts.texts)
  }

  async #request(gate: Backoff, texts: readonly string[], ms: number): Promise<Float32Array[]> {
    const { endpoint, log } = this.options
    const vectors = await embed(
      endpoint,
      texts,
      AbortSignal.any([this.signal, AbortSignal.timeout(ms)]),
    )
    if (gate.recordSuccess()) {
      log.info({ endpoint: endpoint.base }, 'the embeddings endpoint responds again')
      this.#lastWarnings.clear()
    }
    return vectors
  }

  /** Backs off and logs a warning. */
  reportFailure(gate: Backoff, error: unknown): void {
    if (this.signal.aborted) return
    const failure = error instanceof EmbeddingError ? error : undefined
    gate.recordFailure(failure ?? { kind: 'failing', retryAfter: undefined })
    this.warn(failure ? WARNINGS[failure.kind] : 'vectors cannot be stored', error)
  }

  warn(text: string, error: unknown): void {
    const { endpoint, log, now, timeouts } = this.options
    if (
      now() - (this.#lastWarnings.get(text) ?? Number.NEGATIVE_INFINITY) <
      timeouts.warningInterval
    )
      return
    this.#lastWarnings.set(text, now())
    const { message } = error as Error
    log.warn({ endpoint: endpoint.base, model: endpoint.model, why: message }, text)
  }
}

const MEANWHILE = 'until then search uses words only'

const WARNINGS: Record<EmbeddingError['kind'], string> = {
  refused: `the embeddings endpoint refuses the key: correct CORK_EMBEDDINGS_API_KEY and restart (it is tried again in an hour); ${MEANWHILE}`,
  busy: `the embeddings endpoint is busy; ${MEANWHILE}`,
  invalid_input: `the embeddings endpoint rejects requests: check CORK_EMBEDDINGS_MODEL; ${MEANWHILE}`,
  invalid_response: `the embeddings endpoint does not return vectors: check CORK_EMBEDDINGS_BASE_URL and CORK_EMBEDDINGS_MODEL; ${MEANWHILE}`,
  failing: `the embeddings endpoint cannot be reached; ${MEANWHILE}`,
}
