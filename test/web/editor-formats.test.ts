import { expect, test } from 'bun:test'
import { EditorState, type StateCommand } from '@codemirror/state'
import { matchingEmoji } from '../../src/web/entities/editor/rich/emoji.ts'
import {
  indentItems,
  removeMarker,
  toggleChecklist,
  toggleHeading,
  toggleNumbers,
} from '../../src/web/entities/editor/rich/format-commands.ts'

/** Runs a command on a text; the selection is from the first to the last `^`. */
function run(command: StateCommand, marked: string): string {
  const anchor = marked.indexOf('^')
  const head = Math.max(anchor, marked.lastIndexOf('^') - 1)
  const doc = marked.replaceAll('^', '')
  let state = EditorState.create({ doc, selection: { anchor, head } })
  command({ state, dispatch: (tr) => (state = tr.state) })
  return state.doc.toString()
}

test('a heading replaces the mark of its line, and is removed by the same command', () => {
  expect(run(toggleHeading(2), '- lam^ps')).toBe('## lamps')
  expect(run(toggleHeading(2), '## lam^ps')).toBe('lamps')
})

test('a list is made of the selected lines that are not empty', () => {
  expect(run(toggleNumbers, '^one\n\ntwo^')).toBe('1. one\n\n2. two')
  expect(run(toggleChecklist, '^- one\n- two^')).toBe('- [ ] one\n- [ ] two')
})

test('an item is indented below the text of the item above it, and taken out again', () => {
  expect(run(indentItems(1), '10. one\n11. tw^o')).toBe('10. one\n    11. two')
  expect(run(indentItems(-1), '- one\n  - tw^o')).toBe('- one\n- two')
})

test('Backspace takes a nested item out, then removes its mark', () => {
  expect(run(removeMarker, '- one\n  - ^two')).toBe('- one\n- two')
  expect(run(removeMarker, '- one\n- ^two')).toBe('- one\ntwo')
})

test('emoji whose name begins with what was typed come before others', () => {
  const names = ['thumbsup', 'sun', 'sunflower', 'full_moon_with_sun']
  expect(matchingEmoji(names, 'sun')).toEqual(['sun', 'sunflower', 'full_moon_with_sun'])
})
