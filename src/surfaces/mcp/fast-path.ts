import type { ToolCall } from './arguments.ts'
import type { ToolResult } from './call.ts'
import { type McpContext, selectedTool } from './selection.ts'
import type { Tool } from './tools.ts'

/** Protocol revisions in which a tool call is a single, independent message. */
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25']

interface Parts {
  tools: ReadonlyMap<string, Tool>
  call(toolCall: ToolCall, context: McpContext): Promise<ToolResult>
}

type Fields = Record<string, unknown>

/**
 * Answers plain tool calls, the most frequent requests, without creating an SDK server and
 * transport. The response is exactly the SDK's. Returns undefined for everything else, which the
 * SDK handles.
 */
export async function callDirectly(
  { tools, call }: Parts,
  { headers }: Request,
  body: unknown,
  context: McpContext,
) {
  if (!REVISIONS.includes(headers.get('mcp-protocol-version') ?? '2025-03-26')) return undefined
  if (!isToolCall(body)) return undefined
  const { id, params } = body
  const target = selectedTool(tools, params.name, context)
  if (!target) return undefined
  const { name: tool, arguments: raw = {}, _meta: meta = {} } = params
  const { text, quoted, files = [], isError } = await call({ tool, target, raw, meta }, context)
  const further = files.map((file) => `,${JSON.stringify(file)}`).join('')
  const errorFlag = isError ? ',"isError":true' : ''
  const result = `{"content":[{"type":"text","text":${quoted}}${further}],"structuredContent":${text}${errorFlag}}`
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
}

interface ToolCallMessage {
  id: string | number
  params: { name: string; arguments?: Fields; _meta?: Fields }
}

function isToolCall(body: unknown): body is ToolCallMessage {
  if (!hasOnly(body, ['jsonrpc', 'id', 'method', 'params'])) return false
  const { jsonrpc, id, method, params } = body
  const hasId = typeof id === 'string' || Number.isSafeInteger(id)
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !hasId) return false
  if (!hasOnly(params, ['name', 'arguments', '_meta']) || typeof params.name !== 'string')
    return false
  return (
    isOptionalObject(params.arguments) &&
    isOptionalObject(params._meta) &&
    !hasProtocolMeta(params._meta as Fields | undefined)
  )
}

/**
 * Whether `_meta` has keys of the protocol, which the SDK must handle. Progress is not reported.
 */
function hasProtocolMeta({ progressToken = '', ...meta }: Fields = {}): boolean {
  const isValidToken = typeof progressToken === 'string' || Number.isSafeInteger(progressToken)
  return (
    !isValidToken || Object.keys(meta).some((name) => name.startsWith('io.modelcontextprotocol/'))
  )
}

const isOptionalObject = (value: unknown) => value === undefined || isObject(value)

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasOnly = (value: unknown, names: readonly string[]): value is Fields =>
  isObject(value) && Object.keys(value).every((name) => names.includes(name))

/** Whether the client accepts event streams only. */
export function wantsStream({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '*/*'
  return accept.includes('text/event-stream') && !/application\/(json|\*)|\*\/\*/.test(accept)
}
