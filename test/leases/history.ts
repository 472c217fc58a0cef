/** A worker: who calls, and the name that tells several workers of one token apart. */
export interface Worker {
  actor: string
  owner: string | null
}

/** What was asked. Every call is about one task; `next` is about the one it was given. */
export type Asked =
  | ({ kind: 'claim' | 'next'; ttl?: number } & Worker)
  | { kind: 'heartbeat'; actor: string; lease: string; ttl?: number }
  | { kind: 'release'; actor: string; lease: string }
  | { kind: 'write'; actor: string; lease?: string; value: string }
  | { kind: 'finish'; actor: string; lease?: string }
  | { kind: 'note'; actor: string }
  | { kind: 'reopen' }
  | { kind: 'read' }
  | { kind: 'look' }

/** What was answered, in as few words as the model has. */
export type Answered =
  | { says: 'leased'; lease: string; fence: number; expires: number }
  | { says: 'released' }
  | { says: 'accepted' }
  | { says: 'value'; value: string; done: boolean }
  | { says: 'lease'; holder: Worker | null; expires?: number }
  | { says: 'nothing' }
  | { says: 'held'; expires: number }
  | { says: 'missing' }
  | { says: 'stale' }
  | { says: 'closed' }

/** A call with the moments at which it began and ended, in the order of all of them. */
export interface Call {
  asked: Asked
  answered: Answered
  began: number
  ended: number
  /** What the clock showed while it ran, in ms: the house read it once, at any of these. */
  times: readonly number[]
  /** A real clock: it showed everything between these as well. */
  flows: boolean
}

/** Calls that were about one task, which began as somebody made it. */
export interface History {
  task: string
  value: string
  calls: Call[]
}

export const told = ({ asked, answered, began, ended, times }: Call): string =>
  `${String(began).padStart(4)}–${String(ended).padEnd(4)} at ${times.join('|')}  ${words(asked)} → ${words(answered)}`

const words = (of: Asked | Answered) =>
  Object.entries(of)
    .map(([key, value]) =>
      key === 'kind' || key === 'says' ? value : `${key}=${JSON.stringify(value)}`,
    )
    .join(' ')
