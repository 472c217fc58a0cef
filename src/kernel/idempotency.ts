import { fault } from './fault.ts'

export const MOST_KEY = 200

/** Refuses an Idempotency-Key that cannot be stored. */
export function checkKey(key: string) {
  if (!key || key.length > MOST_KEY)
    throw fault.invalid(
      'Idempotency-Key',
      'too_long',
      `Idempotency-Key must have 1 to ${MOST_KEY} characters`,
    )
  if (key.includes('\0') || !key.isWellFormed())
    throw fault.invalid(
      'Idempotency-Key',
      'invalid_format',
      'Idempotency-Key holds a NUL or half a character',
    )
}
