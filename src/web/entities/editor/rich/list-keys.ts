import { EditorSelection, Prec, type StateCommand } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { removeMarker } from './format-commands.ts'

const MARKER = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/

/** The beginning of an item is behind its bullet, which looks like no part of the text. */
const toTextStart: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  const marker = MARKER.exec(line.text)?.[0]
  if (!marker || ranges.length > 1) return false
  const selection = EditorSelection.cursor(line.from + marker.length)
  dispatch(state.update({ selection, userEvent: 'select', scrollIntoView: true }))
  return true
}

export const listKeys = Prec.high(
  keymap.of([
    { key: 'Home', run: toTextStart },
    { key: 'Backspace', run: removeMarker },
  ]),
)
