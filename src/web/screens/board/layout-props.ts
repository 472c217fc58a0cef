import type { Board, Column } from '../../entities/board/data.ts'
import type { Placement } from '../../entities/board/placement.ts'
import type { BoardQuery } from './board-query.ts'
import type { useColumns } from './columns/columns.ts'
import type { LayoutProps } from './columns/columns-view.tsx'
import type { EditableField } from './keys.ts'
import type { LayoutControlsRef } from './layout-controls.ts'
import type { LaneChange } from './moves.ts'

/** The props of the layouts that are loaded on demand. */
export interface BoardLayoutProps extends LayoutProps {
  board: Board
  columns: readonly Column[]
  shown: readonly Column[]
  boardQuery: BoardQuery
  columnState: ReturnType<typeof useColumns>
  controls: LayoutControlsRef
  /** No card is active any more. */
  onLeave(): void
  onMove(
    ids: readonly number[],
    placement: Placement,
    isStep?: boolean,
    laneChange?: LaneChange,
  ): void
  onChange(what: EditableField, ids: readonly number[]): void
}
