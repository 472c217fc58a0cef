/** A worker: the actor, and the owner_id that distinguishes workers that share a token. */
export interface Worker {
  actor: string
  owner: string | null
}

/** A request. Every call concerns one task; `next` concerns the task that it returns. */
export type LeaseRequest =
  | ({ kind: 'claim' | 'next'; ttl?: number } & Worker)
  | { kind: 'heartbeat'; actor: string; lease: string; ttl?: number }
  | { kind: 'release'; actor: string; lease: string }
  | { kind: 'write'; actor: string; lease?: string; value: string }
  | { kind: 'finish' | 'hand over'; actor: string; lease?: string }
  | { kind: 'note'; actor: string }
  | { kind: 'reopen' }
  | { kind: 'read' }
  | { kind: 'look' }

/** A response, reduced to what the model knows. */
export type LeaseResponse =
  | { outcome: 'leased'; lease: string; fence: number; expires: number }
  | { outcome: 'released' }
  | { outcome: 'accepted' }
  | { outcome: 'value'; value: string; done: boolean }
  | { outcome: 'lease'; holder: Worker | null; expires?: number }
  | { outcome: 'nothing' }
  | { outcome: 'held'; expires: number }
  | { outcome: 'missing' }
  | { outcome: 'stale' }
  | { outcome: 'closed' }

/** A call with its begin and end, numbered in the order of all begins and ends. */
export interface Call {
  request: LeaseRequest
  response: LeaseResponse
  start: number
  end: number
  /** Clock times during the call, in ms. The server read the clock once, at any of these. */
  times: readonly number[]
  /** Whether the clock is real, so that the server may also have read any time between these. */
  isRealTime: boolean
}

/** All calls that concern one task, and the title that it was created with. */
export interface History {
  task: string
  value: string
  calls: Call[]
}

export const formatCall = ({ request, response, start, end, times }: Call): string =>
  `${String(start).padStart(4)}–${String(end).padEnd(4)} at ${times.join('|')}  ${formatFields(request)} → ${formatFields(response)}`

const formatFields = (fields: LeaseRequest | LeaseResponse) =>
  Object.entries(fields)
    .map(([key, value]) =>
      key === 'kind' || key === 'outcome' ? value : `${key}=${JSON.stringify(value)}`,
    )
    .join(' ')
