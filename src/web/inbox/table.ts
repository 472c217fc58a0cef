import type { Table } from '../frame/keys.ts'

/** The shortcuts of the inbox, for the active notification or the selected ones. */
export const IN_INBOX = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next one', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'One before', held: true },
  open: { keys: ['Enter', 'o'], does: 'Read it, and its task' },
  archive: { keys: ['e'], does: 'Archive', icon: 'archive' },
  turn: { keys: ['u'], does: 'Mark as unread, or as read', icon: 'bell' },
  snooze: { keys: ['s'], does: 'Snooze its task…', icon: 'moon' },
  answer: { keys: ['r'], does: 'Ask back, or answer', icon: 'reply' },
  choose: { keys: ['x'], does: 'Choose several' },
  extend: { keys: ['Shift+j', 'Shift+k'], does: 'Choose the next one too', held: true },
  all: { keys: ['$mod+a'], does: 'Choose all' },
  leave: { keys: ['Escape'], does: 'Choose nothing' },
} as const satisfies Table
