import { Fault } from '../kernel/fault.ts'

/** Without the query, which may hold what somebody searched for. */
export const pathOf = (url: string) => url.slice(url.indexOf('/', 8)).split('?')[0]!

/** Elysia would go on with a torn character in place of what cannot be decoded. */
export function readable(url: string) {
  if (!url.includes('%')) return
  try {
    decodeURIComponent(pathOf(url))
  } catch {
    throw new Fault(
      'invalid',
      'The address holds a % that encodes no character',
      { code: 'invalid_format' },
      'Write a percent sign itself as %25',
    )
  }
}
