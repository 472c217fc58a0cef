import { taskFields } from '../../data/task-fields.ts' with { type: 'macro' }
import { Priority } from './priority.tsx'

export const TASK_FIELDS = taskFields()
export type TaskField = (typeof TASK_FIELDS)[number]
type Mode = NonNullable<TaskField['mode']>

export const choicesOf = ({ control }: TaskField) => ('choices' in control ? control.choices : [])

/** The choices of a field as a picker shows them. */
export const markedChoicesOf = (field: TaskField) =>
  choicesOf(field).map((choice) => ({
    ...choice,
    ...(field.name === 'priority' && { mark: <Priority value={choice.value} /> }),
  }))

/** The name of a value. 0 means that the field is not set. */
export const valueName = (field: TaskField, value: number) =>
  choicesOf(field).find((choice) => choice.value === value)?.name ?? String(value)

/** A table with an entry for the sorting mode of each field. */
export const byMode = <V,>(make: (field: TaskField) => V) =>
  Object.fromEntries(
    TASK_FIELDS.flatMap((field) => (field.mode ? [[field.mode, make(field)]] : [])),
  ) as Record<Mode, V>
