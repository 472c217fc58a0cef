import { defineShortcuts, type Shortcut } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

const fixed = (key: string, description: string): Shortcut => ({
  keys: [key],
  description,
  isFixed: true,
})

/** The keys of the editor; codemirror.ts implements them. */
export const IN_TEXT = defineShortcuts('text', {
  bold: fixed('$mod+b', t('editor.bold')),
  italic: fixed('$mod+i', t('editor.italic')),
  strikethrough: fixed('$mod+Shift+x', t('editor.strikethrough')),
  code: fixed('$mod+e', t('editor.code')),
  link: fixed('$mod+k', t('editor.link')),
  numbers: fixed('$mod+Shift+7', t('editor.numbered_list')),
  bullets: fixed('$mod+Shift+8', t('editor.bulleted_list')),
  checklist: fixed('$mod+Shift+9', t('editor.checklist')),
  quote: fixed('$mod+Shift+.', t('editor.quote')),
  indent: fixed('Tab', t('editor.indent')),
  outdent: fixed('Shift+Tab', t('editor.outdent')),
  up: fixed('Alt+ArrowUp', t('editor.move_block_up')),
  down: fixed('Alt+ArrowDown', t('editor.move_block_down')),
  toolbar: fixed('Alt+F10', t('editor.format')),
  source: fixed('$mod+/', t('editor.source')),
})
