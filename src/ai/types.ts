/** Where a model is, as an operator named it. */
export interface Endpoint {
  provider: 'openai' | 'anthropic'
  base: string
  model: string
  key?: string
}

/** A model that can be asked. Holds no secret that could be shown. */
export interface Ai {
  readonly provider: Endpoint['provider']
  readonly model: string
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
  /** What the model gave; a string where that is no JSON of an object. */
  input: unknown
}

/** What came of a call, as the model is told; `waiting` ends the turn after its step. */
export type Outcome = { state: 'answered'; text: string } | { state: 'waiting' }

/** What was said before, oldest first. */
export type Said = { role: 'user'; text: string } | { role: 'assistant'; parts: SaidPart[] }
export type SaidPart = { text: string } | (Called & { answer: string })

/**
 * What is heard while a model answers. All calls of a step are heard before the first is made;
 * a refused one is never made: its name or its input cannot be read, and the model is told `text`.
 */
export type Heard =
  | { type: 'text'; text: string }
  | { type: 'call'; call: Called }
  | { type: 'refused'; call: Called; text: string }

/** One answer of a model, with all the calls that it makes on the way. */
export interface Turn {
  system: string
  said: readonly Said[]
  /** Asked before each step, as a call may have opened more of them. */
  tools(): readonly Tool[]
  /** What has to be called before a tool that is not among them; nothing where there is none. */
  before?(tool: string): string | undefined
  /** Those of one step are called in their order, one after the other. What it throws is thrown. */
  call(called: Called, signal: AbortSignal): Promise<Outcome>
  hear(heard: Heard): void
  /** What a person said meanwhile; asked before each step but the first, and before the end. */
  meanwhile?(): readonly string[] | Promise<readonly string[]>
  signal: AbortSignal
  /** Steps: how often the model is asked; tokens: in and out, of all steps together. */
  bounds: { steps: number; tokens: number }
}

export interface Trouble {
  error: string
  message: string
  hint?: string
}

/** `steps`, `tokens` and `failed` come with their trouble. */
export interface Ended {
  reason: 'said' | 'waiting' | 'stopped' | 'steps' | 'tokens' | 'failed'
  trouble?: Trouble
  usage: { tokens_in: number; tokens_out: number }
}

/** Milliseconds, and how often. */
export interface Limits {
  /** Until a service begins to answer: a model of one's own machine may have to be loaded. */
  first: number
  /** Without a byte. */
  idle: number
  /** Of one step. */
  step: number
  /** Tries of one step; only before anything of it was heard. */
  tries: number
  /** Before the second try; twice as long before each next. */
  pause: number
  /** The longest wait that a service may ask for. */
  longest: number
}
