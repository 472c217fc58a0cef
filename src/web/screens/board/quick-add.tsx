import { Suspense } from 'react'
import type { Column } from '../../entities/board/data.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { OverlayLoading } from '../../kit/overlay-loading.tsx'
import type { NewTaskDefaults } from './create-task.ts'

export const QuickAddField = lazyComponent(() => import('./quick-add-field.tsx'))

export interface QuickAddProps {
  project_id: number
  column: Pick<Column, 'section_id' | 'title'>
  newTaskDefaults: NewTaskDefaults
  /** A name for the place, if it is not just a column. */
  placeName?: string
  onCreated?: ((task_id: number) => void) | undefined
  onAdded(): void
  onClose(): void
  /** The server refused a task; its title is in the field again. */
  onRefused(): void
}

/** A field for new tasks: Enter creates one, and the field stays open. */
export const QuickAdd = (props: QuickAddProps) => (
  <Suspense fallback={<OverlayLoading onLeave={props.onClose} />}>
    <QuickAddField {...props} />
  </Suspense>
)
