import { EditorSelection, type StateCommand } from '@codemirror/state'

/** Puts marks around what is selected, or takes them away. */
export const around =
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
export const link: StateCommand = ({ state, dispatch }) => {
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

const ITEM = /^(\s*(?:>\s?)*)(?:([-*+])|(\d+)([.)]))(\s+)(?:\[[ xX]\]\s+)?/
const QUOTE = /^(\s*(?:>\s?)+)/

/** What the next line of a list or a quote begins with; an item that says nothing ends it. */
function beginOf(line: string): { own: string; next: string } | undefined {
  const item = ITEM.exec(line)
  if (item) {
    const [own, before, bullet, number, dot, space] = item
    const box = /\]\s+$/.test(own) ? '[ ] ' : ''
    return { own, next: `${before}${bullet ?? `${Number(number) + 1}${dot}`}${space}${box}` }
  }
  const quote = QUOTE.exec(line)
  return quote ? { own: quote[0], next: quote[0] } : undefined
}

/** Enter goes on with a list or a quote, and leaves it at an item that is empty. */
export const goOn: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  const begin = beginOf(line.text)
  if (!begin || !main.empty || ranges.length > 1) return false
  if (main.head < line.from + begin.own.length) return false
  const isEmpty = begin.own.length === line.length
  const change = isEmpty
    ? { from: line.from, to: line.to, insert: '\n' }
    : { from: main.head, insert: `\n${begin.next}` }
  const anchor = isEmpty ? line.from + 1 : main.head + begin.next.length + 1
  dispatch(
    state.update({
      ...{ changes: change, selection: { anchor }, userEvent: 'input', scrollIntoView: true },
    }),
  )
  return true
}
