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
  /** Streamed in chunks of a few characters. */
  text?: string
  /** The reasoning of the model, which people do not see. */
  reasoning?: string
  calls?: Call[]
  finish?: 'stop' | 'length' | 'refused'
  /**
   * `breaks` drops the connection before the end; `ends` closes it as if the answer were complete.
   */
  disconnect?: 'breaks' | 'ends'
  /** Pause between two chunks. */
  chunkDelayMs?: number
  /** The last chunk is sent once this resolves. */
  beforeLastChunk?: Promise<void>
  /** Pause after the response headers, before the first chunk. */
  startDelayMs?: number
  /** Responds with this error status instead of an answer. */
  status?: number
  message?: string
  retryAfter?: number | string
  /** An error event in the stream, sent after the text. */
  streamError?: string
  usage?: { in: number; out: number } | false
  /** Any other response, sent as it is. */
  response?: Response
}

/** A request to the model, reduced to what both protocols have. */
export interface ModelRequest {
  protocol: Protocol['name']
  path: string
  headers: Headers
  model: string
  system: string
  /** Names of the tools in the request. */
  tools: string[]
  /** The text of the last user message. */
  userText: string
  /** Results of the calls since that message, oldest first. */
  toolResults: string[]
  body: Record<string, unknown>
}

export type Script = Answer[] | ((request: ModelRequest, at: number) => Answer | Promise<Answer>)

interface ServiceOptions {
  key?: string
  port?: number
  /** Splits the bytes of an answer into the chunks that are written one by one. */
  chunks?: (bytes: Uint8Array) => Uint8Array[]
}

const PROTOCOLS: Protocol[] = [openai, anthropic]

/** Starts a local service that speaks the OpenAI and Anthropic protocols with scripted answers. */
export function startScriptedModel(options: ServiceOptions = {}) {
  const requests: ModelRequest[] = []
  /** Counts the answers that the client did not read to the end. */
  const droppedAnswers = { count: 0 }
  let script: Script = []
  let answerIndex = 0
  const server = createServer(async (request, res) => {
    const { pathname: path } = new URL(request.url!, 'http://models')
    const headers = new Headers(request.headers as Record<string, string>)
    if (path === '/v1/models') return sendResponse(res, modelListResponse(options, headers))
    const protocol = PROTOCOLS.find((one) => one.path === path)
    if (!protocol) return sendResponse(res, openai.errorResponse(404, 'Unknown URL'))
    const body = (await json(request)) as Record<string, unknown>
    if (options.key && protocol.readKey(headers) !== options.key)
      return sendResponse(res, protocol.errorResponse(401, 'Incorrect API key provided'))
    const parsedRequest = {
      protocol: protocol.name,
      path,
      headers,
      body,
      ...protocol.parseRequest(body),
    }
    requests.push(parsedRequest)
    const answer =
      typeof script === 'function' ? await script(parsedRequest, answerIndex) : script[answerIndex]
    answerIndex += 1
    res.on('close', () => {
      if (!res.writableFinished && !answer?.disconnect) droppedAnswers.count += 1
    })
    await writeAnswer(protocol, answer, parsedRequest, res, options)
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}/v1`
  const key = options.key
  return {
    requests,
    droppedAnswers,
    base,
    port,
    /** Starts a script from its beginning and clears the recorded requests. */
    play(next: Script) {
      script = next
      answerIndex = 0
      requests.length = 0
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

const modelListResponse = ({ key }: ServiceOptions, headers: Headers) =>
  key && PROTOCOLS.every((one) => one.readKey(headers) !== key)
    ? openai.errorResponse(401, 'Incorrect API key provided')
    : Response.json({ object: 'list', data: [{ id: 'scripted', object: 'model' }] })

async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(await response.text())
}

/** Unread bytes are lost when the connection is destroyed, so the client gets time to read them. */
async function waitUntilRead(): Promise<void> {
  for (let turns = 0; turns < 25; turns += 1) await Bun.sleep(4)
}

async function writeAnswer(
  protocol: Protocol,
  answer: Answer | undefined,
  request: ModelRequest,
  res: ServerResponse,
  options: ServiceOptions,
): Promise<void> {
  if (!answer) return sendResponse(res, protocol.errorResponse(400, 'The script is over'))
  if (answer.response) return sendResponse(res, answer.response.clone())
  const { status, message = 'Scripted trouble', retryAfter, startDelayMs, chunkDelayMs } = answer
  const retryHeaders: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  if (status) return sendResponse(res, protocol.errorResponse(status, message, retryHeaders))
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.flushHeaders()
  if (startDelayMs) await Bun.sleep(startDelayMs)
  const chunks = chunksOf(protocol.events(answer, request), options)
  for (const [index, chunk] of chunks.entries()) {
    if (index === chunks.length - 1) await answer.beforeLastChunk
    if (res.destroyed) return
    res.write(chunk)
    if (chunkDelayMs) await Bun.sleep(chunkDelayMs)
  }
  if (answer.disconnect !== 'breaks') return void res.end()
  if (answer.text) await waitUntilRead()
  res.destroy()
}

function chunksOf(events: string[], { chunks }: ServiceOptions): Uint8Array[] {
  const encoder = new TextEncoder()
  return chunks ? chunks(encoder.encode(events.join(''))) : events.map((e) => encoder.encode(e))
}
