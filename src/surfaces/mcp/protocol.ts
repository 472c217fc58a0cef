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
import type { Server as House } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { nearest } from '../../kernel/validate.ts'
import { json, type Visit } from '../door.ts'
import type { Called, Told } from './call.ts'
import { wantsStream } from './direct.ts'
import { INSTRUCTIONS } from './names.ts'
import type { Tool, ToolLists } from './tools.ts'

interface Parts {
  tools: ReadonlyMap<string, Tool>
  lists: ToolLists
  server: Pick<House, 'version' | 'schema_version'>
  call(called: Called, visit: Visit): Promise<Told>
}

/** Makes the SDK's servers, one for every exchange, all with the same two handlers. */
function serversOf({ tools, lists, server: { version, schema_version }, call }: Parts) {
  const options = {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    cacheHints: { 'tools/list': { ttlMs: 300_000, cacheScope: 'private' as const } },
    // Shared: making one for every request costs more than the request.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  }
  const meta = { 'corkboard/schema_version': schema_version }

  const listTools = async (_: unknown, context: ServerContext) => ({
    tools: lists.for(visitOf(context).caller!.scopes),
    _meta: meta,
  })
  const callTool = async ({ params }: CallToolRequest, context: ServerContext) => {
    const does = tools.get(params.name)
    if (!does) throw unknownTool(params.name, [...tools.keys()])
    const called = { tool: params.name, does, given: params.arguments ?? {} }
    const meta = context.mcpReq._meta ?? {}
    const { text, body, isError } = await call({ ...called, meta }, visitOf(context))
    const content = [{ type: 'text' as const, text }]
    return { content, structuredContent: body, ...(isError && { isError }) }
  }

  return () => {
    const made = new Server({ name: 'corkboard', version }, options)
    made.setRequestHandler('tools/list', listTools as never)
    made.setRequestHandler('tools/call', callTool as never)
    return made
  }
}

function unknownTool(name: string, known: readonly string[]): ProtocolError {
  const near = nearest(name, known)
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${name.slice(0, 100)}${near ? `; did you mean ${near}?` : ''}; tools/list names those there are`,
  )
}

/** Every revision of MCP over HTTP. */
export function protocol(parts: Parts) {
  const server = serversOf(parts)
  const modern = createMcpHandler(server, { legacy: 'reject' })

  async function exchange(request: Request, body: unknown, visit: Visit): Promise<Response> {
    const told = { authInfo: carrying(visit), parsedBody: body }
    if (!(await isLegacyRequest(request, body))) return modern.fetch(request, told)
    if (Array.isArray(body)) return batch(request, body, visit)
    const transport = new Transport({ enableJsonResponse: true })
    await server().connect(transport)
    return transport.handleRequest(request, told)
  }

  /** One after the other, as their sender wrote them, and each as if it had come alone. */
  async function batch(request: Request, messages: unknown[], visit: Visit): Promise<Response> {
    refuseBatch(request, messages)
    const answers: unknown[] = []
    for (const message of messages) {
      const response = await exchange(request, message, visit)
      if (!response.ok) return response
      if (response.status !== 202) answers.push(await response.json())
    }
    return answers.length ? json(answers) : new Response(null, { status: 202 })
  }

  return {
    server,
    async answer(request: Request, body: unknown, visit: Visit): Promise<Response> {
      const response = await exchange(plain(request), body, visit)
      return wantsStream(request) ? asStream(response) : response
    },
  }
}

/** Takes a visit through the SDK to the handlers, in the one place it has for such things. */
export const carrying = (visit: Visit) => ({
  token: '',
  clientId: visit.caller!.credential,
  scopes: [],
  extra: { visit },
})

const visitOf = ({ http }: ServerContext) => http!.authInfo!.extra!.visit as Visit

/** The messages of one body of the older transport. */
export function messagesOf(body: unknown) {
  const messages = [body].flat()
  if (messages.length > MOST_IN_BATCH) throw tooMany()
  try {
    if (messages.length) return messages.map(parseJSONRPCMessage)
  } catch {
    // The SDK's own words are a dump of its schema.
  }
  throw new Fault('invalid', 'The body is not a JSON-RPC 2.0 message')
}

const MOST_IN_BATCH = 20
const WITH_BATCHES = ['2024-11-05', '2025-03-26']

const tooMany = () =>
  new Fault('invalid', `A batch holds at most ${MOST_IN_BATCH} messages`, {}, 'Send several')

function refuseBatch({ headers }: Request, messages: unknown[]) {
  const revision = headers.get('mcp-protocol-version') ?? '2025-03-26'
  if (!WITH_BATCHES.includes(revision))
    throw new Fault('invalid', `Revision ${revision} has no batches`, {}, 'Send them one by one')
  if (messages.length > MOST_IN_BATCH) throw tooMany()
  if (messages.some((message) => (message as { method?: unknown }).method === 'initialize'))
    throw new Fault('invalid', 'initialize cannot be part of a batch', {}, 'Send it by itself')
}

/** Without a session, which nothing here has, and willing to take what every client can read. */
function plain({ url, headers: given }: Request): Request {
  const headers = new Headers(given)
  headers.delete('mcp-session-id')
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method: 'POST', headers })
}

async function asStream(response: Response): Promise<Response> {
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('json'))
    return response
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  })
}
