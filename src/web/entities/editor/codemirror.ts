import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  syntaxHighlighting,
} from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'
import { flushSync } from 'react-dom'
import { callOperation } from '../../data/client.ts'
import { tasksIn } from '../quick-find/quick-find.ts'
import { continueList, insertLink, toggleMark } from './codemirror-keys.ts'
import { theme } from './codemirror-theme.ts'
import type { EditorHandle, EditorOptions } from './editor-types.ts'

/** Markdown only: code blocks in other languages are not highlighted. */
const language = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown')

const highlightStyle = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: 'var(--mono)', fontSize: '0.9em' },
  { tag: [tags.link, tags.url], color: 'var(--cork)' },
  { tag: [tags.processingInstruction, tags.meta, tags.contentSeparator], color: 'var(--soft)' },
  { tag: tags.quote, color: 'var(--soft)' },
])

/** Completes `@` with the board's people and agents. */
const completeMentions =
  (getOptions: () => EditorOptions) =>
  (context: CompletionContext): CompletionResult | null => {
    const at = context.matchBefore(/@[\p{L}\p{N}._-]*/u)
    if (!at || /\S/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
    return {
      from: at.from,
      options: getOptions().people.map(({ name, kind }) => ({
        label: `@${name}`,
        detail: kind === 'agent' ? 'agent' : '',
        apply: `@${name} `,
      })),
    }
  }

/** Completes a partial key, or words after `#`, with matching tasks; inserts the task's key. */
async function completeTasks(context: CompletionContext): Promise<CompletionResult | null> {
  const at = context.matchBefore(/#[\p{L}\p{N}][\p{L}\p{N}-]*|\b[A-Z][A-Z0-9]{0,9}-\d+/u)
  if (!at || /[\w/]/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
  const query = at.text.replace(/^#/, '')
  const input = { query, kinds: 'task', limit: 8 }
  const matches = await callOperation('search.quick', input).catch(() => [])
  const options = tasksIn(matches).map(({ ticket_number, title }) => ({
    ...{ label: ticket_number, detail: title, apply: `${ticket_number} ` },
  }))
  return options.length ? { from: at.from, options, filter: false } : null
}

/** Only an open completion list is closed; a pending one does not count. */
const closeList = (view: EditorView) =>
  completionStatus(view.state) === 'active' && closeCompletion(view)

function keyBindings(getOptions: () => EditorOptions): KeyBinding[] {
  const handled = (action: () => void) => {
    action()
    return true
  }
  return [
    { key: 'Mod-Enter', run: () => handled(getOptions().onSend) },
    // Without a handler the browser would open its "save page" dialog.
    { key: 'Mod-s', run: () => handled(getOptions().hasSaveKey ? getOptions().onSend : () => {}) },
    { key: 'Escape', run: (view) => closeList(view) || handled(getOptions().onEscape) },
    { key: 'Mod-b', run: toggleMark('**') },
    { key: 'Mod-i', run: toggleMark('_') },
    { key: 'Mod-e', run: toggleMark('`') },
    { key: 'Mod-k', run: insertLink },
    ...completionKeymap,
    { key: 'Enter', run: continueList },
  ]
}

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

function extensionsOf(getOptions: () => EditorOptions): Extension[] {
  const { label, hint, extensions = [] } = getOptions()
  const handleFiles = (list: FileList | undefined | null) => {
    const files = [...(list ?? [])]
    if (files.length) getOptions().onFiles(files)
    return files.length > 0
  }
  return [
    history(),
    autocompletion({
      override: [completeMentions(getOptions), completeTasks],
      icons: false,
      defaultKeymap: false,
    }),
    keymap.of([...keyBindings(getOptions), ...defaultKeymap, ...historyKeymap]),
    language,
    syntaxHighlighting(highlightStyle),
    EditorView.lineWrapping,
    theme,
    placeholder(hint),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', dir: 'auto' }),
    EditorView.domEventHandlers({
      beforeinput: insertOverSelection,
      paste: (event) => handleFiles(event.clipboardData?.files),
      drop: (event) => handleFiles(event.dataTransfer?.files),
    }),
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
  const extensions = extensionsOf(getOptions)
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: text, selection, extensions }),
  })
  host.focus = () => view.focus()
  return {
    focus: () => view.focus(),
    destroy: () => view.destroy(),
    // A new state has an empty history, so undo cannot bring back text that was already sent.
    set(doc) {
      if (doc !== view.state.doc.toString())
        view.setState(EditorState.create({ doc, selection: { anchor: doc.length }, extensions }))
    },
    insert: (text) => view.dispatch(view.state.replaceSelection(text)),
    replace(search, replacement) {
      const from = view.state.doc.toString().indexOf(search)
      if (from >= 0)
        view.dispatch({ changes: { from, to: from + search.length, insert: replacement } })
    },
  }
}
