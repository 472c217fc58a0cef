import { BadConfig } from '../config.ts'
import { Fault, refusal } from '../kernel/fault.ts'
import { Unusable } from '../store/unusable.ts'
import { Refused } from '../surfaces/cli/client.ts'
import { Failed, WrongUsage } from '../surfaces/cli/command.ts'
import type { Outside } from '../surfaces/cli/outside.ts'

/** Tells on standard error why a command ended; answers its exit code. */
export function report(error: unknown, json: boolean, { err }: Pick<Outside, 'err'>): number {
  const wrong = error instanceof WrongUsage || error instanceof BadConfig
  if (json) err(JSON.stringify(envelopeOf(error, wrong)))
  else if (isExpected(error)) err(wordsOf(error))
  // Only what is broken is worth a trace.
  else err(`cork failed: ${Bun.inspect(error)}`)
  return wrong ? 2 : 1
}

/** What people can put right is told in words. */
const isExpected = (error: unknown): error is Error =>
  [WrongUsage, BadConfig, Unusable, Fault, Refused, Failed].some((kind) => error instanceof kind)

const wordsOf = (error: Error): string =>
  (error instanceof Fault
    ? [error.message, error.hint].filter(Boolean).join('. ')
    : error.message
  ).trimEnd()

function envelopeOf(error: unknown, wrong: boolean): object {
  if (error instanceof Refused) return error.refusal
  if (error instanceof Fault) {
    const { request_id: _, ...told } = refusal(error, '')
    return told
  }
  const known = isExpected(error)
  return {
    success: false,
    error: wrong ? 'Wrong usage' : known ? 'Failed' : 'Internal error',
    message: known ? wordsOf(error) : String(error),
  }
}
