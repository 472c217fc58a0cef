import type { Endpoint } from '../vectors/index.ts'
import type { PassageIndex } from './types.ts'

/** The first message to the worker. */
export interface WorkerSetup {
  path: string
  memory: number
  /** The embeddings endpoint, if configured. */
  embeddings?: Endpoint
}

type Call =
  | 'search'
  | 'find'
  | 'duplicates'
  | 'position'
  | 'apply'
  | 'clear'
  | 'unreadFiles'
  | 'recordAttempt'
  | 'state'
  | 'close'

export interface WorkerRequest {
  id: number
  call: Call
  input: Parameters<PassageIndex[Call]>[0]
}

export type Level = 'info' | 'warn' | 'error'

/** A message from the worker: a response, or a log line. */
export type WorkerMessage =
  | { id: number; value: unknown }
  | { id: number; error: ErrorData }
  | { level: Level; about: Record<string, unknown>; text: string }

/** The parts of an error that can be sent to another thread. */
export interface ErrorData {
  name: string
  message: string
  stack: string | undefined
  code: string | undefined
}

export function errorData(error: unknown): ErrorData {
  const { name, message, stack, code } = error as ErrorData
  return { name, message, stack, code }
}

export const toError = (data: ErrorData): Error => Object.assign(new Error(data.message), data)
