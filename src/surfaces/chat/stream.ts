/** What is told while a model answers; the rest of it is the data of its event. */
export interface Told {
  type: string
}

const PING_MS = 15_000
const PING = ': ping\n\n'

/**
 * Server-sent events, each told as it happens. Whoever leaves misses the rest, and nobody listens for
 * them any more; what is told of goes on without them.
 */
export function streamOf(events: AsyncGenerator<Told>, gone: () => void): ReadableStream {
  const encoder = new TextEncoder()
  let ping: Timer
  let left = false
  return new ReadableStream({
    start(controller) {
      const tell = (text: string) => {
        if (!left) controller.enqueue(encoder.encode(text))
      }
      ping = setInterval(() => tell(PING), PING_MS)
      void all(events, tell).then(() => {
        clearInterval(ping)
        if (left) return
        gone()
        controller.close()
      })
    },
    cancel() {
      left = true
      void events.return(undefined)
      clearInterval(ping)
    },
  })
}

/** What breaks off is told by the end of the stream alone: the thread says what became of it. */
async function all(events: AsyncGenerator<Told>, tell: (text: string) => void): Promise<void> {
  try {
    for await (const { type, ...data } of events)
      tell(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
  } catch {
    // Its last words are in the log of whoever gave the answer.
  }
}
