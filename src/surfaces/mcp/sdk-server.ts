import {
  type CallToolRequest,
  type CallToolResult,
  type GetPromptRequestParams,
  type InputRequiredResult,
  type PaginatedRequestParams,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ResourceRequestParams,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { Server as ServerInfo } from '../../kernel/caller.ts'
import { errorBody, Fault, needsAttention } from '../../kernel/fault.ts'
import { closestWord } from '../../kernel/validate.ts'
import { asFault, type Gateway } from '../gateway.ts'
import type { ToolCall } from './arguments.ts'
import type { ToolResult } from './call.ts'
import type { CompletionRequest, Completions } from './completion.ts'
import { elicitor } from './elicitation.ts'
import { InputNeeded, type Intercept } from './intercept.ts'
import { INSTRUCTIONS } from './names.ts'
import type { PromptBook } from './prompts/index.ts'
import type { Operations } from './reader.ts'
import type { Resources } from './resources/index.ts'
import { MARKDOWN } from './resources/uris.ts'
import type { ResourceWatch } from './resources/watch.ts'
import { type McpContext, selectedTool } from './selection.ts'
import type { Tool, ToolLists } from './tools.ts'

export interface ServerParts {
  tools: ReadonlyMap<string, Tool>
  lists: ToolLists
  server: Pick<ServerInfo, 'url' | 'version' | 'schema_version'>
  call(toolCall: ToolCall, context: McpContext, intercept?: Intercept): Promise<ToolResult>
  operations: Operations
  prompts: PromptBook
  resources: Resources
  completions: Completions
  gateway: Gateway
}

/** What a transport can carry besides answers. */
export interface Carries {
  /** Notifications about resources: `watch` for a connection, true for a stream of its own. */
  updates?: ResourceWatch | true
}

const LIST_HINT = { ttlMs: 300_000, cacheScope: 'private' as const }
/** A new board should show up soon. */
const BOARDS_HINT = { ttlMs: 30_000, cacheScope: 'private' as const }

/** Creates SDK servers: one for each exchange, or one for each connection of the SSE transport. */
export function serverFactory(parts: ServerParts) {
  const shared = {
    instructions: INSTRUCTIONS,
    cacheHints: {
      'tools/list': LIST_HINT,
      'prompts/list': LIST_HINT,
      'resources/templates/list': LIST_HINT,
      'resources/list': BOARDS_HINT,
      'server/discover': LIST_HINT,
    },
    // Shared, because creating one costs more than a request.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  }
  const handlers = handlersOf(parts)
  const { version, url } = parts.server
  const about = {
    name: 'corkboard',
    title: 'Corkboard',
    version,
    websiteUrl: url,
    icons: [{ src: `${url}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
  }
  return ({ updates }: Carries = {}) => {
    const resources = updates ? { subscribe: true, listChanged: updates === true } : {}
    const capabilities = { tools: {}, prompts: {}, resources, completions: {} }
    const server = new Server(about, { ...shared, capabilities })
    const handle = (method: string, handler: Handler) =>
      server.setRequestHandler(method as never, answering(parts, handler) as never)
    for (const [method, handler] of Object.entries(handlers)) handle(method, handler)
    server.setRequestHandler('tools/call', toolHandler(parts, server) as never)
    if (updates && updates !== true) {
      handle('resources/subscribe', subscribeHandler(parts, updates))
      handle('resources/unsubscribe', async ({ uri }: ResourceRequestParams) => {
        updates.remove(uri)
        return {}
      })
    }
    return server
  }
}

/** The SDK has validated the parameters, by method. */
type Handler = (params: never, context: McpContext) => Promise<object>

function handlersOf(parts: ServerParts): Record<string, Handler> {
  const { lists, server, prompts, resources, completions } = parts
  const toolMeta = { 'corkboard/schema_version': server.schema_version }
  return {
    'tools/list': async (_, { caller, selectedTools }) => ({
      tools: lists.for(caller!.scopes, selectedTools),
      _meta: toolMeta,
    }),
    'prompts/list': async (_, { caller }) => ({ prompts: prompts.list(caller!) }),
    'prompts/get': ({ name, arguments: args }: GetPromptRequestParams, { caller }) =>
      prompts.get(caller!, name, args),
    'resources/list': (params: PaginatedRequestParams | undefined, { caller }) =>
      resources.list(caller!, params?.cursor),
    'resources/templates/list': async (_, { caller }) => ({
      resourceTemplates: resources.templates(caller!),
    }),
    'resources/read': async ({ uri }: ResourceRequestParams, { caller }) => {
      const { text } = await notFoundAs(uri, resources.read(caller!, uri))
      return { contents: [{ uri, mimeType: MARKDOWN, text }] }
    },
    'completion/complete': async (params: CompletionRequest, { caller }) => ({
      completion: await completions.complete(caller!, params),
    }),
  }
}

const subscribeHandler =
  ({ resources }: ServerParts, watch: ResourceWatch): Handler =>
  async ({ uri }: ResourceRequestParams, { caller }) => {
    await watch.start()
    const { kind, subject } = await notFoundAs(uri, resources.read(caller!, uri))
    watch.add(uri, { subject, dependencies: resources.dependenciesOf(kind) })
    return {}
  }

/** Runs a handler with the context of its request, and turns faults into protocol errors. */
const answering =
  ({ gateway }: ServerParts, handler: Handler) =>
  async ({ params }: { params?: unknown }, serverContext: ServerContext) => {
    const context = requestContextOf(serverContext)
    try {
      return await handler(params as never, context)
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      const fault = asFault(error)
      if (needsAttention(fault)) gateway.reportFailure(context, error)
      const { InternalError, InvalidParams } = ProtocolErrorCode
      const code = fault.code === 'internal' ? InternalError : InvalidParams
      throw new ProtocolError(code, messageOf(fault), errorBody(fault, context.requestId))
    }
  }

/** Clients show only the message of a protocol error, so it includes the hint. */
const messageOf = ({ message, hint }: Fault) => (hint ? `${message}. ${hint}` : message)

/** The protocol has an error of its own for resources that do not exist or have no such address. */
async function notFoundAs<T>(uri: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error) => {
    const isMissing =
      error instanceof Fault && (error.code === 'not_found' || error.details.field === 'uri')
    throw isMissing ? new ResourceNotFoundError(uri, messageOf(error)) : error
  })
}

const toolHandler =
  (parts: ServerParts, server: Server) =>
  async ({ params }: CallToolRequest, serverContext: ServerContext) => {
    const { tools, call, operations } = parts
    const context = requestContextOf(serverContext)
    const target = selectedTool(tools, params.name, context)
    if (!target) throw unknownTool(params.name, [...tools.keys()], context)
    const meta = serverContext.mcpReq._meta ?? {}
    const toolCall = { tool: params.name, target, raw: params.arguments ?? {}, meta }
    const caller = context.caller!
    const intercept = elicitor(serverContext, {
      caller,
      read: operations.readerFor(caller),
      elicitation: server.getClientCapabilities()?.elicitation,
    })
    try {
      return toCallResult(await call(toolCall, context, intercept))
    } catch (error) {
      if (error instanceof InputNeeded) return error.spec as InputRequiredResult
      throw error
    }
  }

const toCallResult = ({ text, body, files = [], isError }: ToolResult): CallToolResult => ({
  content: [{ type: 'text', text }, ...files],
  structuredContent: body,
  ...(isError && { isError }),
})

function unknownTool(
  name: string,
  names: readonly string[],
  { selectedTools }: McpContext,
): ProtocolError {
  if (selectedTools && names.includes(name))
    return new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `This connection is limited to ${[...selectedTools].join()}; to use ${name}, add it to "tools" in the URL or to X-MCP-Tools`,
    )
  const suggestion = closestWord(name, names)
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${name.slice(0, 100)}${suggestion ? `; did you mean ${suggestion}?` : ''}; tools/list lists all tools`,
  )
}

/** Passes the request context through the SDK to the handlers. `authInfo` is its only way. */
export const authInfoOf = (context: McpContext) => ({
  token: '',
  clientId: context.caller!.credential,
  scopes: [],
  extra: { context },
})

const requestContextOf = ({ http }: ServerContext) => http!.authInfo!.extra!.context as McpContext
