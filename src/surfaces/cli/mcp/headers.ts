import type { Message, Params } from './message.ts'

const PREFIX = 'io.modelcontextprotocol'
const NEWEST = '2026-07-28'

/** From revision 2026-07-28 on, the field that the header Mcp-Name repeats, by method. */
const NAME_FIELDS: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/**
 * The headers of the protocol for a message. Since 2026-07-28 every message names its revision, and
 * headers repeat what proxies need to know. Before, `revision` was agreed on once.
 */
export function protocolHeaders(
  message: Message | Message[],
  revision: string | undefined,
): Record<string, string> {
  const { method = '', params } = Array.isArray(message) ? {} : message
  const version = params?._meta?.[`${PREFIX}/protocolVersion`]
  if (typeof version !== 'string')
    return method !== 'initialize' && revision ? { 'mcp-protocol-version': revision } : {}
  const name = params?.[NAME_FIELDS[method] ?? '']
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
  }
}

/** A header cannot carry every text. The protocol defines this encoding for the others. */
const headerValue = (text: string) =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** What a client says of itself in a handshake. */
export interface ClientIdentity {
  info: unknown
  capabilities: Record<string, unknown>
}

/**
 * A request of an older client in the newest revision. Only that one carries questions and updates
 * without a connection that lasts.
 */
export function inNewestRevision(
  message: Message,
  { info, capabilities }: ClientIdentity,
): Message {
  const _meta = {
    ...message.params?._meta,
    [`${PREFIX}/protocolVersion`]: NEWEST,
    [`${PREFIX}/clientInfo`]: info,
    [`${PREFIX}/clientCapabilities`]: capabilities,
  }
  const params: Params = { ...message.params, _meta }
  return { jsonrpc: '2.0', ...message, params }
}
