import { EditorSelection, type StateCommand } from '@codemirror/state'

/** Wraps the selection in a Markdown mark, or unwraps it if it already is. */
export const toggleMark =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const size = mark.length
    const change = state.changeByRange(({ from, to }) => {
      const isWrapped =
        state.sliceDoc(from - size, from) === mark && state.sliceDoc(to, to + size) === mark
      if (isWrapped)
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

/** Turns the selection into a Markdown link and selects the URL, which is typed next. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main
  const label = state.sliceDoc(from, to)
  const insert = `[${label}](https://)`
  const start = from + (label ? label.length + 3 : 1)
  dispatch(
    state.update({
      changes: { from, to, insert },
      selection: label ? { anchor: start, head: start + 8 } : { anchor: start },
      userEvent: 'input',
    }),
  )
  return true
}

const ITEM = /^(\s*(?:>\s?)*)(?:([-*+])|(\d+)([.)]))(\s+)(?:\[[ xX]\]\s+)?/
const QUOTE = /^(\s*(?:>\s?)+)/

/** The prefix of a list item or a quote, and the prefix that the next line gets. */
function linePrefix(line: string): { current: string; next: string } | undefined {
  const item = ITEM.exec(line)
  if (item) {
    const [current, before, bullet, number, dot, space] = item
    const box = /\]\s+$/.test(current) ? '[ ] ' : ''
    return { current, next: `${before}${bullet ?? `${Number(number) + 1}${dot}`}${space}${box}` }
  }
  const quote = QUOTE.exec(line)
  return quote ? { current: quote[0], next: quote[0] } : undefined
}

/** Enter continues a list or a quote; on an empty item it ends it. */
export const continueList: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  const prefix = linePrefix(line.text)
  if (!prefix || !main.empty || ranges.length > 1) return false
  if (main.head < line.from + prefix.current.length) return false
  const isEmpty = prefix.current.length === line.length
  const change = isEmpty
    ? { from: line.from, to: line.to, insert: '\n' }
    : { from: main.head, insert: `\n${prefix.next}` }
  const anchor = isEmpty ? line.from + 1 : main.head + prefix.next.length + 1
  dispatch(
    state.update({
      ...{ changes: change, selection: { anchor }, userEvent: 'input', scrollIntoView: true },
    }),
  )
  return true
}
