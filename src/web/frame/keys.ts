import { useEffect, useEffectEvent } from 'react'
import { createKeybindingsHandler } from 'tinykeys'
import type { IconName } from '../parts/icon.tsx'

export interface Shortcut {
  /** As tinykeys writes them; each does the same. */
  keys: readonly [string, ...string[]]
  does: string
  /** Shown instead of the keys, where they are many. */
  shown?: string
  /** Again and again while the key is held. */
  held?: true
  /** The palette offers it too, with this beside its name. */
  icon?: IconName
}
export type Table = Readonly<Record<string, Shortcut>>

/** What every screen does at a key. */
export const EVERYWHERE = {
  find: { keys: ['$mod+k'], does: 'Search, or do anything' },
  chat: { keys: ['$mod+j'], does: 'To the chat, and back' },
  create: { keys: ['c'], does: 'New task' },
  undo: { keys: ['$mod+z'], does: 'Undo what was just done' },
  home: { keys: ['g h'], does: 'Go to your first board' },
  board: { keys: ['g b'], does: 'Go to a board…' },
  mine: { keys: ['g m'], does: 'Go to My Tasks' },
  inbox: { keys: ['g i'], does: 'Go to the inbox' },
  agents: { keys: ['g a'], does: 'Go to the agents' },
  reports: { keys: ['g r'], does: 'Go to the reports' },
  archive: { keys: ['g x'], does: 'Go to the archive' },
  search: { keys: ['/'], does: 'Search in everything' },
  settings: { keys: ['g s'], does: 'Go to the settings' },
  side: { keys: ['[Control]+[Alt]+['], does: 'Narrow or widen the side bar' },
  theme: { keys: ['t'], does: 'Light or dark theme' },
  help: { keys: ['[Shift]+?'], does: 'Show these keys' },
} as const satisfies Table

/** Of My Tasks, for the task that the keys are at. */
export const IN_LIST = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next task', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Task before', held: true },
  open: { keys: ['Enter', 'o'], does: 'Open it' },
  done: { keys: ['x'], does: 'Complete it', icon: 'done' },
  edit: { keys: ['e'], does: 'Edit its title', icon: 'pencil' },
  due: { keys: ['d'], does: 'Set its due date…', icon: 'calendar' },
  priority: { keys: ['p'], does: 'Set its priority…', icon: 'bars' },
  snooze: { keys: ['s'], does: 'Snooze it…', icon: 'moon' },
  timer: { keys: ['i'], does: 'Start or stop its timer', icon: 'clock' },
  create: { keys: ['c'], does: 'New task' },
  filter: { keys: ['f'], does: 'Filter, sort and group' },
} as const satisfies Table

/** Of a board; board/keys.ts does them. */
export const ON_BOARD = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next card', held: true },
  back: { keys: ['k', 'ArrowUp'], does: 'Card before', held: true },
  right: { keys: ['ArrowRight'], does: 'Next column', held: true },
  left: { keys: ['ArrowLeft'], does: 'Column before', held: true },
  carry: {
    keys: ['Shift+ArrowLeft', 'Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowRight'],
    shown: 'Shift+Arrows',
    does: 'Carry the card',
  },
  open: { keys: ['Enter'], does: 'Open the card' },
  copy: { keys: ['$mod+c'], does: 'Copy its name and its link' },
  choose: { keys: ['x'], does: 'Choose several' },
  extend: { keys: ['Shift+j', 'Shift+k'], does: 'Choose the next one too', held: true },
  all: { keys: ['$mod+a'], does: 'Choose all' },
  create: { keys: ['c'], does: 'New task in the column' },
  filter: { keys: ['f'], does: 'Filter' },
  column: { keys: ['s'], does: 'Move to a column', icon: 'arrow' },
  assign: { keys: ['a'], does: 'Assign', icon: 'mine' },
  label: { keys: ['l'], does: 'Label', icon: 'tag' },
  priority: { keys: ['p'], does: 'Set the priority', icon: 'bars' },
  due: { keys: ['d'], does: 'Set the due date', icon: 'calendar' },
  size: { keys: ['e'], does: 'Set the size', icon: 'list' },
  layout: {
    keys: ['v 1', 'v 2', 'v 3', 'v 4', 'v 5'],
    shown: 'v 1…5',
    does: 'Board, list, swimlanes, calendar, timeline',
  },
  earlier: { keys: ['PageUp'], does: 'Earlier, of a calendar or a timeline', held: true },
  later: { keys: ['PageDown'], does: 'Later', held: true },
  today: { keys: ['Home'], does: 'Today' },
  timer: { keys: ['i'], does: 'Start or stop its timer', icon: 'clock' },
  leave: { keys: ['Escape'], does: 'Choose nothing' },
} as const satisfies Table

