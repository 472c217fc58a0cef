import { taskFields } from '../../data/task-fields.ts' with { type: 'macro' }
import { t } from '../../messages/t.ts'
import { PRIORITIES, Priority } from './priority.tsx'

const LABELS: Record<string, string> = { priority: t('common.priority'), size: t('common.size') }

export const TASK_FIELDS = taskFields().map((field) => ({ ...field, label: LABELS[field.noun]! }))
export type TaskField = (typeof TASK_FIELDS)[number]
type Mode = NonNullable<TaskField['mode']>

/** The choices with their English names, which filters contain. */
export const englishChoicesOf = ({ control }: TaskField) =>
  'choices' in control ? control.choices : []

export const choicesOf = (field: TaskField) =>
  englishChoicesOf(field).map(({ value, name }) => ({
    value,
    name: field.name === 'priority' ? PRIORITIES[value]! : value ? name : t('task.no_size'),
  }))

/** The choices of a field as a picker shows them. */
export const markedChoicesOf = (field: TaskField) =>
  choicesOf(field).map((choice) => ({
    ...choice,
    ...(field.name === 'priority' && { mark: <Priority value={choice.value} /> }),
  }))

/** The name of a value. 0 means that the field is not set. */
export const valueName = (field: TaskField, value: number) =>
  choicesOf(field).find((choice) => choice.value === value)?.name ?? String(value)

/** The message about a new value of a field. */
export const changeText = (field: TaskField, value: number, name: string) =>
  value
    ? t('board.set_field_of_name', { field: field.noun, name, value: valueName(field, value) })
    : t('board.removed_field_from_name', { field: field.noun, name })

/** A table with an entry for the sorting mode of each field. */
export const byMode = <V,>(make: (field: TaskField) => V) =>
  Object.fromEntries(
    TASK_FIELDS.flatMap((field) => (field.mode ? [[field.mode, make(field)]] : [])),
  ) as Record<Mode, V>
