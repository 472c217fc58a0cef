import type { Column } from '../../../entities/board/data.ts'
import type { NewTaskDefaults } from './create-task.ts'

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
