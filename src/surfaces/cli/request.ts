import { type OperationDescription, toArray } from '../../kernel/operation.ts'
import type { ApiRequest } from './client.ts'

export type Fields = Record<string, unknown>

/**
 * The method and path pattern of the route for this input. A field that needs a further scope makes
 * the operation write, so it is not sent with GET if there is another route.
 */
export function routeOf(
  op: OperationDescription,
  input: Fields = {},
): { method: string; path: string } {
  const routes = toArray(op.on.rest)
  const mayWrite = Object.keys(input).some(
    (name) => input[name] && op.input.properties[name]?.needs,
  )
  const writing = mayWrite ? routes.find((candidate) => !candidate.startsWith('GET')) : undefined
  const [method = '', path = ''] = (writing ?? routes[0] ?? '').split(' ')
  return { method, path }
}

export const pathParameters = (op: OperationDescription): string[] =>
  [...routeOf(op).path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

/** Builds the request: path parameters go into the path, the rest into the query or body. */
export function requestFor(op: OperationDescription, input: Fields): ApiRequest {
  const { method, path: pattern } = routeOf(op, input)
  const parameters = pathParameters(op)
  const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(toText(input[name])))
  const rest = Object.entries(input).filter(([name]) => !parameters.includes(name))
  if (method !== 'GET' && method !== 'DELETE')
    return { method, path, body: Object.fromEntries(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of rest)
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, toText(item))
  return { method, path, query }
}

const toText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
