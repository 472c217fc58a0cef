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
import { ask } from '../data/client.ts'
import { around, goOn, link } from './code-keys.ts'
import { theme } from './code-theme.ts'
import type { Code, Wishes } from './coding.ts'

/** Markdown alone: what stands in it in other languages stays as it is. */
const language = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown')

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

/** People and agents of the board behind an @. */
const people =
  (wishes: () => Wishes) =>
  (context: CompletionContext): CompletionResult | null => {
    const at = context.matchBefore(/@[\p{L}\p{N}._-]*/u)
    if (!at || /\S/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
    return {
      from: at.from,
      options: wishes().people.map(({ name, kind }) => ({
        label: `@${name}`,
        detail: kind === 'agent' ? 'agent' : '',
        apply: `@${name} `,
      })),
    }
  }

/** Tasks by the beginning of a key, or by words behind a #; their key is what is written. */
async function tasks(context: CompletionContext): Promise<CompletionResult | null> {
  const at = context.matchBefore(/#[\p{L}\p{N}][\p{L}\p{N}-]*|\b[A-Z][A-Z0-9]{0,9}-\d+/u)
  if (!at || /[\w/]/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
  const query = at.text.replace(/^#/, '')
  const found = await ask('search.tasks', { query, limit: 8 }).catch(() => undefined)
  const options = found?.items.map(({ ticket_number, title }) => ({
    ...{ label: ticket_number, detail: title, apply: `${ticket_number} ` },
  }))
  return options?.length ? { from: at.from, options, filter: false } : null
}

/** A list that is still looked for is none yet. */
const closeList = (view: EditorView) =>
  completionStatus(view.state) === 'active' && closeCompletion(view)

function keysOf(wishes: () => Wishes): KeyBinding[] {
  const does = (deed: () => void) => {
    deed()
    return true
  }
  return [
    { key: 'Mod-Enter', run: () => does(wishes().onSend) },
    // A browser would offer to save the page as a file.
    { key: 'Mod-s', run: () => does(wishes().saves ? wishes().onSend : () => {}) },
    { key: 'Escape', run: (view) => closeList(view) || does(wishes().onEscape) },
    { key: 'Mod-b', run: around('**') },
    { key: 'Mod-i', run: around('_') },
    { key: 'Mod-e', run: around('`') },
    { key: 'Mod-k', run: link },
    ...completionKeymap,
    { key: 'Enter', run: goOn },
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
    if (some.length) wishes().onFiles(some)
    return some.length > 0
  }
  return [
    history(),
    autocompletion({ override: [people(wishes), tasks], icons: false, defaultKeymap: false }),
    keymap.of([...keysOf(wishes), ...defaultKeymap, ...historyKeymap]),
    language,
    syntaxHighlighting(looks),
    EditorView.lineWrapping,
    theme,
    placeholder(hint),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', dir: 'auto' }),
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
export function mount(
  host: HTMLElement,
  text: string,
  wishes: () => Wishes,
  selection: { anchor: number; head: number },
): Code {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  // Outside, nobody can see that the target of these is a place to type in.
  host.onkeydown = (event) => event.stopPropagation()
  const extensions = extensionsOf(wishes)
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: text, selection, extensions }),
  })
  host.focus = () => view.focus()
  return {
    focus: () => view.focus(),
    destroy: () => view.destroy(),
    // With an empty history: undo must not bring back a text that was sent.
    set(doc) {
      if (doc !== view.state.doc.toString())
        view.setState(EditorState.create({ doc, selection: { anchor: doc.length }, extensions }))
    },
    insert: (words) => view.dispatch(view.state.replaceSelection(words)),
    replace(words, by) {
      const from = view.state.doc.toString().indexOf(words)
      if (from >= 0) view.dispatch({ changes: { from, to: from + words.length, insert: by } })
    },
  }
}
