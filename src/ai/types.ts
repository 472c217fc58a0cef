/** A model and its service, as configured by the operator. */
export interface Endpoint {
  provider: 'openai' | 'anthropic'
  base: string
  model: string
  key?: string
}

/** A model that can be used. Contains no secrets. */
export interface Model {
  readonly provider: Endpoint['provider']
  readonly model: string
}

/** In micro-dollars per token. */
export interface ModelPrice {
  input: number
  output: number
}

/** A tool that a model may call. */
export interface Tool {
  name: string
  description: string
  /** JSON schema of an object. */
  schema: Record<string, unknown>
}

export interface ToolCall {
  call_id: string
  tool: string
  /** The arguments of the model; a string if they are not a JSON object. */
  input: unknown
}

/** The result of a call, as text for the model; `waiting` ends the turn after its step. */
export type CallOutcome = { state: 'answered'; text: string } | { state: 'waiting' }

/** An earlier message of the conversation; histories are ordered oldest first. */
export type HistoryMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; parts: HistoryPart[] }
export type HistoryPart = { text: string } | (ToolCall & { answer: string })

/**
 * Emitted while a turn runs. All calls of a step are emitted before the first one runs. A refused
 * call never runs, because its tool or input is invalid; the model gets `text` as its result.
 */
export type TurnEvent =
  | { type: 'text'; text: string }
  | { type: 'call'; call: ToolCall }
  | { type: 'refused'; call: ToolCall; text: string }

/** One answer of a model, with all the calls that it makes for it. */
export interface Turn {
  system: string
  history: readonly HistoryMessage[]
  /** Read before each step, because a call may open more tools. */
  tools(): readonly Tool[]
  /** The tool that must be called first to open an unavailable one; undefined if there is none. */
  before?(tool: string): string | undefined
  /** Runs the calls of a step one after the other, in order. Errors end the turn. */
  call(call: ToolCall, signal: AbortSignal): Promise<CallOutcome>
  onEvent(event: TurnEvent): void
  /** Returns new texts of users; called before each step but the first, and before the end. */
  takeNewTexts?(): readonly string[] | Promise<readonly string[]>
  signal: AbortSignal
  /**
   * `steps` limits requests to the model; `tokens` limits input and output of all steps together.
   */
  bounds: { steps: number; tokens: number }
}

export interface ErrorText {
  error: string
  message: string
  hint?: string
}

/** The reasons `steps`, `tokens` and `failed` come with `trouble`. */
export interface TurnEnd {
  reason: 'said' | 'waiting' | 'stopped' | 'steps' | 'tokens' | 'failed'
  trouble?: ErrorText
  usage: { tokens_in: number; tokens_out: number }
}

/** Times are in milliseconds. */
export interface Limits {
  /** Until the first byte of a response; a local model may have to be loaded first. */
  first: number
  /** Between two chunks. */
  idle: number
  /** For a whole step. */
  step: number
  /** Tries per step; there is no retry once text was emitted. */
  maxTries: number
  /** Pause before the second try; it doubles with each further try. */
  retryPause: number
  /** The longest pause before a retry; if a service asks for more, the step fails. */
  maxPause: number
}
