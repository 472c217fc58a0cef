import type { Said } from './said.ts'

/** One thing that an operator can set. */
export interface Setting<T> {
  /** Of the variable. */
  name: string
  /** The flag of `cork serve` that says the same, and wins. */
  flag?: string
  /** What counts where nothing is said; empty: nothing. */
  otherwise: string
  about: string
  /** How a value is shown that is, or holds, a secret. */
  mask?: (text: string) => string
  read(said: Said): T
}

export const setting = <T>(declared: Setting<T>) => declared
