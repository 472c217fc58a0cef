import { Fault } from '../kernel/fault.ts'
import type { Visit } from './door.ts'

export interface Known {
  method: string
  path: string
}

/** Refuses a method at an address that other methods have. */
export function notAllowed(methods: readonly string[], { headers }: Visit): Fault {
  headers.allow = allowOf(methods)
  return new Fault('method_not_allowed', `Only ${served(methods).join(', ')} is served here`)
}

export const allowOf = (methods: readonly string[]) => [...served(methods), 'OPTIONS'].join(', ')

const served = (methods: readonly string[]) => [
  ...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))),
]

/**
 * The methods that an address has. Of several patterns that fit it, the most literal one counts:
 * `skills/import` is not a skill.
 */
export function methodsAt(path: string, routes: readonly Known[]): string[] {
  const fitting = routes.filter((route) => fits(route.path, path))
  const best = fitting.map((route) => rankOf(route.path)).sort()[0]
  return fitting.filter((route) => rankOf(route.path) === best).map(({ method }) => method)
}

/** Whether some address of this pattern belongs to a more literal pattern. */
export const isShadowed = (pattern: string, routes: readonly Known[]): boolean =>
  routes.some(({ path }) => fits(pattern, path) && rankOf(path) < rankOf(pattern))

function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => part === given[i] || (part.startsWith(':') && given[i] !== ''))
  )
}

/** Smaller where a literal segment comes earlier, as the router prefers it. */
const rankOf = (pattern: string) =>
  pattern
    .split('/')
    .map((part) => (part.startsWith(':') ? 1 : 0))
    .join('')
