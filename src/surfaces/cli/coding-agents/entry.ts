import type { McpClient, StdioServer } from './clients.ts'

export const SERVER_NAME = 'corkboard'

export type Entry = Record<string, unknown>

/**
 * The entry of this server in the file of a client. Keeps what the person has added to an earlier
 * one, such as permissions, unless that one was the address of a server.
 */
export function entryOf(
  { namesType, fields }: McpClient,
  { command, args, env }: StdioServer,
  existing: unknown,
): Entry {
  const own = { ...(namesType && { type: 'stdio' }), command, args }
  const isProgram = isObject(existing) && typeof existing.command === 'string'
  const earlier = isProgram ? (existing as Entry) : {}
  return {
    ...fields,
    ...earlier,
    ...own,
    env: { ...(isObject(earlier.env) && earlier.env), ...env },
  }
}

export const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
