import type { RawValue } from './parse.ts'

/** A setting that an operator can change by an environment variable or a flag. */
export interface Setting<T> {
  /** The name of the environment variable. */
  name: string
  /** The flag of `cork serve` for the same setting. It takes precedence over the variable. */
  flag?: string
  /** The value where neither the flag nor the variable is set. Empty means no value. */
  defaultText: string
  about: string
  /** Hides the secret in a value before it is shown. Values without a secret need none. */
  mask?: (text: string) => string
  parse(raw: RawValue): T
}

export const defineSetting = <T>(definition: Setting<T>) => definition
