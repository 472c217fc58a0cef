import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Protocol } from './protocols.ts'
import { anthropic, openai } from './protocols.ts'

export interface Call {
  tool: string
  input?: unknown
  /** What stands in the arguments instead of JSON. */
  malformed?: string
}

/** One answer of a scripted model. */
export interface Answer {
  /** Told in pieces of a few letters. */
  text?: string
  /** What it thinks, which is not for people. */
  thoughts?: string
  calls?: Call[]
  finish?: 'stop' | 'length' | 'refused'
  /** breaks: the connection is lost before the end; ends: it is closed as if all were said. */
  cut?: 'breaks' | 'ends'
  /** Between two pieces. */
  slowMs?: number
  /** Before the first piece, after the head. */
  waitMs?: number
  /** Refuses with this status instead. */
  status?: number
  message?: string
  retryAfter?: number | string
  /** An error that is told in the stream, after the text. */
  breaksDown?: string
  usage?: { in: number; out: number } | false
  /** Anything else. */
  response?: Response
}

/** What a model was asked, in words that both protocols have. */
export interface Asked {
  protocol: Protocol['name']
  path: string
  headers: Headers
  model: string
  system: string
  /** Names of the tools it was offered. */
  tools: string[]
  /** The last thing that a person said. */
  said: string
  /** What was told of calls since then, oldest first. */
  told: string[]
  body: Record<string, unknown>
}

export type Script = Answer[] | ((asked: Asked, at: number) => Answer | Promise<Answer>)

interface Ways {
  key?: string
  port?: number
  /** How the bytes of an answer are cut into what is written at once. */
  chunks?: (bytes: Uint8Array) => Uint8Array[]
}

const PROTOCOLS: Protocol[] = [openai, anthropic]

/** A service on this machine that speaks as OpenAI and as Anthropic do, and plays scripts. */
export function models(ways: Ways = {}) {
  const asked: Asked[] = []
  /** Answers that whoever asked did not wait for. */
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
    /** From its beginning; what was asked so far is forgotten. */
    play(next: Script) {
      script = next
      at = 0
      asked.length = 0
    },
    endpoint: (provider: Protocol['name'] = 'openai') => ({
      ...{ provider, base, model: 'scripted' },
      ...(key && { key }),
    }),
    /** What names it to `cork serve`. */
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

/** What nobody has read yet is lost with its connection, so whoever reads has many turns to do so. */
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
