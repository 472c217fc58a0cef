import {
  type CallToolRequest,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { Server as ServerInfo } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { closestWord } from '../../kernel/validate.ts'
import { json, type RequestContext } from '../gateway.ts'
import type { ToolCall, ToolResult } from './call.ts'
import { wantsStream } from './fast-path.ts'
import { INSTRUCTIONS } from './names.ts'
import type { Tool, ToolLists } from './tools.ts'

interface Parts {
  tools: ReadonlyMap<string, Tool>
  lists: ToolLists
  server: Pick<ServerInfo, 'version' | 'schema_version'>
  call(toolCall: ToolCall, context: RequestContext): Promise<ToolResult>
}

/** Creates SDK servers, one for each exchange, all with the same two handlers. */
function serverFactory({ tools, lists, server: { version, schema_version }, call }: Parts) {
  const options = {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    cacheHints: { 'tools/list': { ttlMs: 300_000, cacheScope: 'private' as const } },
    // Shared, because creating one costs more than a request.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  }
  const meta = { 'corkboard/schema_version': schema_version }

  const listTools = async (_: unknown, serverContext: ServerContext) => ({
    tools: lists.for(requestContextOf(serverContext).caller!.scopes),
    _meta: meta,
  })
  const callTool = async ({ params }: CallToolRequest, serverContext: ServerContext) => {
    const target = tools.get(params.name)
    if (!target) throw unknownTool(params.name, [...tools.keys()])
    const toolCall = { tool: params.name, target, raw: params.arguments ?? {} }
    const meta = serverContext.mcpReq._meta ?? {}
    const { text, body, isError } = await call(
      { ...toolCall, meta },
      requestContextOf(serverContext),
    )
    const content = [{ type: 'text' as const, text }]
    return { content, structuredContent: body, ...(isError && { isError }) }
  }

  return () => {
    const server = new Server({ name: 'corkboard', version }, options)
    server.setRequestHandler('tools/list', listTools as never)
    server.setRequestHandler('tools/call', callTool as never)
    return server
  }
}

function unknownTool(name: string, names: readonly string[]): ProtocolError {
  const suggestion = closestWord(name, names)
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${name.slice(0, 100)}${suggestion ? `; did you mean ${suggestion}?` : ''}; tools/list lists all tools`,
  )
}

/** Handles every revision of MCP over HTTP. */
export function protocol(parts: Parts) {
  const server = serverFactory(parts)
  const modern = createMcpHandler(server, { legacy: 'reject' })

  async function exchange(
    request: Request,
    body: unknown,
    context: RequestContext,
  ): Promise<Response> {
    const options = { authInfo: authInfoOf(context), parsedBody: body }
    if (!(await isLegacyRequest(request, body))) return modern.fetch(request, options)
    if (Array.isArray(body)) return batch(request, body, context)
    const transport = new Transport({ enableJsonResponse: true })
    await server().connect(transport)
    return transport.handleRequest(request, options)
  }

  /** Handles the messages of a batch one after the other, each as a request of its own. */
  async function batch(
    request: Request,
    messages: unknown[],
    context: RequestContext,
  ): Promise<Response> {
    refuseBatch(request, messages)
    const answers: unknown[] = []
    for (const message of messages) {
      const response = await exchange(request, message, context)
      if (!response.ok) return response
      if (response.status !== 202) answers.push(await response.json())
    }
    return answers.length ? json(answers) : new Response(null, { status: 202 })
  }

  return {
    server,
    async answer(request: Request, body: unknown, context: RequestContext): Promise<Response> {
      const response = await exchange(normalizeRequest(request), body, context)
      return wantsStream(request) ? asEventStream(response) : response
    },
  }
}

/** Passes the request context through the SDK to the handlers. `authInfo` is its only way. */
export const authInfoOf = (context: RequestContext) => ({
  token: '',
  clientId: context.caller!.credential,
  scopes: [],
  extra: { context },
})

const requestContextOf = ({ http }: ServerContext) =>
  http!.authInfo!.extra!.context as RequestContext

/** The messages in a body of the older transport. */
export function messagesOf(body: unknown) {
  const messages = [body].flat()
  if (messages.length > MAX_BATCH) throw batchTooLong()
  try {
    if (messages.length) return messages.map(parseJSONRPCMessage)
  } catch {
    // The SDK's error message would be a dump of its schema.
  }
  throw new Fault('invalid', 'The body is not a JSON-RPC 2.0 message')
}

const MAX_BATCH = 20
const BATCH_REVISIONS = ['2024-11-05', '2025-03-26']

const batchTooLong = () =>
  new Fault('invalid', `A batch can have at most ${MAX_BATCH} messages`, {}, 'Send several batches')

function refuseBatch({ headers }: Request, messages: unknown[]) {
  const revision = headers.get('mcp-protocol-version') ?? '2025-03-26'
  if (!BATCH_REVISIONS.includes(revision))
    throw new Fault('invalid', `Revision ${revision} has no batches`, {}, 'Send them one by one')
  if (messages.length > MAX_BATCH) throw batchTooLong()
  if (messages.some((message) => (message as { method?: unknown }).method === 'initialize'))
    throw new Fault('invalid', 'initialize cannot be part of a batch', {}, 'Send it on its own')
}

/** Removes the session id, because there are no sessions, and accepts both content types. */
function normalizeRequest({ url, headers: original }: Request): Request {
  const headers = new Headers(original)
  headers.delete('mcp-session-id')
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method: 'POST', headers })
}

async function asEventStream(response: Response): Promise<Response> {
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('json'))
    return response
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  })
}
