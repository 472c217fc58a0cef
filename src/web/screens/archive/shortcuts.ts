import type { Table } from '../../kit/shortcuts.ts'

/** Shortcuts of the archive; archive/list.tsx handles them. */
export const IN_ARCHIVE = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next row', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Previous row', held: true },
  restore: { keys: ['r'], does: 'Restore' },
} as const satisfies Table
