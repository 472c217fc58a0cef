import type { Logger } from 'pino'
import type { Ended, Turn } from '../../ai/types.ts'
import type { Caller, Clock } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { OpenStore } from '../../store/store.ts'

/** What it takes to run agents. */
export interface Desk {
  store: OpenStore
  clock: Clock
  log: Logger
  dispatch: Dispatch
  catalog: readonly AnyOperation[]
  /** One answer of the operator's model; nothing where none is set. */
  take: ((turn: Turn) => Promise<Ended>) | undefined
}

/** What one answer may come to; beyond, a person is asked whether it shall go on. */
export const BOUNDS = { steps: 30, tokens: 100_000 } as const

export const operationOf = ({ catalog }: Desk, name: string): AnyOperation =>
  catalog.find((op) => op.name === name)!

/** Does something as the agent, as it would over REST. */
export async function ask<T>(
  desk: Desk,
  caller: Caller,
  name: string,
  input: Record<string, unknown>,
): Promise<T> {
  return (await desk.dispatch(caller, operationOf(desk, name), input)).data as T
}

/** The same where a refusal is an answer too. */
export async function tried<T>(job: Promise<T>): Promise<T | Fault> {
  try {
    return await job
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** What is to be done waits, and is begun where a server has a model. */
export const NO_MODEL =
  'No model is set: the operator sets CORK_AI_BASE_URL, CORK_AI_MODEL and CORK_AI_API_KEY; it goes on after a restart.'
