import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { callOperation, type Output } from '../../data/client.ts'

export type Entry = Output<'runs.transcript'>['items'][number]

const PAGE = 50
/** The most pages that load at the same time. Pages scrolled past in the meantime are skipped. */
const MAX_LOADING = 4
const RETRY_MS = 3000

/**
 * The loaded part of a run's transcript. Entries never change, so each page is loaded once, for
 * whatever part is visible.
 */
export class Transcript {
  count = 0
  /** Why the last page failed to load; it is retried automatically. */
  error: Error | null = null
  private readonly entries = new Map<number, Entry>()
  private readonly loading = new Set<number>()
  /** The number of entries when a page was last requested. */
  private readonly attempts = new Map<number, number>()
  private readonly listeners = new Set<() => void>()
  private visibleRange: readonly [first: number, last: number] = [1, 0]
  private timer: ReturnType<typeof setTimeout> | undefined
  private version = 0

  constructor(private readonly run_id: number) {}

  readonly getVersion = () => this.version
  readonly listen = (listener: () => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** The entry with this number, from 1; undefined until it has loaded. */
  at = (number: number): Entry | undefined => this.entries.get(number)

  /** Reports a new number of entries. */
  grow(count: number) {
    if (count <= this.count) return
    this.count = count
    this.loadMissing()
    this.notify()
  }

  /** Reports the visible entries. */
  setVisible(first: number, last: number) {
    this.visibleRange = [first, last]
    this.loadMissing()
  }

  /** Retries failed pages at once. */
  async retry() {
    clearTimeout(this.timer)
    this.attempts.clear()
    this.loadMissing()
  }

  dispose() {
    clearTimeout(this.timer)
    this.listeners.clear()
  }

  private notify() {
    this.version++
    for (const listener of this.listeners) listener()
  }

  private loadMissing() {
    const [first, last] = this.visibleRange
    const to = Math.floor((Math.min(last, this.count) - 1) / PAGE)
    for (let page = Math.floor((first - 1) / PAGE); page <= to; page++) {
      if (this.loading.size >= MAX_LOADING) return
      if (!this.isLoaded(page) && !this.loading.has(page) && this.attempts.get(page) !== this.count)
        void this.load(page)
    }
  }

  private isLoaded(page: number): boolean {
    const last = Math.min((page + 1) * PAGE, this.count)
    // Pages load as a whole, so the first and last entry suffice.
    return this.entries.has(last) && this.entries.has(page * PAGE + 1)
  }

  private async load(page: number) {
    this.loading.add(page)
    this.attempts.set(page, this.count)
    const { run_id } = this
    try {
      const { items } = await callOperation('runs.transcript', {
        run_id,
        limit: PAGE,
        offset: page * PAGE,
      })
      this.error = null
      for (const entry of items) this.entries.set(entry.number, entry)
      this.count = Math.max(this.count, items.at(-1)?.number ?? 0)
      this.notify()
    } catch (error) {
      this.error = error instanceof Error ? error : new Error(String(error))
      this.notify()
      // Retried automatically; placeholders are shown in the meantime.
      this.timer = setTimeout(() => {
        this.attempts.delete(page)
        this.loadMissing()
      }, RETRY_MS)
    } finally {
      this.loading.delete(page)
      this.loadMissing()
    }
  }
}

/** The transcript of a run; re-renders when entries arrive. */
export function useTranscript(run_id: number): Transcript {
  const transcript = useMemo(() => new Transcript(run_id), [run_id])
  useSyncExternalStore(transcript.listen, transcript.getVersion)
  useEffect(() => () => transcript.dispose(), [transcript])
  return transcript
}
