import type { Endpoint } from '../vectors/index.ts'
import type { BoardChange } from './types.ts'

/** The first message to a worker. */
export interface WorkerSetup {
  path: string
  /** Bytes that boards may take in memory. */
  memory: number
  /** The embeddings endpoint, if configured. */
  embeddings?: Endpoint
  /** Only searches a file that another worker writes. */
  isReader?: boolean
}

/** The methods of `LocalIndex` and `IndexReader` that workers are asked for. */
export type Call =
  | 'search'
  | 'find'
  | 'duplicates'
  | 'position'
  | 'apply'
  | 'clear'
  | 'unreadFiles'
  | 'recordAttempt'
  | 'state'
  | 'sharedPath'
  | 'changed'
  | 'load'
  | 'close'

export interface WorkerRequest {
  id: number
  call: Call
  input: unknown
}

export type Level = 'info' | 'warn' | 'error'

/**
 * A message from a worker: a response, a log line, or the boards that changed in the file. A change
 * comes before the response to its update; undefined means the whole file.
 */
export type WorkerMessage =
  | { id: number; value: unknown }
  | { id: number; error: ErrorData }
  | { level: Level; about: Record<string, unknown>; text: string }
  | { changes: readonly BoardChange[] | undefined }

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
