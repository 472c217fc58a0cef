import type { Table } from '../../kit/shortcuts.ts'

/** The shortcuts of My Tasks, for the active task. */
export const IN_LIST = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next task', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Previous task', held: true },
  open: { keys: ['Enter', 'o'], does: 'Open the task' },
  done: { keys: ['x'], does: 'Complete the task', icon: 'done' },
  edit: { keys: ['e'], does: 'Edit the title', icon: 'pencil' },
  due: { keys: ['d'], does: 'Set due date…', icon: 'calendar' },
  priority: { keys: ['p'], does: 'Set priority…', icon: 'bars' },
  snooze: { keys: ['s'], does: 'Snooze…', icon: 'moon' },
  timer: { keys: ['i'], does: 'Start or stop the timer', icon: 'clock' },
  create: { keys: ['c'], does: 'New task' },
  filter: { keys: ['f'], does: 'Filter, sort and group' },
} as const satisfies Table
