import type { Socket } from 'bun'
import { type Busy, type Sample, sampleOf } from './sample.ts'
import { busyTime } from './servers.ts'

/** Where requests go to; its process is watched for how busy it is. */
export interface Target {
  port: number
  pid: number
}

export interface Load {
  target: Target
  connections: number
  /** The bytes of the next request. */
  next: () => Buffer
  /** What stands in no answer unless it is a refusal, where the status does not tell. */
  refusal?: string
  /** What one more connection asks for now and then, so that answers do not stay the same. */
  beside?: () => Buffer
}

const NOW_AND_THEN_MS = 2

interface Ask {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export function requestOf(method: string, path: string, { token, body, headers }: Ask = {}) {
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

/** One after the other, and again from the first. */
export function inTurn<T>(all: readonly T[]): () => T {
  let at = 0
  return () => all[at++ % all.length]!
}

/**
 * Keeps every connection busy with one request at a time. Requests are bytes made beforehand and
 * answers are read no further than their length, so that the server is what is measured.
 */
export const load = (asked: Load) => (seconds: number) => drive(asked, seconds)

async function drive(asked: Load, seconds: number): Promise<Sample> {
  const { target, connections } = asked
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const run: Run = { ...asked, times: [], ends: Number.POSITIVE_INFINITY, reject }
  const callers = Array.from({ length: connections }, () => new Caller(run))
  const { beside } = asked
  const apart = { ...run, times: [], pause: NOW_AND_THEN_MS }
  if (beside) callers.push(new Caller({ ...apart, next: beside }))
  const open = Promise.all(callers.map((caller) => caller.connect(target.port)))
  const sockets = await Promise.race([open, broken])
  try {
    const before = busyTimes(target.pid)
    const began = performance.now()
    for (const { run } of callers) run.ends = began + seconds * 1000
    const begun = callers.map((caller, at) => caller.begin(sockets[at]!))
    await Promise.race([Promise.all(begun), broken])
    const elapsed = (performance.now() - began) / 1000
    const after = busyTimes(target.pid)
    return sampleOf(run.times, elapsed, {
      client: (after.client - before.client) / elapsed,
      server: (after.server - before.server) / elapsed,
    })
  } finally {
    for (const socket of sockets) socket.end()
  }
}

function busyTimes(pid: number): Busy {
  const { user, system } = process.cpuUsage()
  return { client: (user + system) / 1e6, server: busyTime(pid) }
}

interface Run extends Load {
  times: number[]
  ends: number
  /** Milliseconds from an answer to the next request. */
  pause?: number
  reject(error: Error): void
}

class Caller {
  private asked = 0
  /** Bytes of the present answer that are still to come; -1 before its head is read. */
  private missing = -1
  private head = Buffer.alloc(0)
  private done = Promise.withResolvers<void>()
  private ended = false

  constructor(readonly run: Run) {}

  connect(port: number): Promise<Socket> {
    const fail = (why: string) => {
      if (!this.ended) this.run.reject(new Error(why))
    }
    return Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (socket, chunk) => this.heard(socket, chunk),
        close: () => fail('The server closed a connection in the middle of a run'),
        error: (_, error) => fail(error.message),
      },
    })
  }

  begin(socket: Socket): Promise<void> {
    this.ask(socket)
    return this.done.promise
  }

  private ask(socket: Socket) {
    const bytes = this.run.next()
    this.asked = performance.now()
    if (socket.write(bytes) !== bytes.byteLength)
      this.run.reject(new Error(`A request of ${bytes.byteLength} bytes did not fit into a socket`))
  }

  private heard(socket: Socket, chunk: Buffer) {
    if (this.run.refusal && chunk.includes(this.run.refusal)) this.refuse(chunk)
    if (this.missing >= 0) this.missing -= chunk.byteLength
    else this.begun(chunk)
    if (this.missing === 0) this.answered(socket)
  }

  private begun(chunk: Buffer) {
    const bytes = this.head.byteLength ? Buffer.concat([this.head, chunk]) : chunk
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      this.head = Buffer.from(bytes)
      return
    }
    this.head = Buffer.alloc(0)
    const head = bytes.toString('latin1', 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (head[9] !== '2' || length === undefined) this.refuse(bytes)
    else this.missing = Number(length) - (bytes.byteLength - end - 4)
  }

  private refuse(bytes: Buffer) {
    this.run.reject(new Error(`Not an answer to measure: ${bytes.toString().slice(0, 2000)}`))
  }

  private answered(socket: Socket) {
    const now = performance.now()
    this.run.times.push(now - this.asked)
    this.missing = -1
    const { ends, pause = 0 } = this.run
    if (now + pause >= ends) {
      this.ended = true
      this.done.resolve()
    } else if (pause) setTimeout(() => this.ask(socket), pause)
    else this.ask(socket)
  }
}
