import type { Caller } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { requiredScope, toArray } from '../../kernel/operation.ts'
import { closestWord } from '../../kernel/validate.ts'
import type { RequestContext } from '../gateway.ts'
import type { Tool } from './tools.ts'

export const READ_ONLY_PATH = '/mcp/readonly'

/** A request with the tools that its connection is limited to, if it is. */
export interface McpContext extends RequestContext {
  selectedTools?: ReadonlySet<string>
}

const PARAMETERS = ['tools', 'read_only']

/**
 * Limits a request to what its URL and headers select. If both select tools, only tools that both
 * name remain. A caller who is limited to reading keeps no other scope.
 */
export function applySelection(
  context: McpContext,
  { url, headers }: Request,
  names: readonly string[],
): void {
  const { searchParams, pathname } = new URL(url)
  for (const name of searchParams.keys()) checkParameter(name)
  const inUrl = searchParams.has('tools') ? searchParams.getAll('tools').join() : null
  const lists = [inUrl, headers.get('x-mcp-tools')].filter((text) => text !== null)
  const selected = lists.map((text) => toolsIn(text, names))
  const isReadOnly = [
    pathname === READ_ONLY_PATH,
    ...searchParams.getAll('read_only').map((text) => isTrue('read_only', text)),
    isTrue('X-MCP-Readonly', headers.get('x-mcp-readonly') ?? 'false'),
  ].includes(true)
  if (selected.length)
    context.selectedTools = selected.reduce((left, right) => left.intersection(right))
  if (isReadOnly) context.caller = asReader(context.caller!)
}

/** A misspelled parameter would silently select everything. Other parameters are ignored. */
function checkParameter(name: string): void {
  if (PARAMETERS.includes(name)) return
  const meant = closestWord(name, PARAMETERS)
  if (meant)
    throw fault.invalid(
      name,
      'unknown_field',
      `${name} is not a known parameter`,
      undefined,
      `Did you mean ${meant}?`,
    )
}

function toolsIn(text: string, names: readonly string[]): Set<string> {
  const words = text.split(',').map((word) => word.trim().toLowerCase())
  const tools = words.filter(Boolean).map((word) => toolNamed(word, names))
  if (tools.length) return new Set(tools)
  throw fault.invalid('tools', 'required', 'tools names no tool', text, shortNames(names))
}

function toolNamed(word: string, names: readonly string[]): string {
  const found = names.find((name) => name === word || name === `svc_${word}`)
  if (found) return found
  const suggestion = closestWord(word.replace(/^svc_/, ''), names.map(withoutPrefix))
  throw fault.invalid(
    'tools',
    'not_found',
    `There is no tool ${word.slice(0, 100)}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    word,
    shortNames(names),
  )
}

const withoutPrefix = (name: string) => name.replace(/^svc_/, '')

const shortNames = (names: readonly string[]) => `The tools are ${names.map(withoutPrefix).join()}`

function isTrue(name: string, value: string): boolean {
  const text = value.toLowerCase()
  if (text === 'false' || text === '0') return false
  if (text === 'true' || text === '1' || text === '') return true
  throw fault.invalid(name, 'invalid_format', `${name} must be true or false`, value)
}

/** The tool of this name, if the connection may use it. */
export function selectedTool(
  tools: ReadonlyMap<string, Tool>,
  name: string,
  { selectedTools }: McpContext,
): Tool | undefined {
  const tool = tools.get(name)
  if (!selectedTools || !tool || selectedTools.has(name)) return tool
  // A legacy tool belongs to the tool that has its operation as an action.
  const isSelected =
    'on' in tool && toArray(tool.on.mcp).some((full) => selectedTools.has(full.split('.')[0]!))
  return isSelected ? tool : undefined
}

/** One copy for each caller, because cached responses belong to a caller object. */
const readers = new WeakMap<Caller, Caller>()
const readOnlyCallers = new WeakSet<Caller>()

function asReader(caller: Caller): Caller {
  const known = readers.get(caller)
  if (known) return known
  const scopes = new Set([...caller.scopes].filter((scope) => scope.endsWith(':read')))
  // Its person can allow no more to a connection that only reads.
  const { grantable: _, ...rest } = caller
  const reader = { ...rest, scopes }
  readers.set(caller, reader)
  readOnlyCallers.add(reader)
  return reader
}

/** Explains why a read-only connection refuses a write: the credential may have the scope. */
export const refuseWrites =
  (dispatch: Dispatch): Dispatch =>
  async (caller, op, input, ...rest) => {
    if (readOnlyCallers.has(caller) && !requiredScope(op, input ?? {}).endsWith(':read'))
      throw fault.forbidden(
        'This connection only reads, and the call would change something',
        'Connect to /mcp without read_only or X-MCP-Readonly',
      )
    return dispatch(caller, op, input, ...rest)
  }
