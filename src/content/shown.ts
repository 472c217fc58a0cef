import type { Context } from '../kernel/caller.ts'
import { Fault } from '../kernel/fault.ts'
import { allConvertedIn, type Format, type Resolver, type Stored, snippetOf } from './index.ts'

export type Reader = Resolver & Pick<Context, 'warn'>

/**
 * Texts that a transaction read, in another format. A text that cannot be converted stays as it is
 * stored, and the response warns of it. `isSafe: false` marks texts that were never cleaned: of such
 * a text only the first words are given.
 */
export const shownAs = (
  ctx: Reader,
  to: Format,
  texts: readonly Stored[],
  { field, isSafe = true }: { field: string; isSafe?: boolean },
): Stored[] =>
  allConvertedIn(ctx, to, texts, field).map((result, at) => {
    if (result.status === 'fulfilled') return { text: result.value, format: to }
    const why = reasonOf(result)
    const { text, format } = texts[at]!
    if (isSafe) return warnOfStored(ctx, field, why, texts[at]!)
    ctx.warn(field, 'not_converted', `${why}; these are its first words`)
    return { text: snippetOf(text, format, FIRST_WORDS), format: 'markdown' }
  })

const FIRST_WORDS = 2000

export function warnOfStored({ warn }: Reader, field: string, why: string, stored: Stored): Stored {
  warn(field, 'not_converted', `${why}; it is given as ${stored.format}, as stored`)
  return stored
}

/** An error of the server, or a rate limit of the credential, is not a property of the text. */
function reasonOf({ reason }: PromiseRejectedResult): string {
  if (reason instanceof Fault && reason.code === 'invalid') return reason.message
  throw reason
}
