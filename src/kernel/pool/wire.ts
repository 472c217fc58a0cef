import { type Details, Fault, type FaultCode } from '../fault.ts'

/** A message from a worker. */
export type Reply = { ms: number } & ({ value: unknown } | { error: FailureData })

/** The parts of a fault or an error that can be sent to another thread. */
interface FailureData {
  message: string
  stack?: string | undefined
  code?: FaultCode
  details?: Details
  hint?: string | undefined
}

export function failureOf(error: unknown): FailureData {
  if (error instanceof Fault) {
    const { message, code, details, hint } = error
    return { message, code, details, hint }
  }
  const { message, stack } = error as Error
  return { message, stack }
}

export const errorOf = ({ message, stack, code, details, hint }: FailureData): Error =>
  code ? new Fault(code, message, details, hint) : Object.assign(new Error(message), { stack })
