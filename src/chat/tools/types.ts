import type { Tool } from '../../ai/types.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Dispatch, OperationResult } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Undo } from './undo/types.ts'

export type Fields = Record<string, unknown>

/** An operation as a tool. Its functions accept any input. */
export interface ChatTool extends Tool {
  op: AnyOperation
  /** `core`, or the group that `more_tools` opens. */
  group: string
  /** Whether the call writes: a person approves it first, unless writes are allowed. */
  writes(input: unknown): boolean
  /** Whether the call destroys something: a person always approves it first. */
  destroys(input: unknown): boolean
  /** A one-line description for people. */
  title(input: unknown, board?: string): string
}

export type Tools = ReadonlyMap<string, ChatTool>

export interface ToolContext {
  dispatch: Dispatch
  caller: Caller
  /** The idempotency key of the call. */
  key?: string
}

export interface CallResult {
  /** What the model reads. */
  text: string
  /** What the card of the call shows, truncated like the text for the model. */
  output: unknown
  answer: OperationResult
  undo?: Undo
}
