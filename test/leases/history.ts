/** A worker: the actor, and the owner_id that distinguishes workers that share a token. */
export interface Worker {
  actor: string
  owner: string | null
}

/** A request. Every call concerns one task; `next` concerns the task that it returns. */
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

/** A response, reduced to what the model knows. */
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

/** A call with its begin and end, numbered in the order of all begins and ends. */
export interface Call {
  asked: Asked
  answered: Answered
  began: number
  ended: number
  /** Clock times during the call, in ms. The server read the clock once, at any of these. */
  times: readonly number[]
  /** The clock is real, so it also showed every time between these. */
  flows: boolean
}

/** All calls that concern one task, and the title that it was created with. */
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
