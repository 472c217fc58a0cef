import { defineShortcuts } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of the inbox, for the active notification or the selected ones. */
export const IN_INBOX = defineShortcuts('inbox', {
  next: { keys: ['j', 'ArrowDown'], description: t('inbox.next_notification'), repeats: true },
  back: { keys: ['k', 'ArrowUp'], description: t('inbox.previous_notification'), repeats: true },
  open: { keys: ['Enter', 'o'], description: t('inbox.open_the_notification_and_its_task') },
  archive: { keys: ['e'], description: t('common.archive'), icon: 'archive' },
  turn: { keys: ['u'], description: t('inbox.mark_as_read_or_unread'), icon: 'bell' },
  snooze: { keys: ['s'], description: t('inbox.snooze_its_task'), icon: 'moon' },
  answer: { keys: ['r'], description: t('common.reply'), icon: 'reply' },
  choose: { keys: ['x'], description: t('inbox.select') },
  extend: { keys: ['Shift+j', 'Shift+k'], description: t('inbox.extend_selection'), repeats: true },
  all: { keys: ['$mod+a'], description: t('inbox.select_all') },
  leave: { keys: ['Escape'], description: t('inbox.clear_selection') },
})
