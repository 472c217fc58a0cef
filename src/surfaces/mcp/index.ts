import { Elysia } from 'elysia'
import type { Caller, Server } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { errorBody, Fault, type FaultCode } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { readJson } from '../body.ts'
import {
  type Gateway,
  type IncomingRequest,
  json,
  type RequestContext,
  STATUS,
} from '../gateway.ts'
import { originOf } from '../origin.ts'
import { basePathOf } from '../path.ts'
import { toolCaller } from './call.ts'
import { Completions } from './completion.ts'
import { callDirectly, wantsStream } from './fast-path.ts'
import type { ListenParts } from './listen.ts'
import { PromptBook } from './prompts/index.ts'
import { Operations } from './reader.ts'
import { Resources } from './resources/index.ts'
import type { ManualText } from './resources/manual.ts'
import type { OpenChanges } from './resources/watch.ts'
import { applySelection, type McpContext, READ_ONLY_PATH, refuseWrites } from './selection.ts'
import { refuseForStepUp } from './step-up.ts'
import { MESSAGES, Streams } from './stream.ts'
import { StreamLimit } from './stream-limit.ts'
import { callableTools, ToolLists, toolsOf } from './tools.ts'

export { schemaVersion } from './tools.ts'

interface Parts {
  catalog: readonly AnyOperation[]
  dispatch: Dispatch
  gateway: Gateway
  server: Pick<Server, 'url' | 'version' | 'schema_version' | 'files'>
  /** Looks up the caller of the same credential again. Throws a fault if it is invalid. */
  refreshCaller(caller: Caller): Promise<Caller>
  openChanges: OpenChanges
  /** Loads the manual at the first request. */
  manual(): Promise<ManualText>
}

type LoadProtocol = ReturnType<typeof protocolLoader>

type Handle = (context: McpContext, incoming: IncomingRequest) => Promise<Response | string>

/** Serves the tools over Streamable HTTP (`/mcp`) and the older SSE transport (`/sse`). */
export function mcp(parts: Parts) {
  const { gateway, server, refreshCaller: again } = parts
  const protocolParts = protocolPartsOf(parts)
  const loadProtocol = protocolLoader(protocolParts)
  const streams = new Streams(again, protocolParts.streamLimit)
  const { subscribe, message } = legacyRoutes(loadProtocol, streams, basePathOf(server.url))
  const post: Handle = async (context, incoming) => {
    const { request } = incoming
    const body = await bodyOf(request)
    refuseForStepUp(protocolParts.tools, body, context)
    const answer = wantsStream(request)
      ? undefined
      : await callDirectly(protocolParts, request, body, context)
    return answer ?? (await loadProtocol()).answer(incoming, body, context)
  }
  const serve =
    (handle: Handle) =>
    ({ request, route, server: http }: IncomingRequest) => {
      const incoming = { request, route, server: http }
      return gateway.serve(
        incoming,
        'bearer',
        async (context) => {
          checkOrigin(request, server.url)
          applySelection(context, request, protocolParts.lists.names)
          return handle(context, incoming)
        },
        rpcRefusal,
      )
    }

  return new Elysia({ name: 'mcp' })
    .post('/mcp', serve(post) as never, { parse: 'none' })
    .all('/mcp', serve(rejectOther('POST')) as never, { parse: 'none' })
    .post(READ_ONLY_PATH, serve(post) as never, { parse: 'none' })
    .all(READ_ONLY_PATH, serve(rejectOther('POST')) as never, { parse: 'none' })
    .get('/sse', serve(subscribe) as never)
    .all('/sse', serve(rejectOther('GET')) as never, { parse: 'none' })
    .post(MESSAGES, serve(message) as never, { parse: 'none' })
    .all(MESSAGES, serve(rejectOther('POST')) as never, { parse: 'none' })
    .onStop(async () => {
      streams.closeAll()
      await loadProtocol.loaded?.then((protocol) => protocol.close())
    })
}

function protocolPartsOf(parts: Parts): ListenParts {
  const { catalog, dispatch, gateway, server, openChanges, manual } = parts
  const operations = new Operations(catalog, dispatch)
  const prompts = new PromptBook(catalog, operations)
  const resources = new Resources(operations, manual)
  return {
    ...{ gateway, server, openChanges, operations, prompts, resources },
    tools: callableTools(catalog),
    lists: new ToolLists(toolsOf(catalog)),
    call: toolCaller({
      ...{ catalog, gateway },
      dispatch: refuseWrites(dispatch),
      files: server.files,
    }),
    completions: new Completions(operations, prompts, resources),
    streamLimit: new StreamLimit(),
  }
}

/** The older transport: a stream for the answers, and messages posted to another address. */
function legacyRoutes(
  loadProtocol: LoadProtocol,
  streams: Streams,
  basePath: string,
): Record<'subscribe' | 'message', Handle> {
  return {
    async subscribe(context, { request, server }) {
      const { search } = new URL(request.url)
      const stream = streams.open(context.caller!, basePath + MESSAGES + search)
      server?.timeout(request, 0)
      await (await loadProtocol()).connect(stream, context)
      return stream.response
    },
    async message(context, { request }) {
      const { searchParams } = new URL(request.url)
      const stream = streams.find(searchParams.get('sessionId'), context.caller!.actor_id)
      const body = await bodyOf(request)
      const { authInfoOf: carrying, messagesOf } = await import('./protocol.ts')
      for (const message of messagesOf(body))
        stream.onmessage?.(message, { authInfo: carrying(context) })
      return new Response('Accepted', { status: 202 })
    },
  }
}

const rejectOther =
  (allowed: string): Handle =>
  async (context) => {
    context.headers.allow = allowed
    throw new Fault('method_not_allowed', `Only ${allowed} is served here`)
  }

/** Loads the SDK at the first call, because it takes longer to load than the rest of the server. */
function protocolLoader(parts: ListenParts) {
  const load = () => import('./protocol.ts').then(({ protocol }) => protocol(parts))
  const get = (): ReturnType<typeof load> => {
    get.loaded ??= load()
    return get.loaded
  }
  get.loaded = undefined as ReturnType<typeof load> | undefined
  return get
}

async function bodyOf(request: Request): Promise<unknown> {
  const body = await readJson(request)
  if (body !== undefined) return body
  throw new Fault('invalid', 'The body is empty', { code: 'invalid_format' }, 'Send JSON-RPC 2.0')
}

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Refuses other origins, so that no web page can call a server on its visitor's machine. */
function checkOrigin({ headers }: Request, url: string) {
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

/** Without an id, because the request has not been read yet. MCP allows no null. */
function rpcRefusal(fault: Fault, { requestId }: RequestContext): Response {
  const { code, message, details } = fault
  const rpcCode = details.code === 'invalid_format' ? PARSE_ERROR : RPC_CODE[code]
  const error = { code: rpcCode, message, data: errorBody(fault, requestId) }
  return json({ jsonrpc: '2.0', error }, STATUS[code])
}
