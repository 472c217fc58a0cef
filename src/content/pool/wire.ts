import { type Details, Fault, type FaultCode } from '../../kernel/fault.ts'

/** To a worker: the name of a task, and its arguments. */
export type Request = readonly [name: string, ...args: (string | undefined)[]]

/** From a worker. */
export type Reply = { ms: number } & ({ value: unknown } | { error: Failure })

/** A fault or an error, as far as it is the same in another thread. */
interface Failure {
  message: string
  stack?: string | undefined
  code?: FaultCode
  details?: Details
  hint?: string | undefined
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Fault) {
    const { message, code, details, hint } = error
    return { message, code, details, hint }
  }
  const { message, stack } = error as Error
  return { message, stack }
}

export const errorOf = ({ message, stack, code, details, hint }: Failure): Error =>
  code ? new Fault(code, message, details, hint) : Object.assign(new Error(message), { stack })
