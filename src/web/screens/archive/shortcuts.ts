import type { Table } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** Shortcuts of the archive; archive/list.tsx handles them. */
export const IN_ARCHIVE = {
  next: { keys: ['j', 'ArrowDown'], does: t('archive.next_row'), held: true },
  back: { keys: ['k', 'ArrowUp'], does: t('archive.previous_row'), held: true },
  restore: { keys: ['r'], does: t('common.restore') },
} as const satisfies Table
