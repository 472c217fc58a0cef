import type { Table } from '../frame/keys.ts'

/** The shortcuts of the list of agents, handled in agents/keys.ts. */
export const ON_AGENTS = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next agent', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Agent before', held: true },
  create: { keys: ['n'], does: 'New agent' },
} as const satisfies Table

/** The shortcuts of a run, handled in agents/run.tsx. */
export const IN_RUN = {
  prompt: { keys: ['m'], does: 'Tell the agent something' },
  send: { keys: ['$mod+Enter'], does: 'Send what is written' },
  find: { keys: ['f'], does: 'Find in the transcript' },
  next: { keys: ['n'], does: 'Next place found' },
  back: { keys: ['Shift+n'], does: 'Place found before' },
  start: { keys: ['Home'], does: 'To the start' },
  end: { keys: ['End'], does: 'To the end' },
} as const satisfies Table
