import { fault } from './fault.ts'

export const MAX_KEY_LENGTH = 200

/** Refuses an Idempotency-Key that cannot be stored. */
export function checkIdempotencyKey(key: string) {
  if (!key || key.length > MAX_KEY_LENGTH)
    throw fault.invalid(
      'Idempotency-Key',
      'too_long',
      `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`,
    )
  if (key.includes('\0') || !key.isWellFormed())
    throw fault.invalid(
      'Idempotency-Key',
      'invalid_format',
      'Idempotency-Key contains a NUL character or an unpaired surrogate',
    )
}
