import { Fault } from '../../../../kernel/fault.ts'

const WINDOW_MS = 60 * 60 * 1000
const MAX_REQUESTS = 20
const MAX_SOURCES = 100_000

interface Window {
  count: number
  endsAt: number
}

/**
 * Limits how many links a network can request within an hour, whether or not the accounts exist.
 * Each process counts separately, and a restart clears the counts.
 */
export class LinkThrottle {
  private readonly windows = new Map<string, Window>()

  /** `elapsed` is a clock in milliseconds that never jumps. */
  constructor(private readonly elapsed: () => number) {}

  count(network: string): void {
    const now = this.elapsed()
    const previous = this.windows.get(network)
    const isOpen = previous !== undefined && previous.endsAt > now
    const window = isOpen ? previous : { count: 0, endsAt: now + WINDOW_MS }
    if (window.count >= MAX_REQUESTS) throw tooMany(window.endsAt - now)
    window.count++
    this.store(network, window)
  }

  /** The map is in the order of the last requests, so that the oldest entry is evicted first. */
  private store(network: string, window: Window) {
    this.windows.delete(network)
    this.windows.set(network, window)
    if (this.windows.size <= MAX_SOURCES) return
    const [oldest] = this.windows.keys()
    this.windows.delete(oldest!)
  }
}

const tooMany = (ms: number) =>
  new Fault(
    'rate_limited',
    'Too many emails were requested from your network',
    { retry_after: Math.ceil(ms / 1000) },
    `Try again in ${Math.ceil(ms / 60_000)} minutes`,
  )
