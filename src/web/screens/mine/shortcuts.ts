import { defineShortcuts } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of My Tasks, for the active task. */
export const IN_LIST = defineShortcuts('mine', {
  next: { keys: ['j', 'ArrowDown'], description: t('mine.next_task'), repeats: true },
  back: { keys: ['k', 'ArrowUp'], description: t('mine.previous_task'), repeats: true },
  open: { keys: ['Enter', 'o'], description: t('mine.open_the_task') },
  done: { keys: ['x'], description: t('mine.complete_the_task'), icon: 'done' },
  edit: { keys: ['e'], description: t('mine.edit_the_title'), icon: 'pencil' },
  due: { keys: ['d'], description: t('mine.set_due_date'), icon: 'calendar' },
  priority: { keys: ['p'], description: t('mine.set_priority'), icon: 'bars' },
  snooze: { keys: ['s'], description: t('mine.snooze'), icon: 'moon' },
  timer: { keys: ['i'], description: t('common.start_or_stop_the_timer'), icon: 'clock' },
  create: { keys: ['c'], description: t('mine.new_task') },
  filter: { keys: ['f'], description: t('mine.filter_sort_and_group') },
})
