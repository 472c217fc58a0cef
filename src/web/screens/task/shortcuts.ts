import { defineShortcuts, SEND } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of an open task; keys.ts and the editor implement them. */
export const IN_TASK = defineShortcuts('task', {
  next: { keys: ['j'], description: t('task.next_task') },
  back: { keys: ['k'], description: t('task.previous_task') },
  comment: { keys: ['m'], description: t('task.write_a_comment'), icon: 'comment' },
  send: SEND,
  column: { keys: ['s'], description: t('task.move_to_column'), icon: 'arrow' },
  assign: { keys: ['a'], description: t('task.assign'), icon: 'mine' },
  label: { keys: ['l'], description: t('common.label'), icon: 'tag' },
  priority: { keys: ['p'], description: t('task.set_priority'), icon: 'bars' },
  due: { keys: ['d'], description: t('task.set_due_date'), icon: 'calendar' },
  size: { keys: ['e'], description: t('task.set_size'), icon: 'list' },
  timer: { keys: ['i'], description: t('common.start_or_stop_the_timer'), icon: 'clock' },
  watch: { keys: ['w'], description: t('task.watch_the_task'), icon: 'bell' },
  leave: { keys: ['Escape'], description: t('task.close_the_task') },
})