/** Of an open task; task/keys.ts and task/code.ts do them. */
export const IN_TASK = {
  next: { keys: ['j'], does: 'Next task' },
  back: { keys: ['k'], does: 'Task before' },
  comment: { keys: ['m'], does: 'Write a comment', icon: 'comment' },
  send: { keys: ['$mod+Enter'], does: 'Send or save what is written' },
  column: { keys: ['s'], does: 'Move to a column', icon: 'arrow' },
  assign: { keys: ['a'], does: 'Assign', icon: 'mine' },
  label: { keys: ['l'], does: 'Label', icon: 'tag' },
  priority: { keys: ['p'], does: 'Set the priority', icon: 'bars' },
  due: { keys: ['d'], does: 'Set the due date', icon: 'calendar' },
  size: { keys: ['e'], does: 'Set the size', icon: 'list' },
  timer: { keys: ['i'], does: 'Start or stop its timer', icon: 'clock' },
  leave: { keys: ['Escape'], does: 'Close it' },
} as const satisfies Table

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)
const SAID: Record<string, string> = {
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

/** What stands on the keys: presses that follow each other, each of keys that are held together. */
export const caps = (keys: string): string[][] =>
  keys.split(' ').map((press) =>
    press
      .split(/(?<=\w|\])\+/)
      .filter((key) => !/^\[.+\]$/.test(key))
      .map((key) => SAID[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
  )

/** The same in one word, to stand beside a name. */
export const hintOf = ({ keys: [first] }: Shortcut): string =>
  caps(first)
    .map((press) => press.join(IS_MAC ? '' : '+'))
    .join(' ')

const within = ({ target }: Event, selector: string) =>
  target instanceof Element && target.closest(selector) !== null

/** Typing is not steering. */
export const isTyping = (event: Event) =>
  within(event, 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')
/** What stands above the page has keys of its own. */
const isAbove = (event: Event) =>
  within(event, '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
/** Pressed on a control, these are the control's. */
const isPress = (event: KeyboardEvent) =>
  /^(Enter| )$/.test(event.key) && within(event, 'a, button, summary, [role=tab]')

type Deeds<T extends Table> = { [name in keyof T]: (event: KeyboardEvent) => unknown }

/** Does what a table says; a deed that answers false leaves the key to others. */
export function useShortcuts<T extends Table>(table: T, deeds: Deeds<T>) {
  const pressed = useEffectEvent((event: KeyboardEvent, name: keyof T) => {
    const hasHold = event.ctrlKey || event.metaKey
    if (event.defaultPrevented || (event.repeat && !table[name]!.held)) return
    // ⌘K and ⌘J are meant while one types too; ⌘Z is then the field's own.
    const isUndo = name === 'undo'
    const isOfList = isUndo && within(event, 'select')
    if (isTyping(event) && !isOfList && !(hasHold && /[jk]/.test(event.key))) return
    const isInPanel = isUndo && within(event, '.peek')
    if ((isAbove(event) && !isInPanel) || isPress(event)) return
    if (deeds[name](event) !== false) event.preventDefault()
  })
  useEffect(() => {
    // A handler keeps the sequences that another one has beaten, and then misses their next first
    // key: after "v 2" and "v 1" it would not hear "v 2" again. So each match starts a fresh one.
    const fresh = () => createKeybindingsHandler(bindings, { ignore: () => false })
    const bindings = Object.fromEntries(
      Object.entries(table).flatMap(([name, { keys }]) =>
        keys.map((one) => [
          one,
          (event: KeyboardEvent) => {
            handle = fresh()
            pressed(event, name)
          },
        ]),
      ),
    )
    let handle = fresh()
    const listen = (event: KeyboardEvent) => handle(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [table])
}
