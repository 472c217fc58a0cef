import { type ApiRequest, type Client, RefusedError } from '../client.ts'
import { CommandError } from '../command.ts'
import { eventData, eventType, readBlocks } from '../event-stream.ts'
import type { CommandIO } from '../io.ts'
import type { ChatEvent, Done } from './event.ts'

/** The server sends a ping every 15 s. After this silence the connection is considered lost. */
const SILENCE_MS = 60_000
const MAX_TRIES = 5

/** A request for an answer. With an idempotency key, it can be repeated. */
export interface ChatRequest extends ApiRequest {
  key?: string
}

interface AnswerHandlers {
  client: Client
  io: CommandIO
  /** Called at the first Ctrl+C, to stop the answer. The next Ctrl+C leaves. */
  stop(): void
  onEvent(event: ChatEvent): Promise<void>
}

class UserLeft extends CommandError {
  constructor() {
    super('Stopped. Messages and changes up to this point are kept')
  }
}

/**
 * Reads an answer to its end. After a lost connection the request is repeated, and the text that
 * was already received is skipped.
 */
export async function streamAnswer(request: ChatRequest, handlers: AnswerHandlers): Promise<Done> {
  const { client, io } = handlers
  const leaveController = new AbortController()
  let presses = 0
  const stopListening = io.onInterrupt(() => {
    if (presses++) leaveController.abort(new UserLeft())
    else handlers.stop()
  })
  let receivedLength = 0
  try {
    for (let attempt = 1; ; attempt++) {
      const onEvent = skipReceived(
        receivedLength,
        handlers.onEvent,
        (length) => (receivedLength += length),
      )
      const done = await readAnswer(request, { ...handlers, onEvent }, leaveController.signal)
      if (done) return done
      if (!request.key || attempt === MAX_TRIES) throw connectionLost(client)
      io.err('Connection lost; reconnecting')
      await io.sleep(attempt * 1000)
    }
  } finally {
    stopListening()
  }
}

const connectionLost = ({ url }: Client) =>
  new CommandError(
    `Lost the connection to ${url}. The answer continues on the server: see "cork chat threads"`,
  )

/** Skips the given number of characters of text, and counts the rest. */
function skipReceived(
  receivedLength: number,
  onEvent: AnswerHandlers['onEvent'],
  count: (more: number) => void,
): AnswerHandlers['onEvent'] {
  let position = 0
  return async (event) => {
    if (event.type !== 'text') return onEvent(event)
    const newText = event.text.slice(Math.max(0, receivedLength - position))
    position += event.text.length
    count(newText.length)
    if (newText) await onEvent({ type: 'text', text: newText })
  }
}

/** Reads one connection. Returns undefined if it ended before the answer. */
async function readAnswer(
  request: ChatRequest,
  handlers: AnswerHandlers,
  left: AbortSignal,
): Promise<Done | undefined> {
  const { client, onEvent } = handlers
  const stop = new AbortController()
  const abort = () => stop.abort()
  left.addEventListener('abort', abort)
  let timer = setTimeout(() => stop.abort(), SILENCE_MS)
  try {
    const response = await openStream(request, client, stop.signal)
    for await (const block of readBlocks(response, stop.signal)) {
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(), SILENCE_MS)
      const event = parseEvent(block)
      if (event) await onEvent(event)
      if (event?.type === 'done') return event
    }
    left.throwIfAborted()
    return undefined
  } catch (error) {
    left.throwIfAborted()
    if (error instanceof CommandError || error instanceof RefusedError) throw error
    return undefined
  } finally {
    clearTimeout(timer)
    left.removeEventListener('abort', abort)
  }
}

async function openStream({ key, ...ask }: ChatRequest, client: Client, signal: AbortSignal) {
  const headers = { accept: 'text/event-stream', ...(key && { 'idempotency-key': key }) }
  try {
    return await client.open(ask, headers, signal)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    throw client.isLost(error) && key ? error : client.connectionError(error, ask)
  }
}

function parseEvent(block: string): ChatEvent | undefined {
  const type = eventType(block)
  const data = eventData(block)
  return type && data ? ({ type, ...data } as ChatEvent) : undefined
}
