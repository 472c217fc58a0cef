import type { Query } from '../../test/crash/audit.ts'
import { succeedsWithin } from './failover-cluster.ts'

const RECONNECT_MS = 500
const DELIVERY_MS = 30_000

/** Follows the live stream of a server, and reconnects after the last event if it breaks. */
export class EventStream {
  /** The ids of all events that tell of a new task, in the order in which they came. */
  readonly createdIds: number[] = []
  private lastId = ''
  private readonly abort = new AbortController()
  private readonly connected = Promise.withResolvers<void>()

  private constructor(
    private readonly url: string,
    private readonly secret: string,
  ) {}

  /** Resolves once the stream is open, so that it delivers everything that follows. */
  static async open(url: string, secret: string): Promise<EventStream> {
    const stream = new EventStream(url, secret)
    void stream.follow()
    await stream.connected.promise
    return stream
  }

  stop(): void {
    this.abort.abort()
  }

  private async follow(): Promise<void> {
    while (!this.abort.signal.aborted) {
      await this.read().catch(() => {})
      await Bun.sleep(RECONNECT_MS)
    }
  }

  private async read(): Promise<void> {
    const response = await fetch(`${this.url}/api/v1/events`, {
      signal: this.abort.signal,
      headers: {
        authorization: `Bearer ${this.secret}`,
        ...(this.lastId && { 'last-event-id': this.lastId }),
      },
    })
    if (!response.ok) return
    this.connected.resolve()
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      const end = text.lastIndexOf('\n\n') + 1
      this.collect(text.slice(0, end))
      text = text.slice(end)
    }
  }

  private collect(text: string): void {
    for (const [, id, type] of text.matchAll(/^id: (\d+)\nevent: (\S+)$/gm)) {
      this.lastId = id!
      if (type === 'task.created') this.createdIds.push(Number(id))
    }
  }
}

/** Every stream must deliver every new task once, in the order of the change log. */
export async function findMissedEvents(
  query: Query,
  streams: readonly EventStream[],
): Promise<string[]> {
  const rows = await query<{ seq: number }>(
    "select seq from changes where type = 'task.created' order by seq",
  )
  const problems: string[] = []
  for (const [at, { createdIds }] of streams.entries()) {
    await succeedsWithin(DELIVERY_MS, async () => createdIds.length >= rows.length)
    const delivered = new Set(createdIds)
    const missed = rows.filter(({ seq }) => !delivered.has(Number(seq)))
    const isOrdered = createdIds.every((id, index) => index === 0 || id > createdIds[index - 1]!)
    for (const { seq } of missed) problems.push(`server ${at + 1} did not stream change ${seq}`)
    if (!isOrdered) problems.push(`server ${at + 1} streamed changes twice or in a wrong order`)
  }
  return problems
}
