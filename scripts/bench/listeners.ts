import { existsSync, readFileSync } from 'node:fs'
import type { Socket } from 'bun'

const MARK = Buffer.from('\nevent: ')
const ABREAST = 100
const MOST_MS = 30_000
/** Files that a process has open besides its streams. */
const SPARE = 200

/** As many of these streams as the system allows: each is an open file here and in the server. */
export function affordable(many: number): number {
  const limits = '/proc/self/limits'
  const told = existsSync(limits) ? readFileSync(limits, 'utf8') : ''
  const limit = Number(/Max open files +(\d+)/.exec(told)?.[1] ?? Number.POSITIVE_INFINITY)
  if (limit - SPARE < many) console.error(`Only ${limit} files may be open: fewer streams`)
  return Math.min(many, limit - SPARE)
}

/** Clients that listen, each on a connection of its own. */
export class Listeners {
  private readonly sockets: Socket[] = []
  private readonly broken = Promise.withResolvers<never>()
  private ended = false
  private began = 0
  /** When each of them had heard all that it waits for. */
  private times: number[] = []
  private wanted = 0
  private done = Promise.withResolvers<void>()
  private readonly each: Listener[] = []

  get size() {
    return this.sockets.length
  }

  async open(port: number, requests: readonly Buffer[]) {
    for (let at = 0; at < requests.length; at += ABREAST) {
      const some = requests.slice(at, at + ABREAST).map((request) => this.connect(port, request))
      this.sockets.push(...(await Promise.race([Promise.all(some), this.broken.promise])))
    }
  }

  /** How many milliseconds after this was begun each of them had heard so many events. */
  async told(events: number, tell: () => Promise<unknown>): Promise<number[]> {
    this.times = []
    this.wanted = events
    this.done = Promise.withResolvers()
    for (const listener of this.each) listener.heard = 0
    const alarm = setTimeout(
      () => this.fail(`Only ${this.times.length} of ${this.size} heard all in ${MOST_MS} ms`),
      MOST_MS,
    )
    this.began = performance.now()
    await Promise.race([Promise.all([tell(), this.done.promise]), this.broken.promise])
    clearTimeout(alarm)
    return this.times
  }

  close() {
    this.ended = true
    for (const socket of this.sockets) socket.end()
  }

  private fail(why: string) {
    if (!this.ended) this.broken.reject(new Error(why))
  }

  private connect(port: number, request: Buffer): Promise<Socket> {
    const { promise, resolve } = Promise.withResolvers<Socket>()
    const listener = new Listener()
    this.each.push(listener)
    void Bun.connect({
      ...{ hostname: '127.0.0.1', port },
      socket: {
        open: (socket) => void socket.write(request),
        data: (socket, chunk) => {
          if (!listener.open) {
            if (!chunk.includes(' 200 OK')) this.fail(`Not a stream: ${chunk}`)
            listener.open = true
            resolve(socket)
          }
          const before = listener.heard
          if (listener.hears(chunk) < this.wanted || before >= this.wanted) return
          this.times.push(performance.now() - this.began)
          if (this.times.length === this.size) this.done.resolve()
        },
        close: () => this.fail('The server closed a stream'),
        error: (_, error) => this.fail(error.message),
      },
    }).catch((error) => this.fail(String(error)))
    return promise
  }
}

class Listener {
  open = false
  heard = 0
  private rest = Buffer.alloc(0)

  /** Counts events, of which a chunk may hold a part only. */
  hears(chunk: Buffer): number {
    const bytes = this.rest.byteLength ? Buffer.concat([this.rest, chunk]) : chunk
    let at = bytes.indexOf(MARK)
    let end = 0
    for (; at >= 0; at = bytes.indexOf(MARK, end)) {
      this.heard++
      end = at + MARK.byteLength
    }
    this.rest = Buffer.from(bytes.subarray(Math.max(end, bytes.byteLength - MARK.byteLength + 1)))
    return this.heard
  }
}
