import { SEND, type Table } from '../../kit/shortcuts.ts'

/** The shortcuts of an open task; keys.ts and the editor implement them. */
export const IN_TASK = {
  next: { keys: ['j'], does: 'Next task' },
  back: { keys: ['k'], does: 'Previous task' },
  comment: { keys: ['m'], does: 'Write a comment', icon: 'comment' },
  send: SEND,
  column: { keys: ['s'], does: 'Move to column', icon: 'arrow' },
  assign: { keys: ['a'], does: 'Assign', icon: 'mine' },
  label: { keys: ['l'], does: 'Label', icon: 'tag' },
  priority: { keys: ['p'], does: 'Set priority', icon: 'bars' },
  due: { keys: ['d'], does: 'Set due date', icon: 'calendar' },
  size: { keys: ['e'], does: 'Set size', icon: 'list' },
  timer: { keys: ['i'], does: 'Start or stop the timer', icon: 'clock' },
  leave: { keys: ['Escape'], does: 'Close the task' },
} as const satisfies Table
