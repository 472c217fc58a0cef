import { useEffect, useEffectEvent } from 'react'
import { createKeybindingsHandler } from 'tinykeys'
import type { IconName } from '../parts/icon.tsx'

export interface Shortcut {
  /** Key bindings in tinykeys syntax; all of them do the same. */
  keys: readonly [string, ...string[]]
  does: string
  /** Shown instead of the list of keys. */
  shown?: string
  /** Repeats while the key is held. */
  held?: true
  /** The palette offers it too, with this icon. */
  icon?: IconName
}
export type Table = Readonly<Record<string, Shortcut>>

/** The shortcuts of every screen. */
export const EVERYWHERE = {
  find: { keys: ['$mod+k'], does: 'Search or run a command' },
  chat: { keys: ['$mod+j'], does: 'Open or close the chat' },
  create: { keys: ['c'], does: 'New task' },
  undo: { keys: ['$mod+z'], does: 'Undo the last change' },
  home: { keys: ['g h'], does: 'Go to your default board' },
  board: { keys: ['g b'], does: 'Go to a board…' },
  mine: { keys: ['g m'], does: 'Go to My Tasks' },
  inbox: { keys: ['g i'], does: 'Go to Inbox' },
  agents: { keys: ['g a'], does: 'Go to Agents' },
  reports: { keys: ['g r'], does: 'Go to Reports' },
  archive: { keys: ['g x'], does: 'Go to Archive' },
  search: { keys: ['/'], does: 'Search everything' },
  settings: { keys: ['g s'], does: 'Go to Settings' },
  side: { keys: ['[Control]+[Alt]+['], does: 'Collapse or expand the sidebar' },
  theme: { keys: ['t'], does: 'Light or dark theme' },
  help: { keys: ['[Shift]+?'], does: 'Show keyboard shortcuts' },
} as const satisfies Table

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

/** The shortcuts of a board; board/keys.ts implements them. */
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

/** The shortcuts of an open task; task/keys.ts and task/codemirror.ts implement them. */
export const IN_TASK = {
  next: { keys: ['j'], does: 'Next task' },
  back: { keys: ['k'], does: 'Previous task' },
  comment: { keys: ['m'], does: 'Write a comment', icon: 'comment' },
  send: { keys: ['$mod+Enter'], does: 'Send or save the text' },
  column: { keys: ['s'], does: 'Move to column', icon: 'arrow' },
  assign: { keys: ['a'], does: 'Assign', icon: 'mine' },
  label: { keys: ['l'], does: 'Label', icon: 'tag' },
  priority: { keys: ['p'], does: 'Set priority', icon: 'bars' },
  due: { keys: ['d'], does: 'Set due date', icon: 'calendar' },
  size: { keys: ['e'], does: 'Set size', icon: 'list' },
  timer: { keys: ['i'], does: 'Start or stop the timer', icon: 'clock' },
  leave: { keys: ['Escape'], does: 'Close the task' },
} as const satisfies Table

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)
const KEY_NAMES: Record<string, string> = {
  $mod: IS_MAC ? '⌘' : 'Ctrl',
  Shift: IS_MAC ? '⇧' : 'Shift',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Arrows: '← ↑ ↓ →',
  Escape: 'Esc',
  Enter: IS_MAC ? '↵' : 'Enter',
}

/** The key caps: a sequence of presses, each with the keys that are held together. */
export const caps = (keys: string): string[][] =>
  keys.split(' ').map((press) =>
    press
      .split(/(?<=\w|\])\+/)
      .filter((key) => !/^\[.+\]$/.test(key))
      .map((key) => KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
  )

/** The binding as one short text. */
export const hintOf = ({ keys: [first] }: Shortcut): string =>
  caps(first)
    .map((press) => press.join(IS_MAC ? '' : '+'))
    .join(' ')

const isInside = ({ target }: Event, selector: string) =>
  target instanceof Element && target.closest(selector) !== null

/** Whether the user is typing, so that letters are not shortcuts. */
export const isTyping = (event: Event) =>
  isInside(event, 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')
/** Overlays handle keys themselves. */
const isInOverlay = (event: Event) =>
  isInside(event, '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
/** Enter and Space activate the focused control. */
const isControlKey = (event: KeyboardEvent) =>
  /^(Enter| )$/.test(event.key) && isInside(event, 'a, button, summary, [role=tab]')

type Handlers<T extends Table> = { [name in keyof T]: (event: KeyboardEvent) => unknown }

/**
 * Binds handlers to a table of shortcuts. A handler that returns false leaves the key to others.
 */
export function useShortcuts<T extends Table>(table: T, handlers: Handlers<T>) {
  const handleKey = useEffectEvent((event: KeyboardEvent, name: keyof T) => {
    const hasModifier = event.ctrlKey || event.metaKey
    if (event.defaultPrevented || (event.repeat && !table[name]!.held)) return
    // ⌘K and ⌘J work while typing too; ⌘Z then belongs to the field.
    const isUndo = name === 'undo'
    const isInSelect = isUndo && isInside(event, 'select')
    if (isTyping(event) && !isInSelect && !(hasModifier && /[jk]/.test(event.key))) return
    const isInPanel = isUndo && isInside(event, '.peek')
    if ((isInOverlay(event) && !isInPanel) || isControlKey(event)) return
    if (handlers[name](event) !== false) event.preventDefault()
  })
  useEffect(() => {
    // A tinykeys handler keeps sequences that another match has completed, and then misses their
    // next first key: after "v 2" and "v 1" it would not recognise "v 2" again. So each match
    // creates a new handler.
    const createHandler = () => createKeybindingsHandler(bindings, { ignore: () => false })
    const bindings = Object.fromEntries(
      Object.entries(table).flatMap(([name, { keys }]) =>
        keys.map((binding) => [
          binding,
          (event: KeyboardEvent) => {
            handle = createHandler()
            handleKey(event, name)
          },
        ]),
      ),
    )
    let handle = createHandler()
    const onKeyDown = (event: KeyboardEvent) => handle(event)
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [table])
}
