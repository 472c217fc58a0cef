import { type JsonObject, numberIn, objectIn, objectsIn, stringIn } from '../shared/json-values.ts'
import type { TypedValue } from '../shared/task-limits.ts'

/** The custom fields of a task; the one named Priority is its priority. */
export function customFields(task: JsonObject): { priority?: string; fields: TypedValue[] } {
  const fields = objectsIn(task.custom_fields).flatMap((field) => typedField(field) ?? [])
  const priority = fields.find(({ name, type }) => type === 'select' && /^priority$/i.test(name))
  if (!priority) return { fields }
  return { priority: String(priority.value), fields: fields.filter((field) => field !== priority) }
}

function typedField(field: JsonObject): TypedValue | undefined {
  const name = stringIn(field.name)
  const number = numberIn(field.number_value)
  if (!name) return undefined
  if (number !== undefined) return { name, type: 'number', value: number }
  const choice = stringIn(objectIn(field.enum_value).name)
  if (choice) return { name, type: 'select', value: choice }
  const date = objectIn(field.date_value)
  const day = stringIn(date.date_time) || stringIn(date.date)
  if (day) return { name, type: 'date', value: day }
  const list = [...objectsIn(field.multi_enum_values), ...objectsIn(field.people_value)]
  const names = list.map((item) => stringIn(item.name)).filter(Boolean)
  const text = names.join(', ') || stringIn(field.text_value) || stringIn(field.display_value)
  return text ? { name, type: 'text', value: text } : undefined
}
