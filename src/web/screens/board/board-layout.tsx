import { Suspense } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { ColumnsView } from './columns/columns-view.tsx'
import type { BoardLayoutProps } from './layout-props.ts'

const Table = lazyComponent(() => import('./table/view.tsx'))
const Lanes = lazyComponent(() => import('./lanes/view.tsx'))
const Calendar = lazyComponent(() => import('./calendar/view.tsx'))
const Timeline = lazyComponent(() => import('./timeline/view.tsx'))

/** The layouts that are loaded on demand; without lanes, a board is not. */
export const LAYOUTS = { board: Lanes, list: Table, calendar: Calendar, timeline: Timeline }

/** Draws the board in the chosen layout. */
export function BoardLayout(props: BoardLayoutProps) {
  const { boardQuery, shown, columns, columnState, board, controls, onMove, ...others } = props
  const { onChange, onLeave, ...rest } = others
  const { layout, lanes } = boardQuery
  if (layout === 'board' && !lanes)
    return <ColumnsView {...{ columns, shown, boardQuery, columnState }} {...rest} />
  const LazyLayout = LAYOUTS[layout]
  return (
    <Suspense>
      <LazyLayout {...props} />
    </Suspense>
  )
}
