import { IS_MAC } from '../kit/shortcuts.ts'

const MODIFIERS = new Set(['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'CapsLock', 'Dead'])
/** Forms, menus and screen readers need these without a modifier. */
const RESERVED = new Set(['Tab', 'Enter', ' ', 'Process', 'Unidentified'])

/**
 * What was pressed, as a binding of tinykeys. Undefined for modifiers alone and for keys that
 * cannot be shortcuts.
 */
export function pressOf(event: KeyboardEvent): string | undefined {
  const { key, code, altKey, shiftKey, ctrlKey, metaKey } = event
  const isMod = IS_MAC ? metaKey : ctrlKey
  if (MODIFIERS.has(key) || (RESERVED.has(key) && !isMod)) return
  const isSymbol = /^[^\p{L}\p{N}]$/u.test(key)
  return [
    isMod && '$mod',
    (IS_MAC ? ctrlKey : metaKey) && (IS_MAC ? 'Control' : 'Meta'),
    altKey && 'Alt',
    // A layout may need Shift for a symbol, so it is not part of the shortcut.
    shiftKey && (isSymbol ? '[Shift]' : 'Shift'),
    // With Alt, letters become other characters on a Mac.
    altKey && /^(Key|Digit)/.test(code) ? code : key.length === 1 ? key.toLowerCase() : key,
  ]
    .filter(Boolean)
    .join('+')
}
