import { Fault } from '../kernel/fault.ts'

/** The path without the query, which may contain search texts and must not be logged. */
export const pathOf = (url: string) => url.slice(url.indexOf('/', 8)).split('?')[0]!

export const pathAndQuery = (url: string) => url.slice(url.indexOf('/', 8))

/** The path of a server's public address, such as `/board`; empty without one. */
export const basePathOf = (url: string): string =>
  url ? new URL(url).pathname.replace(/\/$/, '') : ''

/** Throws if the path cannot be decoded. Elysia would replace the character and continue. */
export function checkEncoding(url: string) {
  if (!url.includes('%')) return
  try {
    decodeURIComponent(pathOf(url))
  } catch {
    throw new Fault(
      'invalid',
      'The address contains a % that does not encode a character',
      { code: 'invalid_format' },
      'Write a literal percent sign as %25',
    )
  }
}
