/** What a run goes through. Nothing here reads a clock or a database. */
export const STATES = ['queued', 'running', 'waiting', 'stopped', 'done', 'failed'] as const
export type State = (typeof STATES)[number]

/** What began it: somebody asked, or the agent was assigned, mentioned, or set to work itself. */
export const ORIGINS = ['asked', 'assigned', 'mentioned', 'self'] as const
export type Origin = (typeof ORIGINS)[number]

/** What an entry of a transcript is; prompts are written by whoever prompts. */
export const ENTRY_KINDS = ['message', 'thought', 'action', 'result', 'error', 'prompt'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** Where an agent can take its run from each state; nowhere once it is over. */
const MOVES: Readonly<Record<State, readonly State[]>> = {
  queued: ['running', 'waiting', 'stopped', 'done', 'failed'],
  running: ['waiting', 'stopped', 'done', 'failed'],
  waiting: ['running', 'stopped', 'done', 'failed'],
  stopped: [],
  done: [],
  failed: [],
}

export const movesFrom = (state: State): readonly State[] => MOVES[state]
export const isOver = (state: State): boolean => MOVES[state].length === 0
export const canMove = (from: State, to: State): boolean => from === to || MOVES[from].includes(to)

/** A prompt calls a waiting run back to work: the agent is yet to take it up again. */
export const prompted = (state: State): State => (state === 'waiting' ? 'queued' : state)

/** What is told when a run comes into a state; that it is queued is told by what queued it. */
export const TOLD = {
  running: 'run.started',
  waiting: 'run.waiting',
  stopped: 'run.stopped',
  done: 'run.done',
  failed: 'run.failed',
} as const
