import { Fault } from '../kernel/fault.ts'
import type { RequestContext } from './gateway.ts'

export interface RoutePattern {
  method: string
  path: string
}

/** The refusal of a method at an address that has other methods. Also sets the Allow header. */
export function methodNotAllowed(methods: readonly string[], { headers }: RequestContext): Fault {
  headers.allow = allowHeader(methods)
  return new Fault('method_not_allowed', `Only ${withHead(methods).join(', ')} is served here`)
}

export const allowHeader = (methods: readonly string[]) =>
  [...withHead(methods), 'OPTIONS'].join(', ')

const withHead = (methods: readonly string[]) => [
  ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
]

/**
 * The methods that an address has. If several patterns match, only the most literal one counts:
 * `skills/import` is not a skill.
 */
export function methodsAt(path: string, routes: readonly RoutePattern[]): string[] {
  const matching = routes.filter((route) => matches(route.path, path))
  const bestRank = matching.map((route) => rankOf(route.path)).sort()[0]
  return matching.filter((route) => rankOf(route.path) === bestRank).map(({ method }) => method)
}

/** Whether a more literal pattern matches some addresses of this pattern. */
export const isShadowed = (pattern: string, routes: readonly RoutePattern[]): boolean =>
  routes.some(({ path }) => matches(pattern, path) && rankOf(path) < rankOf(pattern))

function matches(pattern: string, path: string): boolean {
  const patternParts = pattern.split('/')
  const pathParts = path.split('/')
  return (
    patternParts.length === pathParts.length &&
    patternParts.every(
      (part, i) => part === pathParts[i] || (part.startsWith(':') && pathParts[i] !== ''),
    )
  )
}

/** Sorts patterns with earlier literal segments first, which is the router's order. */
const rankOf = (pattern: string) =>
  pattern
    .split('/')
    .map((part) => (part.startsWith(':') ? 1 : 0))
    .join('')
