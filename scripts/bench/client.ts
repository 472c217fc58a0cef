import type { Socket } from 'bun'
import { ChunkedBody } from './chunked-body.ts'
import { seededRandom } from './random.ts'
import { type CpuUse, type Sample, sampleOf } from './sample.ts'
import { cpuSeconds } from './servers.ts'

/** The server that requests are sent to. The CPU time of its process is measured. */
export interface Target {
  port: number
  pid: number
}

export interface LoadOptions {
  target: Target
  connections: number
  /** The bytes of the next request. */
  next: () => Buffer
  /** A text that only error responses contain, for protocols whose errors have status 200. */
  refusal?: string
  /**
   * Requests of one more connection, sent every few milliseconds. They change data so that
   * responses cannot come from a cache. Their times are not measured.
   */
  background?: () => Buffer
  /**
   * Requests per second, which become due at random times whether or not earlier ones were answered.
   * The time of a request then begins when it is due, so it includes the wait for a connection.
   */
  rate?: number
}

const BACKGROUND_PAUSE_MS = 2

interface RequestOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** The bytes of an HTTP request. */
export function requestOf(
  method: string,
  path: string,
  { token, body, headers }: RequestOptions = {},
) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const fields = {
    Host: '127.0.0.1',
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...headers,
  }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text}`)
}

/** Returns the items in order, and starts over after the last one. */
export function roundRobin<T>(items: readonly T[]): () => T {
  let at = 0
  return () => items[at++ % items.length]!
}

/**
 * Keeps every connection busy with one request at a time. Requests are built in advance and of a
 * response only the length is parsed, so that the server is the bottleneck and not this client.
 */
export const load = (options: LoadOptions) => (seconds: number) => generateLoad(options, seconds)

async function generateLoad(options: LoadOptions, seconds: number): Promise<Sample> {
  const { target, connections } = options
  const { promise: failure, reject } = Promise.withResolvers<never>()
  const run: Run = { ...options, times: [], deadline: Number.POSITIVE_INFINITY, reject }
  const clients = Array.from({ length: connections }, () => new Connection(run))
  const { background } = options
  const backgroundRun = { ...run, times: [], pause: BACKGROUND_PAUSE_MS }
  if (background) clients.push(new Connection({ ...backgroundRun, next: background }))
  const open = Promise.all(clients.map((client) => client.connect(target.port)))
  const sockets = await Promise.race([open, failure])
  try {
    const before = cpuUse(target.pid)
    const startedAt = performance.now()
    for (const { run } of clients) run.deadline = startedAt + seconds * 1000
    if (options.rate) run.nextDue = randomTimes(startedAt, options.rate)
    const finished = clients.map((client, at) => client.start(sockets[at]!))
    await Promise.race([Promise.all(finished), failure])
    const elapsed = (performance.now() - startedAt) / 1000
    const after = cpuUse(target.pid)
    return sampleOf(run.times, elapsed, {
      client: (after.client - before.client) / elapsed,
      server: (after.server - before.server) / elapsed,
    })
  } finally {
    for (const socket of sockets) socket.end()
  }
}

/** Returns random times with this many per second on average, one at each call. */
function randomTimes(startedAt: number, rate: number): () => number {
  const { below } = seededRandom(9)
  const steps = 2 ** 20
  let at = startedAt
  return () => {
    at -= (Math.log((1 + below(steps)) / steps) * 1000) / rate
    return at
  }
}

/** The CPU seconds that this process and the server have used so far. */
function cpuUse(serverPid: number): CpuUse {
  const { user, system } = process.cpuUsage()
  return { client: (user + system) / 1e6, server: cpuSeconds(serverPid) }
}

interface Run extends LoadOptions {
  times: number[]
  /** No request is sent after this time. */
  deadline: number
  /** Milliseconds between a response and the next request. */
  pause?: number
  /** When the next request is due, if there is a rate. */
  nextDue?: () => number
  reject(error: Error): void
}

class Connection {
  private sentAt = 0
  /** Bytes of the current response that have not arrived yet; -1 until its head is parsed. */
  private remaining = -1
  /** The part of a head that has arrived, if it is not complete yet. */
  private partialHead = Buffer.alloc(0)
  /** The body of the current response, if it has chunks instead of a length. */
  private chunked?: ChunkedBody
  private done = Promise.withResolvers<void>()
  private isDone = false

  constructor(readonly run: Run) {}

  connect(port: number): Promise<Socket> {
    const fail = (reason: string) => {
      if (!this.isDone) this.run.reject(new Error(reason))
    }
    return Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (socket, chunk) => this.receive(socket, chunk),
        close: () => fail('The server closed a connection during a run'),
        error: (_, error) => fail(error.message),
      },
    })
  }

  /** Sends requests until the deadline. */
  start(socket: Socket): Promise<void> {
    this.sendNext(socket, performance.now())
    return this.done.promise
  }

  /** Sends the next request as soon as it is due, or ends at the deadline. */
  private sendNext(socket: Socket, now: number) {
    const { deadline, pause = 0, nextDue } = this.run
    const due = nextDue?.() ?? now + pause
    if (due >= deadline) {
      this.isDone = true
      this.done.resolve()
    } else if (due > now) setTimeout(() => this.send(socket), due - now)
    else this.send(socket, due)
  }

  private send(socket: Socket, due = performance.now()) {
    const bytes = this.run.next()
    this.sentAt = due
    if (socket.write(bytes) !== bytes.byteLength)
      this.run.reject(new Error(`A request of ${bytes.byteLength} bytes did not fit into a socket`))
  }

  private receive(socket: Socket, chunk: Buffer) {
    if (this.run.refusal && chunk.includes(this.run.refusal)) this.refuse(chunk)
    if (this.chunked) this.readChunked(chunk)
    else if (this.remaining >= 0) this.remaining -= chunk.byteLength
    else this.parseHead(chunk)
    if (this.remaining === 0) this.finishResponse(socket)
  }

  private parseHead(chunk: Buffer) {
    const { partialHead } = this
    const bytes = partialHead.byteLength ? Buffer.concat([partialHead, chunk]) : chunk
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      this.partialHead = Buffer.from(bytes)
      return
    }
    this.partialHead = Buffer.alloc(0)
    const head = bytes.toString('latin1', 0, end)
    const body = bytes.subarray(end + 4)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (head[9] === '2' && length !== undefined) this.remaining = Number(length) - body.byteLength
    else if (head[9] === '2' && /\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.chunked = new ChunkedBody()
      this.readChunked(body)
    } else this.refuse(bytes)
  }

  private readChunked(bytes: Buffer) {
    if (!this.chunked?.read(bytes)) return
    this.chunked = undefined
    this.remaining = 0
  }

  private refuse(bytes: Buffer) {
    this.run.reject(new Error(`Unexpected response: ${bytes.toString().slice(0, 2000)}`))
  }

  private finishResponse(socket: Socket) {
    const now = performance.now()
    this.run.times.push(now - this.sentAt)
    this.remaining = -1
    this.sendNext(socket, now)
  }
}
