import { setTimeout as after } from 'node:timers/promises'
import type { Asking } from './asking.ts'
import { Unembedded } from './client.ts'
import type { Kept, Lacking, Made } from './kept.ts'

const MOST_TEXTS = 64
/** From here on it is tried only little by little whether more are taken. */
const FEW_TEXTS = 8
const MOST_LETTERS = 120_000
/** More than a model reads of one text, as a rule; a passage is a tenth of that. */
const MOST_OF_ONE = 8000
/** What is not taken even when cut down to this is not taken at all. */
const SHORTEST = 200

interface Way {
  kept: Kept
  asking: Asking
  /** These boards have new vectors. */
  filled(projects: Set<number>): void
}

/** Makes the vectors that are lacking, in the background, one batch after the other. */
export class Filling {
  #isWoken = false
  #running: Promise<void> | undefined
  /** Some endpoints take fewer texts at once than others. */
  #most = MOST_TEXTS

  constructor(private readonly way: Way) {}

  wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Somebody came while it was on its way out.
      if (this.#isWoken && !this.way.asking.ended.aborted) this.wake()
    })
  }

  /** Resolves when nothing is under way any more. */
  async ended(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { asking } = this.way
    // Whoever woke it goes first.
    await after(0)
    while (this.#isWoken && !asking.ended.aborted) {
      try {
        await this.#batch()
      } catch (error) {
        asking.stumbled(asking.texts, error)
      }
      await after(asking.texts.rest, undefined, { signal: asking.ended, ref: false }).catch(
        () => {},
      )
    }
  }

  async #batch(): Promise<void> {
    const { kept, filled } = this.way
    this.#isWoken = false
    const batch = bounded(kept.next(this.#most))
    if (!batch.length) return
    // There may be more.
    this.#isWoken = true
    const vectors = await this.#vectors(batch.map(({ text }) => shortened(text, MOST_OF_ONE)))
    if (!vectors) return
    const size = vectors.find((one) => one)?.length
    if (size && !kept.accepts(size)) throw unlike(size, kept.size)
    kept.keep(batch.map(({ passage }, at): Made => ({ passage, vector: vectors[at] })))
    filled(new Set(batch.map(({ project }) => project)))
  }

  /** Nothing where fewer texts at once may be taken. */
  async #vectors(texts: readonly string[]): Promise<(Float32Array | undefined)[] | undefined> {
    try {
      const vectors = await this.way.asking.embed(texts)
      this.#most = Math.min(MOST_TEXTS, this.#most < FEW_TEXTS ? this.#most * 2 : this.#most + 1)
      return vectors
    } catch (error) {
      if (!isUnfit(error)) throw error
      this.#most = Math.ceil(texts.length / 2)
      return texts.length > 1 ? undefined : [await this.#shorter(texts[0]!)]
    }
  }

  /** Of as much of a text as is taken; nothing where that is next to nothing. */
  async #shorter(text: string): Promise<Float32Array | undefined> {
    const { asking } = this.way
    // Where nothing at all is taken it is not the text that is wrong, and it is not given up.
    await asking.embed(['Probe'])
    for (let part = text; part && (part === text || part.length >= SHORTEST); ) {
      try {
        return (await asking.embed([part]))[0]
      } catch (error) {
        if (!isUnfit(error)) throw error
        part = shortened(part, Math.floor(part.length / 2))
      }
    }
    return undefined
  }
}

const isUnfit = (error: unknown) => error instanceof Unembedded && error.trouble === 'unfit'

function bounded(batch: Lacking[]): Lacking[] {
  let letters = 0
  return batch.filter(({ text }, at) => {
    letters += Math.min(text.length, MOST_OF_ONE)
    return at === 0 || letters <= MOST_LETTERS
  })
}

/** Never ends within a letter. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text

export const unlike = (size: number, kept: number) =>
  new Unembedded(
    'odd',
    `its vectors have ${size} numbers now, and those that are kept have ${kept}; after a restart all are made anew`,
  )
