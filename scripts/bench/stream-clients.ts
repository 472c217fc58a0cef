import { existsSync, readFileSync } from 'node:fs'
import type { Socket } from 'bun'

/** Every event of a stream contains this once. */
const EVENT_MARK = Buffer.from('\nevent: ')
const CONCURRENT_CONNECTS = 100
const TIMEOUT_MS = 30_000
/** Files that a process has open apart from its streams. */
const OTHER_FILES = 200

/**
 * Limits a number of streams to what the system allows: each is an open file, here and in the
 * server.
 */
export function limitStreams(count: number): number {
  const path = '/proc/self/limits'
  const limits = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const maxFiles = Number(/Max open files +(\d+)/.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  if (maxFiles - OTHER_FILES < count)
    console.error(`Only ${maxFiles} files may be open, so there are fewer streams`)
  return Math.min(count, maxFiles - OTHER_FILES)
}

/** Many clients of event streams, each with a connection of its own. */
export class StreamClients {
  private readonly sockets: Socket[] = []
  private readonly failure = Promise.withResolvers<never>()
  private isClosed = false
  private startedAt = 0
  /** When each client had received all expected events, in milliseconds after `startedAt`. */
  private times: number[] = []
  private expected = 0
  private done = Promise.withResolvers<void>()
  private readonly counters: EventCounter[] = []

  get size() {
    return this.sockets.length
  }

  async open(port: number, requests: readonly Buffer[]) {
    for (let at = 0; at < requests.length; at += CONCURRENT_CONNECTS) {
      const batch = requests.slice(at, at + CONCURRENT_CONNECTS)
      const sockets = Promise.all(batch.map((request) => this.connect(port, request)))
      this.sockets.push(...(await Promise.race([sockets, this.failure.promise])))
    }
  }

  /**
   * Publishes events. Returns the milliseconds after which each client had received this number of
   * them.
   */
  async measureDelivery(events: number, publish: () => Promise<unknown>): Promise<number[]> {
    this.times = []
    this.expected = events
    this.done = Promise.withResolvers()
    for (const counter of this.counters) counter.events = 0
    const timer = setTimeout(
      () =>
        this.fail(
          `Only ${this.times.length} of ${this.size} clients received all events in ${TIMEOUT_MS} ms`,
        ),
      TIMEOUT_MS,
    )
    this.startedAt = performance.now()
    await Promise.race([Promise.all([publish(), this.done.promise]), this.failure.promise])
    clearTimeout(timer)
    return this.times
  }

  close() {
    this.isClosed = true
    for (const socket of this.sockets) socket.end()
  }

  private fail(reason: string) {
    if (!this.isClosed) this.failure.reject(new Error(reason))
  }

  private connect(port: number, request: Buffer): Promise<Socket> {
    const { promise, resolve } = Promise.withResolvers<Socket>()
    const counter = new EventCounter()
    this.counters.push(counter)
    void Bun.connect({
      ...{ hostname: '127.0.0.1', port },
      socket: {
        open: (socket) => void socket.write(request),
        data: (socket, chunk) => {
          if (!counter.isOpen) {
            if (!chunk.includes(' 200 OK')) this.fail(`Not an event stream: ${chunk}`)
            counter.isOpen = true
            resolve(socket)
          }
          const before = counter.events
          if (counter.add(chunk) < this.expected || before >= this.expected) return
          this.times.push(performance.now() - this.startedAt)
          if (this.times.length === this.size) this.done.resolve()
        },
        close: () => this.fail('The server closed a stream'),
        error: (_, error) => this.fail(error.message),
      },
    }).catch((error) => this.fail(String(error)))
    return promise
  }
}

class EventCounter {
  isOpen = false
  events = 0
  /** The end of the previous chunk, which may be the beginning of a mark. */
  private rest = Buffer.alloc(0)

  /** Counts the events of a chunk. Returns the number of all events so far. */
  add(chunk: Buffer): number {
    const bytes = this.rest.byteLength ? Buffer.concat([this.rest, chunk]) : chunk
    let at = bytes.indexOf(EVENT_MARK)
    let end = 0
    for (; at >= 0; at = bytes.indexOf(EVENT_MARK, end)) {
      this.events++
      end = at + EVENT_MARK.byteLength
    }
    const restStart = Math.max(end, bytes.byteLength - EVENT_MARK.byteLength + 1)
    this.rest = Buffer.from(bytes.subarray(restStart))
    return this.events
  }
}
