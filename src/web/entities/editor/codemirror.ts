import { closeCompletion, completionKeymap, completionStatus } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view'
import { flushSync } from 'react-dom'
import { continueList, insertLink, toggleMark } from './codemirror-keys.ts'
import { theme } from './codemirror-theme.ts'
import type { EditorHandle, EditorOptions } from './editor-types.ts'
import { blockHandle } from './rich/block-handle.ts'
import { moveBlock } from './rich/blocks.ts'
import { completions } from './rich/completions.ts'
import { emojiNames } from './rich/emoji.ts'
import {
  indentItems,
  toggleBullets,
  toggleChecklist,
  toggleHeading,
  toggleNumbers,
  toggleQuote,
} from './rich/format-commands.ts'
import { lineEndings } from './rich/line-endings.ts'
import { linkClicks } from './rich/link-target.ts'
import { listKeys } from './rich/list-keys.ts'
import { toggleBox } from './rich/list-widgets.ts'
import { livePreview } from './rich/live-preview.ts'
import { markdown } from './rich/markdown-language.ts'
import { handlePaste, plainPasteKey } from './rich/paste-handler.ts'
import { mentionNames } from './rich/reference-preview.ts'
import { tables } from './rich/tables.ts'
import { richTheme } from './rich/theme.ts'
import { focusToolbar, toolbar } from './rich/toolbar.ts'
import { isSourceMode, toggleSourceMode } from './source-mode.ts'

/** Only an open completion list is closed; a pending one does not count. */
const closeList = (view: EditorView) =>
  completionStatus(view.state) === 'active' && closeCompletion(view)

function keyBindings(getOptions: () => EditorOptions): KeyBinding[] {
  // React does not see events inside the shadow root, and would render after the next key.
  const handled = (action: () => void) => {
    flushSync(action)
    return true
  }
  return [
    { key: 'Mod-Enter', run: () => handled(getOptions().onSend) },
    // Without a handler the browser would open its "save page" dialog.
    { key: 'Mod-s', run: () => handled(getOptions().hasSaveKey ? getOptions().onSend : () => {}) },
    { key: 'Escape', run: (view) => closeList(view) || handled(getOptions().onEscape) },
    { key: 'Mod-/', run: () => handled(toggleSourceMode) },
    { key: 'Alt-Enter', run: (view) => toggleBox(view, view.state.selection.main.head) },
    { key: 'Alt-F10', run: focusToolbar },
    ...formatKeys,
    ...completionKeymap,
    { key: 'Enter', run: continueList },
    { key: 'Tab', run: indentItems(1), shift: indentItems(-1) },
    { key: 'Alt-ArrowUp', run: moveBlock(-1) },
    { key: 'Alt-ArrowDown', run: moveBlock(1) },
  ]
}

const formatKeys: KeyBinding[] = [
  { key: 'Mod-b', run: toggleMark('**') },
  { key: 'Mod-i', run: toggleMark('_') },
  { key: 'Mod-e', run: toggleMark('`') },
  { key: 'Mod-Shift-x', run: toggleMark('~~') },
  { key: 'Mod-k', run: insertLink },
  ...[1, 2, 3].map((level) => ({ key: `Mod-Alt-${level}`, run: toggleHeading(level) })),
  { key: 'Mod-Shift-7', run: toggleNumbers },
  { key: 'Mod-Shift-8', run: toggleBullets },
  { key: 'Mod-Shift-9', run: toggleChecklist },
  { key: 'Mod-Shift-.', run: toggleQuote },
]

/**
 * Handles typing over a selection. By default the browser copies the style of the replaced text
 * into an inline style, which the Content Security Policy blocks and reports.
 */
function insertOverSelection(event: InputEvent, view: EditorView): boolean {
  const { state, composing } = view
  if (event.inputType !== 'insertText' || event.data === null) return false
  if (composing || state.selection.main.empty) return false
  event.preventDefault()
  view.dispatch(state.update(state.replaceSelection(event.data), { userEvent: 'input.type' }))
  return true
}

function fileEvents(getOptions: () => EditorOptions): Extension {
  return EditorView.domEventHandlers({
    beforeinput: insertOverSelection,
    paste: (event, view) => handlePaste(event, view, (files) => getOptions().onFiles(files)),
    drop(event) {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length) getOptions().onFiles(files)
      return files.length > 0
    },
  })
}

/** What replaces source by what it means. The source view goes without it. */
const rendering = [livePreview, tables, listKeys, blockHandle]

function extensionsOf(getOptions: () => EditorOptions): Extension[] {
  const { label, hint, extensions = [] } = getOptions()
  return [
    history(),
    completions(getOptions),
    keymap.of([...keyBindings(getOptions), ...defaultKeymap, ...historyKeymap]),
    markdown,
    mentionNames.of(() => getOptions().people.map(({ name }) => name)),
    emojiNames,
    linkClicks,
    plainPasteKey,
    toolbar(),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    [theme, richTheme],
    placeholder(hint),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', dir: 'auto' }),
    fileEvents(getOptions),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return
      // The next key may send the text, so what was typed is rendered before the next event.
      queueMicrotask(() => flushSync(() => getOptions().onChange(state.doc.toString())))
    }),
    ...extensions,
  ]
}

/**
 * Mounts the editor in a shadow root. There CodeMirror uses adopted style sheets, which the Content
 * Security Policy allows; it blocks style elements.
 */
export function mount(
  host: HTMLElement,
  text: string,
  getOptions: () => EditorOptions,
  selection: { anchor: number; head: number },
): EditorHandle {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  // Outside the shadow root, listeners cannot tell that the event's target is an editable field.
  host.onkeydown = (event) => event.stopPropagation()
  const preview = new Compartment()
  const shared = extensionsOf(getOptions)
  const shown = (isSource: boolean) => preview.of(isSource ? [] : rendering)
  const stateOf = (doc: string, range: { anchor: number; head?: number }) =>
    EditorState.create({
      ...{ doc, selection: range },
      extensions: [lineEndings(doc), shared, shown(isSourceMode())],
    })
  const view = new EditorView({ root, parent: root, state: stateOf(text, selection) })
  host.focus = () => view.focus()
  return {
    focus: () => view.focus(),
    destroy: () => view.destroy(),
    // A new state has an empty history, so undo cannot bring back text that was already sent.
    set(doc) {
      if (doc !== view.state.doc.toString()) view.setState(stateOf(doc, { anchor: doc.length }))
    },
    insert: (text) => view.dispatch(view.state.replaceSelection(text)),
    replace(search, replacement) {
      const from = view.state.doc.toString().indexOf(search)
      if (from >= 0)
        view.dispatch({ changes: { from, to: from + search.length, insert: replacement } })
    },
    showSource(isSource) {
      view.dispatch({ effects: preview.reconfigure(isSource ? [] : rendering) })
    },
  }
}
