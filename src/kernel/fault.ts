/** Every error code a caller can get, with the short title that responses show for it. */
export const FAULTS = {
  invalid: 'Validation error',
  unauthenticated: 'Authentication failed',
  not_manager: 'Authentication failed',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict',
  ambiguous: 'Ambiguous assignee',
  lease_missing: 'AgentMutationLeaseMissingError',
  too_large: 'Too large',
  unsupported_type: 'Unsupported content type',
  rate_limited: 'Too many requests',
  unavailable: 'Not available now',
  no_model: 'No model',
  internal: 'Internal error',
} as const

export type FaultCode = keyof typeof FAULTS

/** Why one field was refused. */
export type FieldCode =
  | 'invalid_type'
  | 'required'
  | 'out_of_range'
  | 'unknown_field'
  | 'invalid_format'
  | 'too_long'
  | 'not_found'
  | 'conflict'
  | 'ambiguous'

export interface Details {
  field?: string
  code?: FieldCode
  value?: unknown
  [key: string]: unknown
}

export class Fault extends Error {
  constructor(
    readonly code: FaultCode,
    message: string,
    readonly details: Details = {},
    readonly hint?: string,
  ) {
    super(message)
  }
}

export const fault = {
  invalid: (field: string, code: FieldCode, message: string, value?: unknown, hint?: string) =>
    new Fault('invalid', message, { field, code, value: quotable(value) }, hint),
  notFound: (field: string, message: string, value?: unknown, hint?: string) =>
    new Fault('not_found', message, { field, code: 'not_found', value: quotable(value) }, hint),
  conflict: (message: string, details: Details = {}, hint?: string) =>
    new Fault('conflict', message, { code: 'conflict', ...details }, hint),
  forbidden: (message: string, hint?: string) => new Fault('forbidden', message, {}, hint),
}

/** Whether an operator has to act: an error in the program, or a fault with an outside cause. */
export const needsAttention = ({ code, cause }: Fault) => code === 'internal' || cause !== undefined

/** The rejected value as error details show it: long texts are truncated, objects are left out. */
function quotable(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value
  if (typeof value !== 'object' || value === null) return value
  return undefined
}

/** The body of an error response, the same on every surface. */
export const errorBody = (error: Fault, requestId: string) => ({
  success: false as const,
  error: FAULTS[error.code],
  message: error.message,
  details: error.details,
  ...(error.hint && { hint: error.hint }),
  request_id: requestId,
})
