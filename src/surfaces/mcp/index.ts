import { Elysia } from 'elysia'
import type { Caller, Server } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault, type FaultCode, refusal } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { readJson } from '../body.ts'
import { type Called, type Door, json, STATUS, type Visit } from '../door.ts'
import { originOf } from '../origin.ts'
import { caller } from './call.ts'
import { direct, wantsStream } from './direct.ts'
import { Streams } from './stream.ts'
import { callable, type Tool, ToolLists, toolsOf } from './tools.ts'

export { schemaVersion } from './tools.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  door: Door
  server: Pick<Server, 'url' | 'version' | 'schema_version'>
  /** What the same credential allows by now; a fault once it is no good. */
  again(caller: Caller): Promise<Caller>
}

type Call = ReturnType<typeof caller>
type Speak = ReturnType<typeof speaker>

interface Speaking extends Pick<Parts, 'server'> {
  tools: ReadonlyMap<string, Tool>
  lists: ToolLists
  call: Call
}

type Handle = (visit: Visit, called: Called) => Promise<Response | string>

/** The tools over Streamable HTTP (`/mcp`) and over the older SSE transport (`/sse`). */
export function mcp({ catalog, dispatch, door, server, again }: Parts) {
  const tools = callable(catalog)
  const lists = new ToolLists(toolsOf(catalog))
  const call = caller(dispatch, door)
  const speak = speaker({ tools, lists, server, call })
  const streams = new Streams(again)
  const { subscribe, message } = older(speak, streams)
  const post: Handle = async (visit, { request }) => {
    const body = await bodyOf(request)
    const answer = wantsStream(request)
      ? undefined
      : await direct({ tools, call }, request, body, visit)
    return answer ?? (await speak()).answer(request, body, visit)
  }
  const served =
    (handle: Handle) =>
    ({ request, route, server: http }: Called) => {
      const called = { request, route, server: http }
      return door.serve(
        called,
        'bearer',
        async (visit) => {
          refuseStrangeOrigin(request, server.url)
          return handle(visit, called)
        },
        rpcRefusal,
      )
    }

  return new Elysia({ name: 'mcp' })
    .post('/mcp', served(post) as never, { parse: 'none' })
    .all('/mcp', served(only('POST')) as never, { parse: 'none' })
    .get('/sse', served(subscribe) as never)
    .all('/sse', served(only('GET')) as never, { parse: 'none' })
    .post('/message', served(message) as never, { parse: 'none' })
    .all('/message', served(only('POST')) as never, { parse: 'none' })
    .onStop(() => streams.closeAll())
}

/** A stream for the answers, and messages posted beside it. */
function older(speak: Speak, streams: Streams): Record<'subscribe' | 'message', Handle> {
  return {
    async subscribe(visit, { request, server }) {
      const stream = streams.open(visit.caller!)
      server?.timeout(request, 0)
      await (await speak()).server().connect(stream)
      return stream.response
    },
    async message(visit, { request }) {
      const { searchParams } = new URL(request.url)
      const stream = streams.find(searchParams.get('sessionId'), visit.caller!.actor_id)
      const body = await bodyOf(request)
      const { carrying, messagesOf } = await import('./protocol.ts')
      for (const one of messagesOf(body)) stream.onmessage?.(one, { authInfo: carrying(visit) })
      return new Response('Accepted', { status: 202 })
    },
  }
}

const only =
  (allowed: string): Handle =>
  async (visit) => {
    visit.headers.allow = allowed
    throw new Fault('method_not_allowed', `Only ${allowed} is served here`)
  }

/** The SDK takes longer to load than all the rest of the server, so the first caller loads it. */
function speaker(parts: Speaking) {
  const load = () => import('./protocol.ts').then(({ protocol }) => protocol(parts))
  let loaded: ReturnType<typeof load> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  const body = await readJson(request)
  if (body !== undefined) return body
  throw new Fault('invalid', 'The body is empty', { code: 'invalid_format' }, 'Send JSON-RPC 2.0')
}

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** A web page elsewhere must not reach a server on its reader's machine. */
function refuseStrangeOrigin({ headers }: Request, url: string) {
  const origin = headers.get('origin')
  if (origin === null || LOOPBACK.test(origin) || origin === originOf(url)) return
  throw new Fault('forbidden', 'Requests from this Origin are not served', {}, 'Send no Origin')
}

const RPC_CODE = {
  invalid: -32600,
  unauthenticated: -32000,
  not_manager: -32000,
  forbidden: -32000,
  not_found: -32000,
  method_not_allowed: -32000,
  conflict: -32000,
  ambiguous: -32000,
  lease_missing: -32000,
  too_large: -32000,
  unsupported_type: -32000,
  rate_limited: -32000,
  unavailable: -32000,
  no_model: -32000,
  internal: -32603,
} as const satisfies Record<FaultCode, number>

const PARSE_ERROR = -32700

function rpcRefusal(refused: Fault, { requestId }: Visit): Response {
  const { code, message, details } = refused
  const number = details.code === 'invalid_format' ? PARSE_ERROR : RPC_CODE[code]
  const error = { code: number, message, data: refusal(refused, requestId) }
  return json({ jsonrpc: '2.0', id: null, error }, STATUS[code])
}
