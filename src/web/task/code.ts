import {
  autocompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { insertNewlineContinueMarkup, markdown, markdownLanguage } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorSelection, EditorState, type Extension, type StateCommand } from '@codemirror/state'
import { EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { theme } from './code-theme.ts'
import type { Code, Wishes } from './editor.tsx'

const looks = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: 'var(--mono)', fontSize: '0.9em' },
  { tag: [tags.link, tags.url], color: 'var(--cork)' },
  { tag: [tags.processingInstruction, tags.meta, tags.contentSeparator], color: 'var(--soft)' },
  { tag: tags.quote, color: 'var(--soft)' },
])

/** Puts marks around what is selected, or takes them away. */
const around =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const size = mark.length
    const change = state.changeByRange(({ from, to }) => {
      const isIn =
        state.sliceDoc(from - size, from) === mark && state.sliceDoc(to, to + size) === mark
      if (isIn)
        return {
          changes: [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ],
          range: EditorSelection.range(from - size, to - size),
        }
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(from + size, to + size),
      }
    })
    dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }))
    return true
  }

/** Makes a link of what is selected, with the address to be typed next. */
const link: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main
  const words = state.sliceDoc(from, to)
  const insert = `[${words}](https://)`
  const start = from + (words ? words.length + 3 : 1)
  dispatch(
    state.update({
      changes: { from, to, insert },
      selection: words ? { anchor: start, head: start + 8 } : { anchor: start },
      userEvent: 'input',
    }),
  )
  return true
}

const people =
  (wishes: () => Wishes) =>
  (context: CompletionContext): { from: number; options: Completion[]; filter: true } | null => {
    const at = context.matchBefore(/@[\p{L}\p{N}._-]*/u)
    if (!at || /\S/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
    return {
      from: at.from,
      filter: true,
      options: wishes().people.map(({ name, kind }) => ({
        label: `@${name}`,
        detail: kind === 'agent' ? 'agent' : '',
        apply: `@${name} `,
      })),
    }
  }

function keysOf(wishes: () => Wishes): KeyBinding[] {
  const does = (deed: (() => void) | undefined) => {
    deed?.()
    return deed !== undefined
  }
  return [
    { key: 'Mod-Enter', run: () => does(wishes().onSend) },
    { key: 'Escape', run: () => does(wishes().onEscape) },
    { key: 'Mod-b', run: around('**') },
    { key: 'Mod-i', run: around('_') },
    { key: 'Mod-e', run: around('`') },
    { key: 'Mod-k', run: link },
    { key: 'Enter', run: insertNewlineContinueMarkup },
  ]
}

/**
 * Left to itself, a browser gives what is typed over a selection the looks of what was there, by a
 * style in the text, which the rules of the page refuse loudly.
 */
function typedOver(event: InputEvent, view: EditorView): boolean {
  const { state, composing } = view
  if (event.inputType !== 'insertText' || event.data === null) return false
  if (composing || state.selection.main.empty) return false
  event.preventDefault()
  view.dispatch(state.update(state.replaceSelection(event.data), { userEvent: 'input.type' }))
  return true
}

function extensionsOf(wishes: () => Wishes): Extension[] {
  const { label, hint } = wishes()
  const files = (list: FileList | undefined | null) => {
    const some = [...(list ?? [])]
    if (some.length) wishes().onFiles?.(some)
    return some.length > 0
  }
  return [
    history(),
    autocompletion({ override: [people(wishes)], icons: false }),
    keymap.of([...completionKeymap, ...keysOf(wishes), ...defaultKeymap, ...historyKeymap]),
    markdown({ base: markdownLanguage, addKeymap: false, completeHTMLTags: false }),
    syntaxHighlighting(looks),
    EditorView.lineWrapping,
    theme,
    placeholder(hint),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
    EditorView.domEventHandlers({
      beforeinput: typedOver,
      paste: (event) => files(event.clipboardData?.files),
      drop: (event) => files(event.dataTransfer?.files),
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) wishes().onChange(state.doc.toString())
    }),
  ]
}

/**
 * Inside a shadow root its styles are adopted sheets, which the rules of the page let through where
 * they refuse style elements.
 */
export function mount(host: HTMLElement, text: string, wishes: () => Wishes): Code {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  // Outside, nobody can see that the target of these is a place to type in.
  host.onkeydown = (event) => event.stopPropagation()
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: extensionsOf(wishes),
    }),
  })
  host.focus = () => view.focus()
  return {
    focus: () => view.focus(),
    destroy: () => view.destroy(),
    set(next) {
      if (next !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
    },
    insert: (words) => view.dispatch(view.state.replaceSelection(words)),
    replace(words, by) {
      const from = view.state.doc.toString().indexOf(words)
      if (from >= 0) view.dispatch({ changes: { from, to: from + words.length, insert: by } })
    },
  }
}
