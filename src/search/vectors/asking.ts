import { type Endpoint, embed, Unembedded } from './client.ts'
import { Gate, type Pauses } from './gate.ts'

/** As much of a log as this room writes. */
export interface Log {
  info(about: object, text: string): void
  warn(about: object, text: string): void
}

/** Milliseconds. */
export interface Patience {
  /** Whoever asks a question waits for it. */
  question: number
  texts: number
  questionPauses: Pauses
  textPauses: Pauses
  /** Between two warnings of one kind. */
  warning: number
}

const HOUR = 3600_000

export const PATIENCE: Patience = {
  question: 1500,
  texts: 60_000,
  questionPauses: { first: 1000, most: 60_000, refused: HOUR },
  textPauses: { first: 1000, most: 60_000, refused: HOUR },
  warning: 60_000,
}

interface Way {
  endpoint: Endpoint
  log: Log
  patience: Patience
  now: () => number
}

/** Asks one endpoint for vectors, leaves it alone while it is in trouble, and says so. */
export class Asking {
  readonly questions: Gate
  readonly texts: Gate
  readonly #ended = new AbortController()
  readonly #warned = new Map<string, number>()

  constructor(private readonly way: Way) {
    this.questions = new Gate(way.patience.questionPauses, way.now)
    this.texts = new Gate(way.patience.textPauses, way.now)
  }

  get ended(): AbortSignal {
    return this.#ended.signal
  }

  end(): void {
    this.#ended.abort()
  }

  async question(text: string): Promise<Float32Array> {
    const [vector] = await this.#ask(this.questions, [text], this.way.patience.question)
    return vector!
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#ask(this.texts, texts, this.way.patience.texts)
  }

  async #ask(gate: Gate, texts: readonly string[], ms: number): Promise<Float32Array[]> {
    const { endpoint, log } = this.way
    const vectors = await embed(
      endpoint,
      texts,
      AbortSignal.any([this.ended, AbortSignal.timeout(ms)]),
    )
    if (gate.open()) {
      log.info({ endpoint: endpoint.base }, 'the embeddings endpoint answers again')
      this.#warned.clear()
    }
    return vectors
  }

  /** It is left alone for a while, and whoever runs the server hears why. */
  stumbled(gate: Gate, error: unknown): void {
    if (this.ended.aborted) return
    const trouble = error instanceof Unembedded ? error : undefined
    gate.shut(trouble ?? { trouble: 'failing', rest: undefined })
    this.warn(trouble ? SAID[trouble.trouble] : 'vectors cannot be kept', error)
  }

  warn(text: string, error: unknown): void {
    const { endpoint, log, now, patience } = this.way
    if (now() - (this.#warned.get(text) ?? Number.NEGATIVE_INFINITY) < patience.warning) return
    this.#warned.set(text, now())
    const { message } = error as Error
    log.warn({ endpoint: endpoint.base, model: endpoint.model, why: message }, text)
  }
}

const MEANWHILE = 'meanwhile search finds by words alone'

const SAID: Record<Unembedded['trouble'], string> = {
  refused: `the embeddings endpoint refuses the key: correct CORK_EMBEDDINGS_API_KEY and restart (it is tried again in an hour); ${MEANWHILE}`,
  busy: `the embeddings endpoint asks to be left alone for a while; ${MEANWHILE}`,
  unfit: `the embeddings endpoint does not take what it is sent: is CORK_EMBEDDINGS_MODEL right? ${MEANWHILE}`,
  odd: `the embeddings endpoint answers with what is no vectors: are CORK_EMBEDDINGS_BASE_URL and CORK_EMBEDDINGS_MODEL right? ${MEANWHILE}`,
  failing: `the embeddings endpoint cannot be reached; ${MEANWHILE}`,
}
