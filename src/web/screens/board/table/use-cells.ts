import { useCallback, useEffectEvent, useMemo, useState } from 'react'
import type { TableColumn } from './column-list.ts'
import type { Line } from './lines.ts'
import type { Row } from './types.ts'

/** A cell, by the key of its line and the name of its field. */
export interface CellAddress {
  line: string
  field: string
}

/** The line above the rows, with the names of the fields. */
export const HEAD = 'head'

/** A rectangle of cells, by the indexes of lines and columns. */
export interface Range {
  top: number
  bottom: number
  left: number
  right: number
}

export interface Editing extends CellAddress {
  /** What was typed to begin the edit; it replaces the value. */
  text: string | undefined
}

interface State {
  focus: CellAddress
  /** The opposite corner of the selected range. */
  anchor: CellAddress
}

/** The focused cell, the selected range and the cell that is edited. */
export function useCells(lines: readonly Line[], columns: readonly TableColumn[]) {
  const [state, setState] = useState<State>()
  const [editing, setEditing] = useState<Editing>()
  const indexes = useMemo(() => new Map(lines.map(({ key }, at) => [key, at])), [lines])
  const columnOf = (name: string) => columns.findIndex(({ field }) => field.name === name)
  const lineOf = (key: string) => (key === HEAD ? -1 : indexes.get(key))
  const range = rangeOf(state, lineOf, columnOf)
  const focusCell = useCallback((focus: CellAddress, extend = false) => {
    setState((before) => ({ focus, anchor: extend && before ? before.anchor : focus }))
  }, [])
  const move = (dx: number, dy: number, extend = false): CellAddress | undefined => {
    const next = neighbour({ state, lines, columns, lineOf, columnOf }, dx, dy, extend)
    if (next) focusCell(next, extend)
    return next
  }
  const rowsIn = useEffectEvent((within: Range | undefined = range): Row[] =>
    within
      ? lines
          .slice(Math.max(0, within.top), within.bottom + 1)
          .flatMap((line) => (line.type === 'row' ? line.row : []))
      : [],
  )
  return {
    ...{ focus: state?.focus, range, focusCell, move, editing, setEditing, lineOf, columnOf },
    rowsIn,
    isRange: range !== undefined && (range.top < range.bottom || range.left < range.right),
    collapse: () => setState((before) => before && { ...before, anchor: before.focus }),
  }
}
export type Cells = ReturnType<typeof useCells>

function rangeOf(
  state: State | undefined,
  lineOf: (key: string) => number | undefined,
  columnOf: (name: string) => number,
): Range | undefined {
  if (!state) return undefined
  const { focus, anchor } = state
  const [line, other] = [lineOf(focus.line), lineOf(anchor.line) ?? lineOf(focus.line)]
  if (line === undefined || other === undefined) return undefined
  const [column, end] = [columnOf(focus.field), columnOf(anchor.field)].map((at) => Math.max(0, at))
  return {
    ...{ top: Math.min(line, other), bottom: Math.max(line, other) },
    ...{ left: Math.min(column!, end!), right: Math.max(column!, end!) },
  }
}

interface Grid {
  state: State | undefined
  lines: readonly Line[]
  columns: readonly TableColumn[]
  lineOf(key: string): number | undefined
  columnOf(name: string): number
}

/** The cell so many steps away; at an edge the last one. Selecting skips the heads of groups. */
function neighbour(
  { state, lines, columns, lineOf, columnOf }: Grid,
  dx: number,
  dy: number,
  extend: boolean,
): CellAddress | undefined {
  const first = extend ? lines.findIndex(({ type }) => type === 'row') : -1
  const from = state ? (lineOf(state.focus.line) ?? 0) : -1
  let at = Math.min(lines.length - 1, Math.max(first, from + dy))
  if (extend) {
    const step = Math.sign(dy) || 1
    while (lines[at] && lines[at]!.type !== 'row') at += step
    if (!lines[at]) return undefined
  }
  const column = state ? Math.max(0, columnOf(state.focus.field)) : columnOf('title')
  const to = Math.min(columns.length - 1, Math.max(0, column + dx))
  return { line: at < 0 ? HEAD : lines[at]!.key, field: columns[to]!.field.name }
}
