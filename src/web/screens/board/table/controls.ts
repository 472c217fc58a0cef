import type { Card } from '../../../entities/board/data.ts'
import type { LayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { dropRows } from './drop.ts'
import { type Group, leafGroups } from './grouping.ts'
import type { Line } from './lines.ts'
import type { Cells } from './use-cells.ts'
import type { Table } from './use-table.ts'

interface Input {
  props: BoardLayoutProps
  table: Table
  cells: Cells
  canEdit: boolean
}

type RowLine = Extract<Line, { type: 'row' }>
const isRow = (line: Line | undefined): line is RowLine => line?.type === 'row'

/** How the shortcuts of the board and drops work in the table. */
export function controlsOf(input: Input): LayoutControls {
  const { props, table, cells, canEdit } = input
  const { lines } = table
  const drop = dropRows(props, table)
  const indexOf = (task_id: number | undefined) => {
    const focused = cells.focus ? (cells.lineOf(cells.focus.line) ?? -1) : -1
    const line = lines[focused]
    if (task_id === undefined || (isRow(line) && line.row.card.task_id === task_id)) return focused
    return lines.findIndex((one) => isRow(one) && one.row.card.task_id === task_id)
  }
  return {
    step({ dy }) {
      if (!dy) return undefined
      let at = indexOf(props.active) + dy
      while (lines[at] && !isRow(lines[at])) at += dy
      const next = lines[at]
      if (!isRow(next)) return undefined
      cells.focusCell({ line: next.key, field: cells.focus?.field ?? 'title' })
      return next.row.card.task_id
    },
    moveByKeys(card, dx, dy) {
      if (!canEdit) return false
      const line = lines[indexOf(card.task_id)]
      if (!isRow(line)) return false
      return dy ? moveBeside(input, line, dy, drop) : moveAcross(input, line, dx, drop)
    },
    drop: (...args) => {
      if (canEdit) drop(...args)
    },
    create() {
      if (!props.onAdd) return false
      const line = lines[indexOf(undefined)]
      table.setAdding((line?.group ?? leafGroups(table.groups)[0])?.path ?? '')
    },
    changePeriod: () => false,
  }
}

/** Moves a row by one line within its group, or into the group above or below. */
function moveBeside(
  { props, table }: Input,
  line: RowLine,
  dy: number,
  drop: LayoutControls['drop'],
): boolean {
  const { card } = line.row
  const rows = line.group?.rows ?? table.rows
  const at = rows.indexOf(line.row)
  const neighbour = rows[at + dy]?.card
  if (neighbour) {
    if (neighbour.section_id !== card.section_id) return false
    const above = dy < 0 ? neighbour : rows[at + 2]?.card
    const isSame = above?.section_id === card.section_id
    props.onMove(
      [card.task_id],
      { section_id: card.section_id, above_task_id: isSame ? above.task_id : null },
      true,
    )
    return true
  }
  return moveAcross({ props, table }, line, dy, drop)
}

/** Moves a row into the next or the previous group. */
function moveAcross(
  { table }: Pick<Input, 'props' | 'table'>,
  { row, group }: RowLine,
  by: number,
  drop: LayoutControls['drop'],
): boolean {
  const groups = leafGroups(table.groups)
  const target = groups[groups.findIndex((one) => one.path === group?.path) + by]
  if (!target || !group) return false
  drop([row.card.task_id], placementIn(target, row.card, by), { from: group.path, to: target.path })
  return true
}

/** Below the last row of a group above, and above the first row of a group below. */
function placementIn(target: Group, card: Card, by: number) {
  const section_id = target.field.kind === 'section' ? Number(target.key) : card.section_id
  const first = by > 0 ? target.rows[0]?.card : undefined
  return { section_id, above_task_id: first?.task_id ?? null }
}
