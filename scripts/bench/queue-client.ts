import { type Sample, sampleOf } from './sample.ts'

/**
 * Chooses the next request of a connection from its last response, which is undefined at first.
 * Returns undefined when the connection is finished.
 */
export type NextRequest = (connection: number, response: string | undefined) => Buffer | undefined

export interface QueueSample extends Sample {
  /** The milliseconds of each response, in the order of arrival. */
  times: number[]
}

/** Sends requests over connections that are spread over the ports, until all are finished. */
export async function runQueue(
  ports: readonly number[],
  connections: number,
  next: NextRequest,
): Promise<QueueSample> {
  const times: number[] = []
  const clients = Array.from({ length: connections }, (_, at) => new Connection(at, next, times))
  const sockets = await Promise.all(
    clients.map((client, at) => client.connect(ports[at % ports.length]!)),
  )
  const startedAt = performance.now()
  try {
    await Promise.all(clients.map((client, at) => client.start(sockets[at]!)))
  } finally {
    for (const socket of sockets) socket.end()
  }
  const seconds = (performance.now() - startedAt) / 1000
  return { ...sampleOf(times, seconds, { client: 0, server: 0 }), times }
}

type Socket = Awaited<ReturnType<typeof Bun.connect>>

class Connection {
  private received = ''
  private sentAt = 0
  private done = Promise.withResolvers<void>()

  constructor(
    private readonly index: number,
    private readonly next: NextRequest,
    private readonly times: number[],
  ) {}

  connect(port: number): Promise<Socket> {
    return Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (socket, chunk) => this.receive(socket, chunk.toString('latin1')),
        close: () => this.done.reject(new Error('The server closed a connection')),
        error: (_, error) => this.done.reject(error),
      },
    })
  }

  start(socket: Socket): Promise<void> {
    this.send(socket, undefined)
    return this.done.promise
  }

  private send(socket: Socket, response: string | undefined) {
    const bytes = this.next(this.index, response)
    if (!bytes) return this.done.resolve()
    this.sentAt = performance.now()
    socket.write(bytes)
  }

  private receive(socket: Socket, chunk: string) {
    this.received += chunk
    const end = this.received.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.received)?.[1])
    if (end < 0 || !(this.received.length >= end + 4 + length)) return
    const response = this.received
    this.received = ''
    if (response[9] !== '2')
      return this.done.reject(new Error(`Refused: ${response.slice(0, 2000)}`))
    this.times.push(performance.now() - this.sentAt)
    this.send(socket, response.slice(end + 4))
  }
}
