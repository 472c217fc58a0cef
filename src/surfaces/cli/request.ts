import { type AnyOperation, named, needed } from '../../kernel/operation.ts'
import type { Ask } from './client.ts'

export type Fields = Record<string, unknown>

/** Method and address pattern of the route that the command line uses for this input. */
export function routeOf(op: AnyOperation, input: Fields = {}): { method: string; path: string } {
  const routes = named(op.on.rest)
  const isWrite = needed(op, input) !== op.needs
  const route = isWrite ? routes.find((one) => !one.startsWith('GET')) : routes[0]
  const [method = '', path = ''] = (route ?? '').split(' ')
  return { method, path }
}

export const inPath = (op: AnyOperation): string[] =>
  [...routeOf(op).path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

/** What to send for this input: the path takes its part, the rest goes into query or body. */
export function askOf(op: AnyOperation, input: Fields): Ask {
  const { method, path: pattern } = routeOf(op, input)
  const taken = inPath(op)
  const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(spelt(input[name])))
  const rest = Object.entries(input).filter(([name]) => !taken.includes(name))
  if (method !== 'GET' && method !== 'DELETE')
    return { method, path, body: Object.fromEntries(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of rest)
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, spelt(one))
  return { method, path, query }
}

const spelt = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
