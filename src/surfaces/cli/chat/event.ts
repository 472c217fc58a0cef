/** The error of a call or an answer. */
export interface Trouble {
  error: string
  message: string
  hint?: string
}

/** A tool call of the model, made or waiting for approval. */
export interface Call {
  call_id: string
  title: string
  input: unknown
  destroys: boolean
  state: 'running' | 'waiting' | 'done' | 'failed' | 'declined' | 'undone'
  trouble?: Trouble
  can_undo: boolean
}

export interface Done {
  type: 'done'
  reason: 'said' | 'waiting' | 'stopped' | 'steps' | 'tokens' | 'failed'
  trouble?: Trouble
}

/** An event of an answer's stream. */
export type ChatEvent =
  | { type: 'thread'; thread_id: number; title: string; number: number }
  | { type: 'text'; text: string }
  | { type: 'call'; call: Call }
  | Done

export const troubleText = ({ message, hint }: Trouble): string =>
  [message, hint].filter(Boolean).join('. ')
