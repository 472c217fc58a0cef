import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect } from 'react'
import type { Card } from '../../../entities/board/data.ts'
import type { Placement } from '../../../entities/board/placement.ts'
import { markOver } from '../../../kit/drag-marks.ts'
import { currentCards } from '../change.ts'
import { autoScroll } from '../drag/auto-scroll.ts'
import type { LayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { type CellEdit, editOf } from './cell-edit.ts'
import { writeCells } from './edit.ts'
import { type Group, valueInGroup } from './grouping.ts'
import type { Table } from './use-table.ts'

/** Makes the head of a group a drop target: rows dropped on it get its value. */
export function useDropOnGroup(ref: RefObject<HTMLElement | null>, group: Group) {
  const section_id = group.field.kind === 'section' ? Number(group.key) : undefined
  useEffect(() => {
    const element = ref.current!
    return combine(
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data.task_id === 'number',
        getData: () => (section_id === undefined ? {} : { section_id }),
        onDrag: () => markOver(element, true),
        onDragLeave: () => markOver(element, false),
        onDrop: () => markOver(element, false),
      }),
      autoScroll(element),
    )
  }, [ref, section_id])
}

/** The group of a path, with the groups that contain it first. */
function groupsAt(groups: readonly Group[] | undefined, path: string | undefined): Group[] {
  for (const group of groups ?? []) {
    if (group.path === path) return [group]
    const inside = groupsAt(group.groups, path)
    if (inside.length) return [group, ...inside]
  }
  return []
}

/**
 * Drops rows into a group. Within its group a row changes its place; in another one it gets the
 * values of that group.
 */
export function dropRows(
  { board, onMove }: Pick<BoardLayoutProps, 'board' | 'onMove'>,
  table: Pick<Table, 'groups' | 'rows' | 'today' | 'groupFields'>,
): LayoutControls['drop'] {
  const { project_id } = board
  return (ids, placement, { from, to }) => {
    const target = groupsAt(table.groups, to)
    const [first, ...others] = target
    if (!first || from === to || (first.field.kind === 'section' && !others.length)) {
      const moved = currentCards(project_id, ids)
      if (placement && staysInColumn(moved, placement, first)) onMove(ids, placement)
      return
    }
    const edits = target.flatMap((group, depth) =>
      editsInto(group, groupsAt(table.groups, from)[depth], { ids, ...table }),
    )
    void writeCells(project_id, edits)
  }
}

/** Outside the groups of columns, a drop orders only rows of one column. */
const staysInColumn = (cards: readonly Card[], { section_id }: Placement, group?: Group) =>
  group?.field.kind === 'section' || cards.every((card) => card.section_id === section_id)

function editsInto(
  group: Group,
  before: Group | undefined,
  { ids, rows, today }: { ids: readonly number[] } & Pick<Table, 'rows' | 'today'>,
): CellEdit[] {
  const { field, key } = group
  if (!field.toChange || before?.key === key) return []
  return rows
    .filter(({ card }) => ids.includes(card.task_id))
    .flatMap((row) => {
      const value = valueInGroup(field, row, { from: before?.key, to: key, today })
      return value === undefined ? [] : editOf(row, field, value)
    })
}
