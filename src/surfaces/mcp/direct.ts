import type { Visit } from '../door.ts'
import type { Called, Told } from './call.ts'
import type { Tool } from './tools.ts'

/** Revisions in which a call of a tool is one message that stands by itself. */
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25']

interface Parts {
  tools: ReadonlyMap<string, Tool>
  call(called: Called, visit: Visit): Promise<Told>
}

type Fields = Record<string, unknown>

/**
 * Answers what agents ask most, a plain call of a tool, without a server and a transport being
 * made for it. It says exactly what the SDK would; whatever is not plainly such a call is left
 * to the SDK by answering nothing.
 */
export async function direct(
  { tools, call }: Parts,
  { headers }: Request,
  body: unknown,
  visit: Visit,
) {
  if (!REVISIONS.includes(headers.get('mcp-protocol-version') ?? '2025-03-26')) return undefined
  if (!isCall(body)) return undefined
  const { id, params } = body
  const does = tools.get(params.name)
  if (!does) return undefined
  const { name: tool, arguments: given = {}, _meta: meta = {} } = params
  const { text, quoted, isError } = await call({ tool, does, given, meta }, visit)
  const failed = isError ? ',"isError":true' : ''
  const result = `{"content":[{"type":"text","text":${quoted}}],"structuredContent":${text}${failed}}`
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
}

interface Call {
  id: string | number
  params: { name: string; arguments?: Fields; _meta?: Fields }
}

function isCall(body: unknown): body is Call {
  if (!only(body, ['jsonrpc', 'id', 'method', 'params'])) return false
  const { jsonrpc, id, method, params } = body
  const named = typeof id === 'string' || Number.isSafeInteger(id)
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !named) return false
  if (!only(params, ['name', 'arguments', '_meta']) || typeof params.name !== 'string') return false
  return (
    optional(params.arguments) &&
    optional(params._meta) &&
    !known(params._meta as Fields | undefined)
  )
}

/** What means something to the protocol itself is the SDK's to judge; nothing here has progress. */
function known({ progressToken = '', ...meta }: Fields = {}): boolean {
  const token = typeof progressToken === 'string' || Number.isSafeInteger(progressToken)
  return !token || Object.keys(meta).some((name) => name.startsWith('io.modelcontextprotocol/'))
}

const optional = (value: unknown) => value === undefined || plain(value)

const plain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const only = (value: unknown, names: readonly string[]): value is Fields =>
  plain(value) && Object.keys(value).every((name) => names.includes(name))

/** Whether a client can read nothing but a stream. */
export function wantsStream({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '*/*'
  return accept.includes('text/event-stream') && !/application\/(json|\*)|\*\/\*/.test(accept)
}
