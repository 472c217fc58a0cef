import { type ChangeSpec, EditorSelection, type StateCommand } from '@codemirror/state'

const PREFIX = /^(\s*)((?:#{1,6}|[-*+]|\d+[.)]|>)\s+(?:\[[ xX]\]\s+)?)?/

type Line = { from: number; text: string }

/** Changes the beginning of each selected line that is not empty. */
const changeLines =
  (change: (line: Line, index: number, all: readonly Line[]) => ChangeSpec): StateCommand =>
  ({ state, dispatch }) => {
    const { from, to } = state.selection.main
    const first = state.doc.lineAt(from).number
    const last = state.doc.lineAt(to).number
    const lines = Array.from({ length: last - first + 1 }, (_, at) => state.doc.line(first + at))
    const filled = lines.length > 1 ? lines.filter(({ text }) => text.trim()) : lines
    dispatch(
      state.update({
        changes: filled.map((line, at) => change(line, at, filled)),
        ...{ userEvent: 'input', scrollIntoView: true },
      }),
    )
    return true
  }

/** Gives the lines a prefix, or removes it if they all have it. */
const togglePrefix = (isPrefix: RegExp, prefix: (index: number) => string) =>
  changeLines(({ from, text }, index, all) => {
    const match = PREFIX.exec(text)!
    const start = from + match[1]!.length
    const end = start + (match[2]?.length ?? 0)
    const isSet = all.every((line) => isPrefix.test(line.text))
    return { from: start, to: end, insert: isSet ? '' : prefix(index) }
  })

export const toggleHeading = (level: number) =>
  togglePrefix(new RegExp(`^\\s*#{${level}}\\s`), () => `${'#'.repeat(level)} `)
export const toggleBullets = togglePrefix(/^\s*[-*+]\s+(?!\[[ xX]\]\s)/, () => '- ')
export const toggleNumbers = togglePrefix(/^\s*\d+[.)]\s/, (index) => `${index + 1}. `)
export const toggleChecklist = togglePrefix(/^\s*[-*+]\s+\[[ xX]\]\s/, () => '- [ ] ')
export const toggleQuote = changeLines(({ from, text }, _, all) =>
  all.every((line) => line.text.startsWith('>'))
    ? { from, to: from + /^>\s?/.exec(text)![0].length }
    : { from, insert: '> ' },
)

const ITEM = /^(\s*)([-*+]|\d+[.)])(\s+)(\[[ xX]\]\s+)?/

/** Indents list items below the item above them, or takes them out again. */
export const indentItems =
  (by: -1 | 1): StateCommand =>
  ({ state, dispatch }) => {
    const { main } = state.selection
    const first = state.doc.lineAt(main.from)
    if (!ITEM.test(first.text)) return false
    const width = indentWidth(first.number > 1 ? state.doc.line(first.number - 1).text : '', by)
    const change = changeLines(({ from, text }) => {
      if (by > 0) return { from, insert: ' '.repeat(width) }
      const space = /^( {1,4}|\t)/.exec(text)?.[0] ?? ''
      return { from, to: from + Math.min(space.length, outdentWidth(text)) }
    })
    return change({ state, dispatch })
  }

/** A nested item begins below the text of the item above it. */
function indentWidth(above: string, by: -1 | 1): number {
  const item = ITEM.exec(above)
  if (by < 0 || !item) return 2
  return item[2]!.length + 1
}

const outdentWidth = (text: string) => (/^\s*\d/.test(text) ? 4 : 2)

/** Backspace behind a mark removes the mark, after it has taken a nested item out. */
export const removeMarker: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  const line = state.doc.lineAt(main.head)
  const item = ITEM.exec(line.text)
  if (!main.empty || !item || main.head !== line.from + item[0].length) return false
  if (item[1]) return indentItems(-1)({ state, dispatch })
  dispatch(
    state.update({
      changes: { from: line.from, to: main.head },
      ...{ userEvent: 'delete.backward', scrollIntoView: true },
    }),
  )
  return true
}

/** Puts a block of text on lines of its own; `|` marks where the cursor goes. */
export const insertBlock =
  (template: string, from: number, to: number): StateCommand =>
  ({ state, dispatch }) => {
    const line = state.doc.lineAt(from)
    const isInText = state.sliceDoc(line.from, from).trim() !== ''
    const before = isInText ? '\n\n' : ''
    const after = state.sliceDoc(to, line.to).trim() ? '\n\n' : ''
    const cursor = template.indexOf('|')
    const text = template.replace('|', '')
    const anchor = from + before.length + (cursor < 0 ? text.length : cursor)
    dispatch(
      state.update({
        changes: { from, to, insert: before + text + after },
        selection: EditorSelection.cursor(anchor),
        ...{ userEvent: 'input.complete', scrollIntoView: true },
      }),
    )
    return true
  }
