import { Suspense } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'
import type { ConflictProps } from './conflict-view.tsx'

const ConflictView = lazyComponent(() => import('./conflict-view.tsx'))

/** Shows both texts after an edit conflict, and the ways to resolve it. */
export const Conflict = (props: ConflictProps) => (
  <Suspense>
    <ConflictView {...props} />
  </Suspense>
)
