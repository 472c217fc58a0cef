/** Every refusal a caller can meet, and the short class it is shown under. */
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
  [more: string]: unknown
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
    new Fault('invalid', message, { field, code, value: shown(value) }, hint),
  notFound: (field: string, message: string, value?: unknown, hint?: string) =>
    new Fault('not_found', message, { field, code: 'not_found', value: shown(value) }, hint),
  conflict: (message: string, details: Details = {}, hint?: string) =>
    new Fault('conflict', message, { code: 'conflict', ...details }, hint),
  forbidden: (message: string, hint?: string) => new Fault('forbidden', message, {}, hint),
}

/** What somebody has to look at: a fault of the program, or of what it stands on. */
export const isBroken = ({ code, cause }: Fault) => code === 'internal' || cause !== undefined

/** A refused value is quoted back, but never at length: a fault is read by people and models. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value
  if (typeof value !== 'object' || value === null) return value
  return undefined
}

/** The body of a refusal, the same on every surface. */
export const refusal = (refused: Fault, requestId: string) => ({
  success: false as const,
  error: FAULTS[refused.code],
  message: refused.message,
  details: refused.details,
  ...(refused.hint && { hint: refused.hint }),
  request_id: requestId,
})
