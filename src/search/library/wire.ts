import type { Endpoint } from '../vectors/index.ts'
import type { Shelves } from './shelves.ts'

/** What the worker needs to know before anything else. */
export interface Opening {
  path: string
  memory: number
  /** Who makes vectors of texts, if anybody. */
  embeddings?: Endpoint
}

type Call = 'seek' | 'place' | 'take' | 'forget' | 'state' | 'close'

export interface Asking {
  id: number
  call: Call
  input: Parameters<Shelves[Call]>[0]
}

export type Level = 'info' | 'warn' | 'error'

/** From the worker: an answer, or a line for the log. */
export type Told =
  | { id: number; value: unknown }
  | { id: number; error: Plain }
  | { level: Level; about: Record<string, unknown>; text: string }

/** An error, as far as it is the same in another thread. */
export interface Plain {
  name: string
  message: string
  stack: string | undefined
  code: string | undefined
}

export function plain(error: unknown): Plain {
  const { name, message, stack, code } = error as Plain
  return { name, message, stack, code }
}

export const revived = (told: Plain): Error => Object.assign(new Error(told.message), told)
