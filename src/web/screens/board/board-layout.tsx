import { Suspense } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { ColumnsView } from './columns-view.tsx'
import type { BoardLayoutProps } from './layout-props.ts'
import { ListView } from './list.tsx'

const Lanes = lazyComponent(() => import('./lanes/view.tsx'))
const Calendar = lazyComponent(() => import('./calendar/view.tsx'))
const Timeline = lazyComponent(() => import('./timeline/view.tsx'))

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
