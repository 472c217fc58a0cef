import { Suspense } from 'react'
import { part } from '../parts/part.ts'
import type { useColumns } from './columns.ts'
import { ColumnsView, type LayoutProps } from './columns-view.tsx'
import type { Board, Column } from './data.ts'
import type { What } from './keys.ts'
import { ListView } from './list.tsx'
import type { Look } from './look.ts'
import type { Turn } from './moves.ts'
import type { Spot } from './spot.ts'
import type { Helm } from './steering.ts'

const Lanes = part(() => import('./lanes/view.tsx'))
const Calendar = part(() => import('./calendar/view.tsx'))
const Timeline = part(() => import('./timeline/view.tsx'))

/** What every layout that is fetched when it is chosen is given. */
export interface LaidProps extends LayoutProps {
  board: Board
  columns: readonly Column[]
  shown: readonly Column[]
  look: Look
  own: ReturnType<typeof useColumns>
  helm: Helm
  /** The keys are at none of the cards. */
  onLeave(): void
  onMove(ids: readonly number[], spot: Spot, isStep?: boolean, turn?: Turn): void
  onChange(what: What, ids: readonly number[]): void
}

/** The cards, as somebody wants them laid out. */
export function Laid(props: LaidProps) {
  const { look, shown, columns, own, board, helm, onMove, ...others } = props
  const { onChange, onLeave, ...rest } = others
  const { layout, lanes } = look
  if (layout === 'list') return <ListView columns={shown} {...rest} />
  if (layout === 'board' && !lanes)
    return <ColumnsView {...{ columns, shown, look, own }} {...rest} />
  const Other = layout === 'board' ? Lanes : layout === 'calendar' ? Calendar : Timeline
  return (
    <Suspense>
      <Other {...props} />
    </Suspense>
  )
}
