import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { EditorView } from '@codemirror/view'
import { isInCode } from './slash-menu.ts'

type Table = Readonly<Record<string, string>>

let table: Promise<Table> | undefined
let loadedTable: Table = {}

/** The table of names is loaded with the first colon. */
function loadTable(): Promise<Table> {
  // @ts-expect-error It has no types.
  table ??= import('markdown-it-emoji/lib/data/full.mjs').then((module) => {
    loadedTable = module.default as Table
    return loadedTable
  })
  return table.catch(() => {
    table = undefined
    return {}
  })
}

const MAX_OPTIONS = 12

/** The names that match, those that begin with what was typed first. */
export function matchingEmoji(names: readonly string[], typed: string): string[] {
  const starts = names.filter((name) => name.startsWith(typed))
  const others = names.filter((name) => name.indexOf(typed, 1) > 0)
  return [...starts, ...others.filter((name) => !name.startsWith(typed))].slice(0, MAX_OPTIONS)
}

/** Completes `:name` with emoji, and replaces a whole `:name:`; the character is stored. */
export async function completeEmoji(context: CompletionContext): Promise<CompletionResult | null> {
  const at = context.matchBefore(/:[a-z0-9_+-]{0,30}/)
  if (!at || (at.text.length < 3 && !context.explicit)) return null
  if (/[\w:]/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
  if (isInCode(context.state, at.from)) return null
  const emoji = await loadTable()
  const options = matchingEmoji(Object.keys(emoji), at.text.slice(1)).map((name) => ({
    ...{ label: `${emoji[name]} ${name}`, apply: emoji[name]! },
  }))
  return options.length ? { from: at.from, options, filter: false } : null
}

/** The closing colon of a name that exists replaces the name by its character. */
export const emojiNames = EditorView.inputHandler.of((view, from, to, text) => {
  if (text !== ':' || from !== to) return false
  const line = view.state.doc.lineAt(from)
  const match = /(?<![\w:]):([a-z0-9_+-]{2,30})$/.exec(line.text.slice(0, from - line.from))
  const emoji = match && Object.hasOwn(loadedTable, match[1]!) ? loadedTable[match[1]!] : undefined
  if (!match || !emoji || isInCode(view.state, from)) return false
  const start = line.from + match.index
  view.dispatch({
    changes: { from: start, to, insert: emoji },
    selection: { anchor: start + emoji.length },
    userEvent: 'input.complete',
  })
  return true
})
