import type { Table } from '../frame/keys.ts'

/** The shortcuts of the search, handled in search/result-keys.ts. */
export const IN_SEARCH = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next result', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Result before, or the field', held: true },
  open: { keys: ['Enter', 'o'], does: 'Open it' },
  type: { keys: ['/'], does: 'Go to the field' },
} as const satisfies Table
