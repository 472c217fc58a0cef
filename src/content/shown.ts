import type { Context } from '../kernel/caller.ts'
import { Fault } from '../kernel/fault.ts'
import {
  convertAllInTransaction,
  type Format,
  type Resolver,
  type Stored,
  snippetOf,
} from './index.ts'

export type Reader = Resolver & Pick<Context, 'warn'>

/**
 * Converts texts that a transaction read. A text that cannot be converted is returned as stored, with
 * a warning. `isSafe: false` marks texts that were never cleaned: of these only the first words are
 * returned, without markup.
 */
export const convertStored = (
  ctx: Reader,
  to: Format,
  texts: readonly Stored[],
  { field, isSafe = true }: { field: string; isSafe?: boolean },
): Stored[] =>
  convertAllInTransaction(ctx, to, texts, field).map((result, index) => {
    if (result.status === 'fulfilled') return { text: result.value, format: to }
    const reason = reasonOf(result)
    const { text, format } = texts[index]!
    if (isSafe) return warnNotConverted(ctx, field, reason, texts[index]!)
    ctx.warn(field, 'not_converted', `${reason}; only its beginning is shown`)
    return { text: snippetOf(text, format, FIRST_WORDS), format: 'markdown' }
  })

const FIRST_WORDS = 2000

export function warnNotConverted(
  { warn }: Reader,
  field: string,
  reason: string,
  stored: Stored,
): Stored {
  warn(field, 'not_converted', `${reason}; it is returned as ${stored.format}, as stored`)
  return stored
}

/** Why the text cannot be converted. Rethrows errors that the text did not cause. */
function reasonOf({ reason }: PromiseRejectedResult): string {
  if (reason instanceof Fault && reason.code === 'invalid') return reason.message
  throw reason
}
