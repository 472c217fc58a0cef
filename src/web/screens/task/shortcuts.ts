import { SEND, type Table } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of an open task; keys.ts and the editor implement them. */
export const IN_TASK = {
  next: { keys: ['j'], does: t('task.next_task') },
  back: { keys: ['k'], does: t('task.previous_task') },
  comment: { keys: ['m'], does: t('task.write_a_comment'), icon: 'comment' },
  send: SEND,
  column: { keys: ['s'], does: t('task.move_to_column'), icon: 'arrow' },
  assign: { keys: ['a'], does: t('task.assign'), icon: 'mine' },
  label: { keys: ['l'], does: t('common.label'), icon: 'tag' },
  priority: { keys: ['p'], does: t('task.set_priority'), icon: 'bars' },
  due: { keys: ['d'], does: t('task.set_due_date'), icon: 'calendar' },
  size: { keys: ['e'], does: t('task.set_size'), icon: 'list' },
  timer: { keys: ['i'], does: t('common.start_or_stop_the_timer'), icon: 'clock' },
  leave: { keys: ['Escape'], does: t('task.close_the_task') },
} as const satisfies Table
