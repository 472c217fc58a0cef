/** A model as an operator named it. */
export interface Ai {
  provider: 'openai' | 'anthropic'
  model: string
}

/** What a model may call. */
export interface Tool {
  name: string
  description: string
  /** JSON schema of an object. */
  schema: Record<string, unknown>
}

export interface Called {
  call_id: string
  tool: string
  /** What the model gave; a string where that is no JSON. */
  input: unknown
}

/** What came of a call, as the model is told; `waiting` ends the turn. */
export type Outcome = { state: 'answered'; text: string } | { state: 'waiting' }

/** What was said before, oldest first. A call without an answer was left open. */
export type Said =
  | { role: 'user'; text: string }
  | { role: 'assistant'; parts: SaidPart[] }
export type SaidPart = { text: string } | (Called & { answer: string })

/** What is heard while a model answers. */
export type Heard = { type: 'text'; text: string } | { type: 'call'; call: Called }

/** One answer of a model, with all the calls that it makes on the way. */
export interface Turn {
  system: string
  said: readonly Said[]
  /** Asked before each step, as a call may have opened more of them. */
  tools(): readonly Tool[]
  /** Those of one step are called in their order, one after the other. */
  call(called: Called, signal: AbortSignal): Promise<Outcome>
  hear(heard: Heard): void
  signal: AbortSignal
  bounds: { steps: number; tokens: number }
}

export interface Trouble {
  error: string
  message: string
  hint?: string
}

export interface Ended {
  reason: 'said' | 'waiting' | 'stopped' | 'steps' | 'tokens' | 'failed'
  trouble?: Trouble
  usage: { tokens_in: number; tokens_out: number }
}
