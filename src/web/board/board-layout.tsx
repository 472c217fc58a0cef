import { Suspense } from 'react'
import { lazyComponent } from '../parts/lazy-component.ts'
import type { BoardQuery } from './board-query.ts'
import type { useColumns } from './columns.ts'
import { ColumnsView, type LayoutProps } from './columns-view.tsx'
import type { Board, Column } from './data.ts'
import type { EditableField } from './keys.ts'
import type { LayoutControlsRef } from './layout-controls.ts'
import { ListView } from './list.tsx'
import type { LaneChange } from './moves.ts'
import type { Spot } from './spot.ts'

const Lanes = lazyComponent(() => import('./lanes/view.tsx'))
const Calendar = lazyComponent(() => import('./calendar/view.tsx'))
const Timeline = lazyComponent(() => import('./timeline/view.tsx'))

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
  onMove(ids: readonly number[], spot: Spot, isStep?: boolean, laneChange?: LaneChange): void
  onChange(what: EditableField, ids: readonly number[]): void
}

/** Draws the board in the chosen layout. */
export function BoardLayout(props: BoardLayoutProps) {
  const { boardQuery, shown, columns, columnState, board, controls, onMove, ...others } = props
  const { onChange, onLeave, ...rest } = others
  const { layout, lanes } = boardQuery
  if (layout === 'list') return <ListView columns={shown} {...rest} />
  if (layout === 'board' && !lanes)
    return <ColumnsView {...{ columns, shown, boardQuery, columnState }} {...rest} />
  const LazyLayout = layout === 'board' ? Lanes : layout === 'calendar' ? Calendar : Timeline
  return (
    <Suspense>
      <LazyLayout {...props} />
    </Suspense>
  )
}
