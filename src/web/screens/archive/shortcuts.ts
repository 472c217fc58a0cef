import { defineShortcuts } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** Shortcuts of the archive; archive/list.tsx handles them. */
export const IN_ARCHIVE = defineShortcuts('archive', {
  next: { keys: ['j', 'ArrowDown'], description: t('archive.next_row'), repeats: true },
  back: { keys: ['k', 'ArrowUp'], description: t('archive.previous_row'), repeats: true },
  choose: { keys: ['x'], description: t('archive.select_the_row') },
  all: { keys: ['$mod+a'], description: t('archive.select_all') },
  restore: { keys: ['r'], description: t('common.restore') },
  erase: { keys: ['Delete'], description: t('archive.delete_forever') },
  leave: { keys: ['Escape'], description: t('board.clear_selection') },
})
