import { Fault } from '../../kernel/fault.ts'
import { type AnyOperation, requiredScope } from '../../kernel/operation.ts'
import { isGrantable } from '../challenge.ts'
import { resolveCall } from './arguments.ts'
import { type McpContext, selectedTool } from './selection.ts'
import type { Tool } from './tools.ts'

type Fields = Record<string, unknown>

/**
 * Refuses a tool call whose scopes the person of an OAuth client can still allow. The refusal
 * answers the request itself, not the call, so that the client asks its person.
 */
export function refuseForStepUp(
  tools: ReadonlyMap<string, Tool>,
  body: unknown,
  context: McpContext,
): void {
  const { caller } = context
  if (!caller?.grantable) return
  const messages: unknown[] = Array.isArray(body) ? body : [body]
  const required = messages.flatMap((message) => scopesOf(tools, message as Fields, context))
  const missing = [...new Set(required)].filter((scope) => !caller.scopes.has(scope))
  if (!missing.length || !missing.every((scope) => isGrantable(caller, scope))) return
  const scope = missing.join(' ')
  throw new Fault('forbidden', `This call needs the scope ${scope}`, { scope })
}

function scopesOf(tools: ReadonlyMap<string, Tool>, message: Fields | null, context: McpContext) {
  if (message?.method !== 'tools/call') return []
  const { name, arguments: raw } = (message.params ?? {}) as { name?: unknown; arguments?: Fields }
  const target = typeof name === 'string' ? selectedTool(tools, name, context) : undefined
  if (!target) return []
  try {
    const { op, input } = resolveCall({ tool: String(name), target, raw: raw ?? {}, meta: {} })
    return scopesFor(op, input)
  } catch {
    // The call itself reports what is wrong with its arguments.
    return []
  }
}

const scopesFor = (op: AnyOperation, input: Fields) => [op.needs, requiredScope(op, input)]
