import type { CustomField, Task } from '../../record.ts'
import { cut } from './texts.ts'

type FieldValue = NonNullable<Task['fields']>[number]
type FieldType = CustomField['type']

const MAX_OPTIONS = 100
const MAX_OPTION = 100

interface Definition {
  name: string
  type: FieldType
  options: Set<string>
  /** Values that are not texts; they become texts if the field turns out to be one. */
  values: FieldValue[]
}

/** The custom fields of a board: as many as its tasks have values for. */
export class CustomFields {
  private readonly byName = new Map<string, Definition>()

  /** The options of a select field in their order, also those without a task. */
  declare(name: string, options: readonly string[]): void {
    const definition = this.define(name, 'select')
    for (const option of options) if (option) definition?.options.add(option)
  }

  /** The value of a task, as a list that is empty if there is none. */
  value(name: string, type: FieldType, value: string | number | boolean | undefined): FieldValue[] {
    if (value === undefined || value === '') return []
    const definition = this.define(name, type)
    if (!definition) return []
    if (definition.type === 'select') definition.options.add(String(value))
    else if (definition.type !== type) makeText(definition)
    const isText = definition.type === 'select' || definition.type === 'text'
    const text = isText || typeof value === 'string' ? cut(String(value), 10_000) : value
    const result: FieldValue = { name: definition.name, value: text }
    if (typeof text !== 'string') definition.values.push(result)
    return [result]
  }

  list(): CustomField[] {
    return [...this.byName.values()].map(({ name, type, options }) =>
      type === 'select' && isSelect(options)
        ? { name, type, options: [...options] }
        : { name, type: type === 'select' ? 'text' : type },
    )
  }

  private define(wanted: string, type: FieldType): Definition | undefined {
    const name = cut(wanted.trim(), 100)
    if (!name) return
    const known = this.byName.get(name.toLowerCase())
    const definition = known ?? { name, type, options: new Set<string>(), values: [] }
    if (!known) this.byName.set(name.toLowerCase(), definition)
    return definition
  }
}

function makeText(definition: Definition): void {
  definition.type = 'text'
  for (const result of definition.values.splice(0)) result.value = String(result.value)
}

const isSelect = (options: ReadonlySet<string>) =>
  options.size <= MAX_OPTIONS && [...options].every((option) => option.length <= MAX_OPTION)
