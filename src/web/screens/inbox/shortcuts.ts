import type { Table } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of the inbox, for the active notification or the selected ones. */
export const IN_INBOX = {
  next: { keys: ['j', 'ArrowDown'], does: t('inbox.next_notification'), held: true },
  back: { keys: ['k', 'ArrowUp'], does: t('inbox.previous_notification'), held: true },
  open: { keys: ['Enter', 'o'], does: t('inbox.open_the_notification_and_its_task') },
  archive: { keys: ['e'], does: t('common.archive'), icon: 'archive' },
  turn: { keys: ['u'], does: t('inbox.mark_as_read_or_unread'), icon: 'bell' },
  snooze: { keys: ['s'], does: t('inbox.snooze_its_task'), icon: 'moon' },
  answer: { keys: ['r'], does: t('common.reply'), icon: 'reply' },
  choose: { keys: ['x'], does: t('inbox.select') },
  extend: { keys: ['Shift+j', 'Shift+k'], does: t('inbox.extend_selection'), held: true },
  all: { keys: ['$mod+a'], does: t('inbox.select_all') },
  leave: { keys: ['Escape'], does: t('inbox.clear_selection') },
} as const satisfies Table
