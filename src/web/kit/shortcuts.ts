import { useEffectEvent, useLayoutEffect } from 'react'
import { createKeybindingsHandler } from 'tinykeys'
import { t } from '../messages/t.ts'
import type { IconName } from './icon.tsx'
import { changedKeys, useShortcutChanges } from './shortcut-changes.ts'

export interface Shortcut {
  /** Key bindings in tinykeys syntax; all of them do the same. */
  keys: readonly [string, ...string[]]
  description: string
  /** Its code depends on these keys, so nobody can change them. */
  isFixed?: true
  /** Shown instead of the list of keys, which nobody can change then. */
  keysText?: string
  /** Repeats while the key is held. */
  repeats?: true
  /** The palette offers it too, with this icon. */
  icon?: IconName
}
export type ShortcutTable = Readonly<Record<string, Shortcut>>

const ids = new WeakMap<Shortcut, string>()

/** A table of shortcuts. `scope` and the names of the shortcuts are what stored changes refer to. */
export function defineShortcuts<const T extends ShortcutTable>(scope: string, table: T): T {
  for (const [name, shortcut] of Object.entries(table)) ids.set(shortcut, `${scope}.${name}`)
  return table
}

/** The id of a shortcut whose keys can be changed. */
export const changeableId = (shortcut: Shortcut): string | undefined =>
  shortcut.isFixed || shortcut.keysText ? undefined : ids.get(shortcut)

/** The keys of a shortcut: those that somebody chose, or else the default. */
export function keysOf(shortcut: Shortcut): Shortcut['keys'] {
  const changed = changedKeys(changeableId(shortcut) ?? '')
  return changed ? [changed] : shortcut.keys
}

export const UNDO: Shortcut = { keys: ['$mod+z'], description: t('kit.undo_the_last_change') }
export const SEND: Shortcut = {
  keys: ['$mod+Enter'],
  description: t('kit.send_or_save_the_text'),
  isFixed: true,
}

export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)
const KEY_NAMES: Record<string, string> = {
  $mod: IS_MAC ? '⌘' : t('kit.ctrl'),
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
export const keyCaps = (keys: string): string[][] =>
  keys.split(' ').map((press) =>
    press
      .split(/(?<=\w|\])\+/)
      .filter((key) => !/^\[.+\]$/.test(key))
      .map((key) => key.replace(/^(Key|Digit)(?=.$)/, ''))
      .map((key) => KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
  )

/** The binding as one short text. */
export const hintOf = (shortcut: Shortcut): string =>
  keyCaps(keysOf(shortcut)[0])
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

type Handlers<T extends ShortcutTable> = { [name in keyof T]: (event: KeyboardEvent) => unknown }

/**
 * Binds handlers to a table of shortcuts. A handler that returns false leaves the key to others.
 */
export function useShortcuts<T extends ShortcutTable>(table: T, handlers: Handlers<T>) {
  const handleKey = useEffectEvent((event: KeyboardEvent, name: keyof T) => {
    const hasModifier = event.ctrlKey || event.metaKey
    if (event.defaultPrevented || (event.repeat && !table[name]!.repeats)) return
    // ⌘K and ⌘J work while the user types too. ⌘Z is left to the field then.
    const isUndo = name === 'undo'
    const isInSelect = isUndo && isInside(event, 'select')
    if (isTyping(event) && !isInSelect && !(hasModifier && /[jk]/.test(event.key))) return
    const isInPanel = isUndo && isInside(event, '.peek')
    if ((isInOverlay(event) && !isInPanel) || isControlKey(event)) return
    if (handlers[name](event) !== false) event.preventDefault()
  })
  const changes = useShortcutChanges()
  // A layout effect, so that the listener is there when the screen becomes visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keysOf` reads the changes
  useLayoutEffect(() => {
    // A tinykeys handler keeps sequences that another match has completed, and then misses their
    // next first key: after "v 2" and "v 1" it would not recognise "v 2" again. So each match
    // creates a new handler.
    const createHandler = () => createKeybindingsHandler(bindings, { ignore: () => false })
    const bindings = Object.fromEntries(
      Object.entries(table).flatMap(([name, shortcut]) =>
        keysOf(shortcut).map((binding) => [
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
  }, [table, changes])
}
