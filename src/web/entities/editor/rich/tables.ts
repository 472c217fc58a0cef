import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import {
  type EditorState,
  type Extension,
  Prec,
  type Range,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  type KeyBinding,
  keymap,
} from '@codemirror/view'
import { addRow } from './table-edit.ts'
import { parseTable } from './table-model.ts'
import { enterTable, TableWidget } from './table-widget.ts'

interface Tables {
  shown: DecorationSet
  /** Where the table begins that somebody is typing. It stays source until the cursor leaves it. */
  typedAt?: number | undefined
}

type IsTyped = (from: number, to: number) => boolean

function tablesIn(state: EditorState, isTyped: IsTyped = () => false): Tables {
  const { doc } = state
  const tables: Range<Decoration>[] = []
  let typedAt: number | undefined
  const cursor = syntaxTree(state).cursor()
  if (!cursor.firstChild()) return { shown: Decoration.none }
  do {
    if (cursor.name !== 'Table') continue
    const { from } = doc.lineAt(cursor.from)
    const { to } = doc.lineAt(cursor.to)
    const source = doc.sliceString(from, to)
    const table = parseTable(source)
    if (!table) continue
    if (isTyped(from, to)) {
      typedAt = from
      continue
    }
    const widget = new TableWidget(source, table)
    tables.push(Decoration.replace({ widget, block: true }).range(from, to))
  } while (cursor.nextSibling())
  return { shown: Decoration.set(tables), typedAt }
}

/** The table that is typed is finished, also while the cursor is in it. */
const finishTable = StateEffect.define()

/** Tells which table is being typed: one with the cursor that was not shown as a table before. */
function typing({ shown, typedAt }: Tables, tr: Transaction): IsTyped {
  const before = shown.map(tr.changes)
  const typedBefore = typedAt === undefined ? undefined : tr.changes.mapPos(typedAt, -1)
  const isFinished = tr.effects.some((effect) => effect.is(finishTable))
  const { head } = tr.state.selection.main
  return (from, to) => {
    if (isFinished || head < from || head > to) return false
    if (!tr.isUserEvent('input.type') && typedBefore !== from) return false
    let wasShown = false
    before.between(from, to, () => {
      wasShown = true
    })
    return !wasShown
  }
}

/** The tables outside of lists and quotes. Those are few, so all are known at any time. */
const tableField = StateField.define<Tables>({
  create(state) {
    ensureSyntaxTree(state, Math.min(state.doc.length, 5000), 20)
    return tablesIn(state)
  },
  update(tables, tr) {
    const isParsed = syntaxTree(tr.startState) !== syntaxTree(tr.state)
    const isLeft = tables.typedAt !== undefined && (tr.selection || tr.effects.length)
    if (!tr.docChanged && !isParsed && !isLeft) return tables
    return tablesIn(tr.state, typing(tables, tr))
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ shown }) => shown),
    EditorView.atomicRanges.of(({ state }) => state.field(field).shown),
  ],
})

/** The arrow keys go from the lines around a table into its cells. */
const enter =
  (forward: boolean): KeyBinding['run'] =>
  (view) => {
    const { main } = view.state.selection
    if (!main.empty) return false
    const next = view.moveVertically(main, forward)
    const [from, to] = forward ? [main.head, next.head + 1] : [next.head - 1, main.head]
    let found: number | undefined
    view.state.field(tableField).shown.between(Math.max(0, from), to, (start, end) => {
      if (forward ? start > main.head : end < main.head) found = start
      return forward ? false : undefined
    })
    return found !== undefined && enterTable(view, found, forward ? 'first' : 'last')
  }

/** The beginning of the table that ends directly before a line. */
function tableBefore(state: EditorState, position: number): number | undefined {
  const line = state.doc.lineAt(position)
  let found: number | undefined
  state.field(tableField).shown.between(Math.max(0, line.from - 1), line.from, (from, to) => {
    if (to === line.from - 1) found = from
  })
  return found
}

/** Backspace would append the line to the last row. It goes into the table instead. */
const backspace: KeyBinding['run'] = (view) => {
  const { main } = view.state.selection
  const isAtStart = main.empty && view.state.doc.lineAt(main.head).from === main.head
  const table = isAtStart ? tableBefore(view.state, main.head) : undefined
  return table !== undefined && enterTable(view, table, 'last')
}

/** Enter in a table that is being typed adds a row, and goes on in the cells of that row. */
const addTypedRow: KeyBinding['run'] = (view) => {
  const { state } = view
  const { typedAt } = state.field(tableField)
  if (typedAt === undefined) return false
  const { to } = state.doc.lineAt(state.selection.main.head)
  const table = parseTable(state.doc.sliceString(typedAt, to))
  if (!table) return false
  const changes = addRow(table, table.rows.length, typedAt)
  view.dispatch({ changes, effects: finishTable.of(null), userEvent: 'input' })
  return enterTable(view, typedAt, 'last')
}

/** Text on the line after a table would become a row, so an empty line is left between them. */
const separateText = EditorView.inputHandler.of((view, from, to, text) => {
  const isEmptyLine = !view.state.doc.lineAt(from).text.trim()
  if (!isEmptyLine || tableBefore(view.state, from) === undefined) return false
  const anchor = from + text.length + 1
  const changes = { from, to, insert: `\n${text}` }
  view.dispatch({ changes, selection: { anchor }, userEvent: 'input.type', scrollIntoView: true })
  return true
})

export const tables: Extension = [
  tableField,
  separateText,
  Prec.high(
    keymap.of([
      { key: 'ArrowDown', run: enter(true) },
      { key: 'ArrowUp', run: enter(false) },
      { key: 'Backspace', run: backspace },
      { key: 'Enter', run: addTypedRow },
    ] as KeyBinding[]),
  ),
]
