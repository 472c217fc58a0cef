import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddingError } from './client.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddedPassage, PendingPassage, VectorStore } from './vector-store.ts'

const MAX_TEXTS = 64
/** Below this the batch size doubles after a success, above it grows by one. */
const CAUTIOUS_TEXTS = 8
const MAX_BATCH_LENGTH = 120_000
/** Characters sent of one text, more than most models read. A passage has about a tenth of it. */
const MAX_TEXT_LENGTH = 8000
/** A text rejected even at this length gets no vector. */
const MIN_TEXT_LENGTH = 200

interface BackfillOptions {
  store: VectorStore
  embedder: Embedder
  /** Called with the boards that got new vectors. */
  onFilled(projects: Set<number>): void
}

/** Creates missing vectors in the background, batch by batch. */
export class Backfill {
  #isPending = false
  #running: Promise<void> | undefined
  /** Current batch size; some endpoints accept fewer texts than others. */
  #batchSize = MAX_TEXTS

  constructor(private readonly options: BackfillOptions) {}

  wake(): void {
    this.#isPending = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // `wake` was called while the run was ending.
      if (this.#isPending && !this.options.embedder.signal.aborted) this.wake()
    })
  }

  /** Resolves when the current run has ended. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { embedder } = this.options
    // Lets the caller of `wake` continue first.
    await sleep(0)
    while (this.#isPending && !embedder.signal.aborted) {
      try {
        await this.#fillBatch()
      } catch (error) {
        embedder.reportFailure(embedder.texts, error)
      }
      await sleep(embedder.texts.remaining, undefined, {
        signal: embedder.signal,
        ref: false,
      }).catch(() => {})
    }
  }

  async #fillBatch(): Promise<void> {
    const { store, onFilled } = this.options
    this.#isPending = false
    const batch = limitBatch(store.next(this.#batchSize))
    if (!batch.length) return
    // There may be more passages after this batch.
    this.#isPending = true
    const vectors = await this.#embedBatch(batch.map(({ text }) => truncate(text, MAX_TEXT_LENGTH)))
    if (!vectors) return
    const size = vectors.find((vector) => vector)?.length
    if (size && !store.accepts(size)) throw sizeMismatch(size, store.size)
    store.save(
      batch.map(({ passage }, index): EmbeddedPassage => ({ passage, vector: vectors[index] })),
    )
    onFilled(new Set(batch.map(({ project }) => project)))
  }

  /** Undefined if the batch was rejected and must be retried with fewer texts. */
  async #embedBatch(texts: readonly string[]): Promise<(Float32Array | undefined)[] | undefined> {
    try {
      const vectors = await this.options.embedder.embed(texts)
      this.#batchSize = Math.min(
        MAX_TEXTS,
        this.#batchSize < CAUTIOUS_TEXTS ? this.#batchSize * 2 : this.#batchSize + 1,
      )
      return vectors
    } catch (error) {
      if (!isInvalidInput(error)) throw error
      this.#batchSize = Math.ceil(texts.length / 2)
      return texts.length > 1 ? undefined : [await this.#embedShortened(texts[0]!)]
    }
  }

  /** Halves a rejected text until it is accepted; undefined if it becomes too short. */
  async #embedShortened(text: string): Promise<Float32Array | undefined> {
    const { embedder } = this.options
    // If even this is rejected, the text is not the cause, so the error is thrown.
    await embedder.embed(['Probe'])
    for (let part = text; part && (part === text || part.length >= MIN_TEXT_LENGTH); ) {
      try {
        return (await embedder.embed([part]))[0]
      } catch (error) {
        if (!isInvalidInput(error)) throw error
        part = truncate(part, Math.floor(part.length / 2))
      }
    }
    return undefined
  }
}

const isInvalidInput = (error: unknown) =>
  error instanceof EmbeddingError && error.kind === 'invalid_input'

function limitBatch(batch: PendingPassage[]): PendingPassage[] {
  let length = 0
  return batch.filter(({ text }, index) => {
    length += Math.min(text.length, MAX_TEXT_LENGTH)
    return index === 0 || length <= MAX_BATCH_LENGTH
  })
}

/** Truncates a text without splitting a surrogate pair. */
export const truncate = (text: string, limit: number): string =>
  text.length > limit ? text.slice(0, limit).replace(/[\ud800-\udbff]$/, '') : text

export const sizeMismatch = (size: number, stored: number) =>
  new EmbeddingError(
    'invalid_response',
    `its vectors now have ${size} numbers, but the stored ones have ${stored}; after a restart all are recomputed`,
  )
