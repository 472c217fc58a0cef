import type { Logger } from 'pino'
import type { ModelPrice, Turn, TurnEnd } from '../../ai/types.ts'
import type { Caller, Clock } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { Fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { OpenStore } from '../../store/store.ts'

/** What native agents need to run. */
export interface AgentRuntime {
  store: OpenStore
  clock: Clock
  log: Logger
  dispatch: Dispatch
  catalog: readonly AnyOperation[]
  /** Runs one turn of the operator's model; undefined if no model is set. */
  runTurn: ((turn: Turn) => Promise<TurnEnd>) | undefined
  /** Undefined if the operator has set none; then runs report tokens only. */
  price?: ModelPrice | undefined
}

/** The limits of one turn. Beyond them a person is asked whether it should go on. */
export const TURN_LIMITS = { steps: 30, tokens: 100_000 } as const

export const operationOf = ({ catalog }: AgentRuntime, name: string): AnyOperation =>
  catalog.find((op) => op.name === name)!

/** Runs an operation as the agent, as a REST request of the agent would. */
export async function dispatchAs<T>(
  runtime: AgentRuntime,
  caller: Caller,
  name: string,
  input: Record<string, unknown>,
): Promise<T> {
  return (await runtime.dispatch(caller, operationOf(runtime, name), input)).data as T
}

/** Returns a refusal instead of throwing it. */
export async function orFault<T>(promise: Promise<T>): Promise<T | Fault> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** Runs stay queued until somebody resumes the agent or the board, or raises the budget. */
export const HELD_BACK =
  'The agent or its board is paused or has used its budget of this month; the run starts once that changes.'

/** Runs stay queued until a server with a model starts. */
export const NO_MODEL =
  'No model is set: the server operator sets CORK_AI_BASE_URL, CORK_AI_MODEL and CORK_AI_API_KEY; the run continues after a restart.'
