import { type Sample, sampleOf } from './sample.ts'

/** The next request of a connection, or nothing more, after what it was answered last. */
export type Turn = (connection: number, answer: string | undefined) => Buffer | undefined

export interface Drained extends Sample {
  /** Milliseconds of each answer, in the order in which they came. */
  times: number[]
}

/** Keeps a connection for each turn busy until it has nothing more to ask, and reads what it is told. */
export async function drain(ports: readonly number[], many: number, turn: Turn): Promise<Drained> {
  const times: number[] = []
  const talks = Array.from({ length: many }, (_, at) => new Talk(at, turn, times))
  const sockets = await Promise.all(
    talks.map((talk, at) => talk.connect(ports[at % ports.length]!)),
  )
  const began = performance.now()
  try {
    await Promise.all(talks.map((talk, at) => talk.begin(sockets[at]!)))
  } finally {
    for (const socket of sockets) socket.end()
  }
  const seconds = (performance.now() - began) / 1000
  return { ...sampleOf(times, seconds, { client: 0, server: 0 }), times }
}

type Socket = Awaited<ReturnType<typeof Bun.connect>>

class Talk {
  private text = ''
  private asked = 0
  private done = Promise.withResolvers<void>()

  constructor(
    private readonly at: number,
    private readonly turn: Turn,
    private readonly times: number[],
  ) {}

  connect(port: number): Promise<Socket> {
    return Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (socket, chunk) => this.heard(socket, chunk.toString('latin1')),
        close: () => this.done.reject(new Error('The server closed a connection')),
        error: (_, error) => this.done.reject(error),
      },
    })
  }

  begin(socket: Socket): Promise<void> {
    this.ask(socket, undefined)
    return this.done.promise
  }

  private ask(socket: Socket, answer: string | undefined) {
    const bytes = this.turn(this.at, answer)
    if (!bytes) return this.done.resolve()
    this.asked = performance.now()
    socket.write(bytes)
  }

  private heard(socket: Socket, chunk: string) {
    this.text += chunk
    const end = this.text.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.text)?.[1])
    if (end < 0 || !(this.text.length >= end + 4 + length)) return
    const answer = this.text
    this.text = ''
    if (answer[9] !== '2') return this.done.reject(new Error(`Refused: ${answer.slice(0, 2000)}`))
    this.times.push(performance.now() - this.asked)
    this.ask(socket, answer.slice(end + 4))
  }
}
