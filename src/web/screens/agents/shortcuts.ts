import type { Table } from '../../kit/shortcuts.ts'

/** The shortcuts of the list of agents, handled in agents/keys.ts. */
export const ON_AGENTS = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next agent', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Previous agent', held: true },
  create: { keys: ['n'], does: 'New agent' },
} as const satisfies Table

/** The shortcuts of a run, handled in agents/run.tsx. */
export const IN_RUN = {
  prompt: { keys: ['m'], does: 'Prompt the agent' },
  send: { keys: ['$mod+Enter'], does: 'Send' },
  find: { keys: ['f'], does: 'Find in the transcript' },
  next: { keys: ['n'], does: 'Next match' },
  back: { keys: ['Shift+n'], does: 'Previous match' },
  start: { keys: ['Home'], does: 'Go to the start' },
  end: { keys: ['End'], does: 'Go to the end' },
} as const satisfies Table
