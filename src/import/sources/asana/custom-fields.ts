import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import type { TypedValue } from '../shared/task-limits.ts'

/** The custom fields of a task; the one named Priority is its priority. */
export function customFields(task: Json): { priority?: string; fields: TypedValue[] } {
  const fields = objectsOf(task.custom_fields).flatMap((field) => typedField(field) ?? [])
  const priority = fields.find(({ name, type }) => type === 'select' && /^priority$/i.test(name))
  if (!priority) return { fields }
  return { priority: String(priority.value), fields: fields.filter((field) => field !== priority) }
}

function typedField(field: Json): TypedValue | undefined {
  const name = stringOf(field.name)
  const number = numberOf(field.number_value)
  if (!name) return undefined
  if (number !== undefined) return { name, type: 'number', value: number }
  const choice = stringOf(objectOf(field.enum_value).name)
  if (choice) return { name, type: 'select', value: choice }
  const date = objectOf(field.date_value)
  const day = stringOf(date.date_time) || stringOf(date.date)
  if (day) return { name, type: 'date', value: day }
  const list = [...objectsOf(field.multi_enum_values), ...objectsOf(field.people_value)]
  const names = list.map((item) => stringOf(item.name)).filter(Boolean)
  const text = names.join(', ') || stringOf(field.text_value) || stringOf(field.display_value)
  return text ? { name, type: 'text', value: text } : undefined
}
