import { Suspense } from 'react'
import { lazyComponent } from '../../../kit/lazy-component.ts'
import { OverlayLoading } from '../../../kit/overlay-loading.tsx'
import type { QuickAddProps } from './quick-add-props.ts'

export const QuickAddField = lazyComponent(() => import('./quick-add-field.tsx'))

/** A field for new tasks: Enter creates one, and the field stays open. */
export const QuickAdd = (props: QuickAddProps) => (
  <Suspense fallback={<OverlayLoading onLeave={props.onClose} />}>
    <QuickAddField {...props} />
  </Suspense>
)
