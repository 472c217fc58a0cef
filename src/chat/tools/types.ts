import type { Tool } from '../../ai/types.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Answer, Dispatch } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Undo } from './undo/types.ts'

export type Fields = Record<string, unknown>

/** An operation as a model calls it. Whatever it gives as input, the questions have an answer. */
export interface ChatTool extends Tool {
  op: AnyOperation
  /** `core`, or the group that `more_tools` opens it with. */
  group: string
  /** It waits for a yes unless writes are allowed. */
  writes(input: unknown): boolean
  /** It waits for a yes whatever is allowed. */
  destroys(input: unknown): boolean
  /** What it does, for people: one line of plain words. */
  title(input: unknown, board?: string): string
}

export type Tools = ReadonlyMap<string, ChatTool>

/** As whom, and by which road. */
export interface Asking {
  dispatch: Dispatch
  caller: Caller
  /** The same key runs a call once. */
  key?: string
}

export interface Performed {
  /** What the model reads. */
  text: string
  /** What a card shows: the answer, no longer than the model's. */
  output: unknown
  answer: Answer
  undo?: Undo
}
