import type { Table } from '../../kit/shortcuts.ts'

/** The shortcuts of the inbox, for the active notification or the selected ones. */
export const IN_INBOX = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next notification', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Previous notification', held: true },
  open: { keys: ['Enter', 'o'], does: 'Open the notification and its task' },
  archive: { keys: ['e'], does: 'Archive', icon: 'archive' },
  turn: { keys: ['u'], does: 'Mark as read or unread', icon: 'bell' },
  snooze: { keys: ['s'], does: 'Snooze its task…', icon: 'moon' },
  answer: { keys: ['r'], does: 'Reply', icon: 'reply' },
  choose: { keys: ['x'], does: 'Select' },
  extend: { keys: ['Shift+j', 'Shift+k'], does: 'Extend selection', held: true },
  all: { keys: ['$mod+a'], does: 'Select all' },
  leave: { keys: ['Escape'], does: 'Clear selection' },
} as const satisfies Table
