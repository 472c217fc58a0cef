import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { ask, type Output } from '../data/client.ts'

export type Entry = Output<'runs.transcript'>['items'][number]

const PAGE = 50
/** So many pages are asked for at once; those that were scrolled past meanwhile are not. */
const AT_ONCE = 4
const AGAIN_MS = 3000

/**
 * What was said and done in a run, as far as somebody has looked at it. An entry never changes, so
 * each is read once, with those around it, wherever in the transcript one is.
 */
export class Transcript {
  count = 0
  /** Why the last page did not load; it is requested again by itself. */
  error: Error | null = null
  private readonly entries = new Map<number, Entry>()
  private readonly loading = new Set<number>()
  /** How many entries there were when a page was last asked for. */
  private readonly tried = new Map<number, number>()
  private readonly ears = new Set<() => void>()
  private wanted: readonly [first: number, last: number] = [1, 0]
  private timer: ReturnType<typeof setTimeout> | undefined
  private version = 0

  constructor(private readonly run_id: number) {}

  readonly now = () => this.version
  readonly listen = (ear: () => void) => {
    this.ears.add(ear)
    return () => void this.ears.delete(ear)
  }

  /** The entry of that number, from 1; nothing until it is there. */
  at = (number: number): Entry | undefined => this.entries.get(number)

  /** There are so many now. */
  grow(count: number) {
    if (count <= this.count) return
    this.count = count
    this.fill()
    this.tell()
  }

  /** These are looked at. */
  want(first: number, last: number) {
    this.wanted = [first, last]
    this.fill()
  }

  /** Requests at once what failed. */
  async retry() {
    clearTimeout(this.timer)
    this.tried.clear()
    this.fill()
  }

  end() {
    clearTimeout(this.timer)
    this.ears.clear()
  }

  private tell() {
    this.version++
    for (const ear of this.ears) ear()
  }

  private fill() {
    const [first, last] = this.wanted
    const to = Math.floor((Math.min(last, this.count) - 1) / PAGE)
    for (let page = Math.floor((first - 1) / PAGE); page <= to; page++) {
      if (this.loading.size >= AT_ONCE) return
      if (!this.isWhole(page) && !this.loading.has(page) && this.tried.get(page) !== this.count)
        void this.load(page)
    }
  }

  private isWhole(page: number): boolean {
    const last = Math.min((page + 1) * PAGE, this.count)
    // Pages are read whole, so their last entry says it.
    return this.entries.has(last) && this.entries.has(page * PAGE + 1)
  }

  private async load(page: number) {
    this.loading.add(page)
    this.tried.set(page, this.count)
    const { run_id } = this
    try {
      const { items } = await ask('runs.transcript', { run_id, limit: PAGE, offset: page * PAGE })
      this.error = null
      for (const entry of items) this.entries.set(entry.number, entry)
      this.count = Math.max(this.count, items.at(-1)?.number ?? 0)
      this.tell()
    } catch (error) {
      this.error = error instanceof Error ? error : new Error(String(error))
      this.tell()
      // Asked for again by itself: the shape of what is missing stands there meanwhile.
      this.timer = setTimeout(() => {
        this.tried.delete(page)
        this.fill()
      }, AGAIN_MS)
    } finally {
      this.loading.delete(page)
      this.fill()
    }
  }
}

/** The transcript of a run, drawn again whenever there is more of it. */
export function useTranscript(run_id: number): Transcript {
  const transcript = useMemo(() => new Transcript(run_id), [run_id])
  useSyncExternalStore(transcript.listen, transcript.now)
  useEffect(() => () => transcript.end(), [transcript])
  return transcript
}
