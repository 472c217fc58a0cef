import type { Table } from '../../kit/shortcuts.ts'

/** The shortcuts of the search, handled in search/result-keys.ts. */
export const IN_SEARCH = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next result', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Previous result, or the search field', held: true },
  open: { keys: ['Enter', 'o'], does: 'Open it' },
  type: { keys: ['/'], does: 'Go to the search field' },
} as const satisfies Table
