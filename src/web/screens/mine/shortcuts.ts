import type { Table } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of My Tasks, for the active task. */
export const IN_LIST = {
  next: { keys: ['j', 'ArrowDown'], does: t('mine.next_task'), held: true },
  back: { keys: ['k', 'ArrowUp'], does: t('mine.previous_task'), held: true },
  open: { keys: ['Enter', 'o'], does: t('mine.open_the_task') },
  done: { keys: ['x'], does: t('mine.complete_the_task'), icon: 'done' },
  edit: { keys: ['e'], does: t('mine.edit_the_title'), icon: 'pencil' },
  due: { keys: ['d'], does: t('mine.set_due_date'), icon: 'calendar' },
  priority: { keys: ['p'], does: t('mine.set_priority'), icon: 'bars' },
  snooze: { keys: ['s'], does: t('mine.snooze'), icon: 'moon' },
  timer: { keys: ['i'], does: t('common.start_or_stop_the_timer'), icon: 'clock' },
  create: { keys: ['c'], does: t('mine.new_task') },
  filter: { keys: ['f'], does: t('mine.filter_sort_and_group') },
} as const satisfies Table
