/** An event of an answer. The other properties are its data. */
export interface ChatEvent {
  type: string
}

const PING_MS = 15_000
const PING = ': ping\n\n'

/**
 * Sends events as they happen. If the client leaves, the generator is closed, but the answer that
 * it reports goes on.
 */
export function streamOf(events: AsyncGenerator<ChatEvent>, onEnd: () => void): ReadableStream {
  const encoder = new TextEncoder()
  let ping: Timer
  let isCancelled = false
  return new ReadableStream({
    start(controller) {
      const send = (text: string) => {
        if (!isCancelled) controller.enqueue(encoder.encode(text))
      }
      ping = setInterval(() => send(PING), PING_MS)
      void sendAll(events, send).then(() => {
        clearInterval(ping)
        if (isCancelled) return
        onEnd()
        controller.close()
      })
    },
    cancel() {
      isCancelled = true
      void events.return(undefined)
      clearInterval(ping)
    },
  })
}

/** Sends all events. A failure only ends the stream: the thread shows how the answer ended. */
async function sendAll(
  events: AsyncGenerator<ChatEvent>,
  send: (text: string) => void,
): Promise<void> {
  try {
    for await (const { type, ...data } of events)
      send(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
  } catch {
    // The process that gives the answer logs the error.
  }
}
