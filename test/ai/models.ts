import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Protocol } from './protocols.ts'
import { anthropic, openai } from './protocols.ts'

export interface Call {
  tool: string
  input?: unknown
  /** Sent as the arguments in place of valid JSON. */
  malformed?: string
}

/** One answer of a scripted model. */
export interface Answer {
  /** Streamed in chunks of a few letters. */
  text?: string
  /** The reasoning of the model, which people do not see. */
  thoughts?: string
  calls?: Call[]
  finish?: 'stop' | 'length' | 'refused'
  /**
   * `breaks` drops the connection before the end; `ends` closes it as if the answer were complete.
   */
  cut?: 'breaks' | 'ends'
  /** Pause between two chunks. */
  slowMs?: number
  /** Pause after the response headers, before the first chunk. */
  waitMs?: number
  /** Responds with this error status instead of an answer. */
  status?: number
  message?: string
  retryAfter?: number | string
  /** An error event in the stream, sent after the text. */
  breaksDown?: string
  usage?: { in: number; out: number } | false
  /** Any other response, sent as it is. */
  response?: Response
}

/** A request to the model, reduced to what both protocols have. */
export interface Asked {
  protocol: Protocol['name']
  path: string
  headers: Headers
  model: string
  system: string
  /** Names of the tools in the request. */
  tools: string[]
  /** The text of the last user message. */
  said: string
  /** Results of the calls since that message, oldest first. */
  told: string[]
  body: Record<string, unknown>
}

export type Script = Answer[] | ((asked: Asked, at: number) => Answer | Promise<Answer>)

interface Ways {
  key?: string
  port?: number
  /** Splits the bytes of an answer into the chunks that are written one by one. */
  chunks?: (bytes: Uint8Array) => Uint8Array[]
}

const PROTOCOLS: Protocol[] = [openai, anthropic]

/** A local service that speaks the OpenAI and Anthropic protocols and plays scripted answers. */
export function models(ways: Ways = {}) {
  const asked: Asked[] = []
  /** Counts the answers that the client did not read to the end. */
  const dropped = { count: 0 }
  let script: Script = []
  let at = 0
  const server = createServer(async (request, to) => {
    const { pathname: path } = new URL(request.url!, 'http://models')
    const headers = new Headers(request.headers as Record<string, string>)
    if (path === '/v1/models') return say(to, named(ways, headers))
    const protocol = PROTOCOLS.find((one) => one.path === path)
    if (!protocol) return say(to, openai.refused(404, 'Unknown URL'))
    const body = (await json(request)) as Record<string, unknown>
    if (ways.key && protocol.keyIn(headers) !== ways.key)
      return say(to, protocol.refused(401, 'Incorrect API key provided'))
    const one = { protocol: protocol.name, path, headers, body, ...protocol.read(body) }
    asked.push(one)
    const answer = typeof script === 'function' ? await script(one, at) : script[at]
    at += 1
    to.on('close', () => {
      if (!to.writableFinished && !answer?.cut) dropped.count += 1
    })
    await play(protocol, answer, one, to, ways)
  })
  server.listen(ways.port ?? 0, '127.0.0.1')
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}/v1`
  const key = ways.key
  return {
    asked,
    dropped,
    base,
    port,
    /** Starts a script from its beginning and clears the recorded requests. */
    play(next: Script) {
      script = next
      at = 0
      asked.length = 0
    },
    endpoint: (provider: Protocol['name'] = 'openai') => ({
      ...{ provider, base, model: 'scripted' },
      ...(key && { key }),
    }),
    /** The variables with which `cork serve` uses this service. */
    settings: (provider: Protocol['name'] = 'openai'): Record<string, string> => ({
      CORK_AI_BASE_URL: base,
      CORK_AI_MODEL: 'scripted',
      CORK_AI_PROVIDER: provider,
      ...(key && { CORK_AI_API_KEY: key }),
    }),
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const named = ({ key }: Ways, headers: Headers) =>
  key && PROTOCOLS.every((one) => one.keyIn(headers) !== key)
    ? openai.refused(401, 'Incorrect API key provided')
    : Response.json({ object: 'list', data: [{ id: 'scripted', object: 'model' }] })

async function say(to: ServerResponse, response: Response): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers))
  to.end(await response.text())
}

/** Unread bytes are lost when the connection is destroyed, so the client gets time to read them. */
async function untilRead(): Promise<void> {
  for (let turns = 0; turns < 25; turns += 1) await Bun.sleep(4)
}

async function play(
  protocol: Protocol,
  answer: Answer | undefined,
  asked: Asked,
  to: ServerResponse,
  ways: Ways,
): Promise<void> {
  if (!answer) return say(to, protocol.refused(400, 'The script is over'))
  if (answer.response) return say(to, answer.response.clone())
  const { status, message = 'Scripted trouble', retryAfter, waitMs, slowMs } = answer
  const later: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  if (status) return say(to, protocol.refused(status, message, later))
  to.writeHead(200, { 'content-type': 'text/event-stream' })
  to.flushHeaders()
  if (waitMs) await Bun.sleep(waitMs)
  for (const piece of piecesOf(protocol.events(answer, asked), ways)) {
    if (to.destroyed) return
    to.write(piece)
    if (slowMs) await Bun.sleep(slowMs)
  }
  if (answer.cut !== 'breaks') return void to.end()
  if (answer.text) await untilRead()
  to.destroy()
}

function piecesOf(events: string[], { chunks }: Ways): Uint8Array[] {
  const encoder = new TextEncoder()
  return chunks ? chunks(encoder.encode(events.join(''))) : events.map((e) => encoder.encode(e))
}
