import { Suspense } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'
import type { Place } from './reports.ts'

const PeopleHere = lazyComponent(() => import('./people-here.tsx'))

/** The others who are here now. Nothing waits for it. */
export const Presence = (place: Place) => (
  <Suspense>
    <PeopleHere {...place} />
  </Suspense>
)
