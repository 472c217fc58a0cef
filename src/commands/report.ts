import { BadConfig } from '../config/index.ts'
import { errorBody, Fault } from '../kernel/fault.ts'
import { UnusableError } from '../store/unusable.ts'
import { RefusedError } from '../surfaces/cli/client.ts'
import { CommandError, UsageError } from '../surfaces/cli/command.ts'
import type { CommandIO } from '../surfaces/cli/io.ts'

/** Prints to standard error why a command failed. Returns the exit code. */
export function report(error: unknown, json: boolean, { err }: Pick<CommandIO, 'err'>): number {
  const isUsageError = error instanceof UsageError || error instanceof BadConfig
  if (json) err(JSON.stringify(envelopeOf(error, isUsageError)))
  else if (isExpected(error)) err(messageOf(error))
  // Only an unexpected error prints a stack trace.
  else err(`cork failed: ${Bun.inspect(error)}`)
  return isUsageError ? 2 : 1
}

/** An expected error is one that the user can fix; it prints its message without a stack trace. */
const isExpected = (error: unknown): error is Error =>
  [UsageError, BadConfig, UnusableError, Fault, RefusedError, CommandError].some(
    (kind) => error instanceof kind,
  )

const messageOf = (error: Error): string =>
  (error instanceof Fault
    ? [error.message, error.hint].filter(Boolean).join('. ')
    : error.message
  ).trimEnd()

function envelopeOf(error: unknown, isUsageError: boolean): object {
  if (error instanceof RefusedError) return error.refusal
  if (error instanceof Fault) {
    const { request_id: _, ...body } = errorBody(error, '')
    return body
  }
  const expected = isExpected(error)
  return {
    success: false,
    error: isUsageError ? 'Wrong usage' : expected ? 'Failed' : 'Internal error',
    message: expected ? messageOf(error) : String(error),
  }
}
