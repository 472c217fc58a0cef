import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import { type ChangeSpec, EditorSelection, type EditorState } from '@codemirror/state'
import type { Command, EditorView } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'

/** Whole lines that move together: a paragraph, a table, or a list item with what is below it. */
export interface Block {
  from: number
  to: number
}

const PARSE_MS = 30

function blockNodeAt(state: EditorState, position: number): SyntaxNode | null {
  const line = state.doc.lineAt(position)
  const at = line.from + /^\s*/.exec(line.text)![0].length
  const tree = ensureSyntaxTree(state, line.to, PARSE_MS) ?? syntaxTree(state)
  let node: SyntaxNode | null = tree.resolveInner(Math.min(at, state.doc.length), 1)
  // At the beginning of a nested item the innermost node is that item.
  while (node && node.name !== 'ListItem' && node.parent?.name !== 'Document') node = node.parent
  return node?.parent ? node : null
}

const linesOf = ({ doc }: EditorState, { from, to }: SyntaxNode): Block => ({
  from: doc.lineAt(from).from,
  to: doc.lineAt(to).to,
})

export function blockAt(state: EditorState, position: number): Block | undefined {
  const node = blockNodeAt(state, position)
  return node ? linesOf(state, node) : undefined
}

/** The blocks beside one, within the same list or text. */
export function siblingOf(state: EditorState, position: number, by: -1 | 1): Block | undefined {
  const node = blockNodeAt(state, position)
  const sibling = by < 0 ? node?.prevSibling : node?.nextSibling
  if (!sibling || sibling.name === 'ListMark') return undefined
  return linesOf(state, sibling)
}

const NUMBER = /^(\s*(?:>\s*)*)(\d+)([.)])/

/** In an ordered list the numbers stay where they are. */
function withNumberOf(text: string, other: string): string {
  const number = NUMBER.exec(other)
  return number && NUMBER.test(text) ? text.replace(NUMBER, `$1${number[2]}$3`) : text
}

/** Swaps two neighbors; what separates them stays. */
function swap(state: EditorState, first: Block, second: Block): ChangeSpec {
  const one = state.sliceDoc(first.from, first.to)
  const two = state.sliceDoc(second.from, second.to)
  return [
    { ...first, insert: withNumberOf(two, one) },
    { ...second, insert: withNumberOf(one, two) },
  ]
}

/** Moves the block at the cursor above the previous one, or below the next one. */
export const moveBlock =
  (by: -1 | 1): Command =>
  (view) => {
    const { state } = view
    const { main } = state.selection
    const block = blockAt(state, main.head)
    const sibling = siblingOf(state, main.head, by)
    if (!block || !sibling) return block !== undefined
    const [first, second] = by < 0 ? [sibling, block] : [block, sibling]
    const lengthDifference = second.to - second.from - (first.to - first.from)
    const offset = by < 0 ? first.from - block.from : second.from + lengthDifference - block.from
    view.dispatch({
      changes: swap(state, first, second),
      selection: EditorSelection.range(main.anchor + offset, main.head + offset),
      ...{ userEvent: 'move.line', scrollIntoView: true },
    })
    return true
  }

const INDENT = /^[ \t]*/

/** The first and last place that a block can be dropped at are before and after a block. */
export function moveBlockTo(view: EditorView, block: Block, target: number) {
  const { state } = view
  if (target >= block.from && target <= block.to) return
  const { doc } = state
  const text = doc.sliceString(block.from, block.to)
  const targetLine = doc.lineAt(Math.min(target, doc.length))
  const isAfter = target > block.to
  const joined = isListLine(text) && isListLine(targetLine.text)
  const gap = joined ? '\n' : '\n\n'
  const moved = joined ? reindented(text, INDENT.exec(targetLine.text)![0]) : text
  const insert = isAfter ? gap + moved : moved + gap
  view.dispatch({
    changes: [removal(state, block), { from: target, insert }],
    ...{ userEvent: 'move.drop', scrollIntoView: true },
  })
}

const isListLine = (text: string) => /^\s*([-*+]|\d+[.)])\s/.test(text)

function reindented(text: string, indent: string): string {
  const own = INDENT.exec(text)![0]
  const lines = text.split('\n')
  return lines
    .map((line) => (line.startsWith(own) ? indent + line.slice(own.length) : line))
    .join('\n')
}

/** The lines of a block with the empty lines below it, or above it at the end of the text. */
function removal({ doc }: EditorState, { from, to }: Block) {
  let end = doc.lineAt(to)
  while (end.number < doc.lines && !doc.line(end.number + 1).text.trim())
    end = doc.line(end.number + 1)
  if (end.number < doc.lines) {
    const isItem = isListLine(doc.lineAt(from).text) && isListLine(doc.line(end.number + 1).text)
    return { from, to: isItem ? doc.lineAt(to).to + 1 : end.to + 1 }
  }
  let start = doc.lineAt(from)
  while (start.number > 1 && !doc.line(start.number - 1).text.trim())
    start = doc.line(start.number - 1)
  return { from: Math.max(0, start.from - 1), to: end.to }
}
