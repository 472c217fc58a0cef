import type { CustomField, Task } from '../../record.ts'
import { shorten, uniqueNames } from './names.ts'

export type FieldValues = NonNullable<Task['fields']>
const MAX = { options: 100, name: 100, text: 10_000, url: 2000 }

/** The custom fields that the tasks of a board use. */
export class BoardFields {
  private readonly fields = new Map<string, CustomField>()
  private readonly unique = uniqueNames(MAX.name)

  get list(): CustomField[] {
    return [...this.fields.values()]
  }

  /** The field of that key; it is created at its first use. */
  field(key: string, name: string, type: CustomField['type'], options?: string[]): CustomField {
    const existing = this.fields.get(key)
    if (existing) return existing
    const labels = [...new Set(options?.map((option) => shorten(option.trim(), MAX.name)))]
    const isSelect = type === 'select' && labels.length > 0 && labels.length <= MAX.options
    const field: CustomField = {
      name: this.unique(name),
      type: type === 'select' && !isSelect ? 'text' : type,
      ...(isSelect && { options: labels }),
    }
    this.fields.set(key, field)
    return field
  }
}

/** Adds a value of a field, unless it is empty. */
export function addValue(
  values: FieldValues,
  { name, type }: CustomField,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === '') return
  if (typeof value !== 'string') return void values.push({ name, value })
  const limit = type === 'select' ? MAX.name : MAX.text
  values.push({ name, value: shorten(type === 'select' ? value.trim() : value, limit) })
}
