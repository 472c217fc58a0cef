import type { Table } from '../../kit/shortcuts.ts'

/** The shortcuts of a board; keys.ts implements them. */
export const ON_BOARD = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next card', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Previous card', held: true },
  right: { keys: ['ArrowRight'], does: 'Next column', held: true },
  left: { keys: ['ArrowLeft'], does: 'Previous column', held: true },
  carry: {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowRight'],
    shown: 'Shift+Arrows',
    does: 'Move the card',
  },
  open: { keys: ['Enter'], does: 'Open the card' },
  copy: { keys: ['$mod+c'], does: 'Copy the key, title and link' },
  choose: { keys: ['x'], does: 'Select the card' },
  extend: { keys: ['Shift+j', 'Shift+k'], does: 'Extend the selection', held: true },
  all: { keys: ['$mod+a'], does: 'Select all' },
  create: { keys: ['c'], does: 'New task in the column' },
  filter: { keys: ['f'], does: 'Filter' },
  column: { keys: ['s'], does: 'Move to column', icon: 'arrow' },
  assign: { keys: ['a'], does: 'Assign', icon: 'mine' },
  label: { keys: ['l'], does: 'Label', icon: 'tag' },
  priority: { keys: ['p'], does: 'Set priority', icon: 'bars' },
  due: { keys: ['d'], does: 'Set due date', icon: 'calendar' },
  size: { keys: ['e'], does: 'Set size', icon: 'list' },
  layout: {
    keys: ['v 1', 'v 2', 'v 3', 'v 4', 'v 5'],
    shown: 'v 1…5',
    does: 'Board, list, swimlanes, calendar, timeline',
  },
  earlier: { keys: ['PageUp'], does: 'Previous period (calendar, timeline)', held: true },
  later: { keys: ['PageDown'], does: 'Next period', held: true },
  today: { keys: ['Home'], does: 'Go to today' },
  timer: { keys: ['i'], does: 'Start or stop the timer', icon: 'clock' },
  leave: { keys: ['Escape'], does: 'Clear the selection' },
} as const satisfies Table
