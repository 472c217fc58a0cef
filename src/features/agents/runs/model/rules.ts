/** The states of a run. This file reads neither clock nor database. */
export const STATES = ['queued', 'running', 'waiting', 'stopped', 'done', 'failed'] as const
export type State = (typeof STATES)[number]

/** Why a run exists: somebody asked, or the agent was assigned, mentioned, or started it itself. */
export const ORIGINS = ['asked', 'assigned', 'mentioned', 'self'] as const
export type Origin = (typeof ORIGINS)[number]

/** The kinds of transcript entries; a prompt is written by the person who prompts. */
export const ENTRY_KINDS = ['message', 'thought', 'action', 'result', 'error', 'prompt'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** The allowed transitions; none once the run is over. */
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

/** A prompt queues a waiting run again, until its agent resumes it. */
export const stateAfterPrompt = (state: State): State => (state === 'waiting' ? 'queued' : state)

/** The event for each state; `queued` has none, because what queued the run has its own event. */
export const STATE_EVENTS = {
  running: 'run.started',
  waiting: 'run.waiting',
  stopped: 'run.stopped',
  done: 'run.done',
  failed: 'run.failed',
} as const
