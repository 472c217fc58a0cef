/** What went wrong, in the words of every refusal. */
export interface Trouble {
  error: string
  message: string
  hint?: string
}

/** Something that the model did, or would do. */
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

/** What a stream of an answer tells. */
export type Told =
  | { type: 'thread'; thread_id: number; title: string; number: number }
  | { type: 'text'; text: string }
  | { type: 'call'; call: Call }
  | Done

export const inWords = ({ message, hint }: Trouble): string =>
  [message, hint].filter(Boolean).join('. ')
