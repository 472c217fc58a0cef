import { memo, Suspense } from 'react'
import { isEmptyFilter } from '../../../entities/task/condition/filter.ts'
import { lazyComponent } from '../../../kit/lazy-component.ts'
import { OverlayLoading } from '../../../kit/overlay-loading.tsx'
import type { FilterBarProps } from './filters.tsx'

export const FilterBar = lazyComponent(() => import('./filters.tsx'))

/** The filter bar, while there is a filter or somebody enters one. */
export const Chips = memo(function Chips(props: FilterBarProps) {
  const { boardQuery, isOpen, onClose } = props
  if (isEmptyFilter(boardQuery.filter) && !isOpen) return null
  return (
    <Suspense
      fallback={<div className="chips">{isOpen && <OverlayLoading onLeave={onClose} />}</div>}
    >
      <FilterBar {...props} />
    </Suspense>
  )
})
