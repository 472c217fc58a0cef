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
    else if (definition.type !== type) definition.type = 'text'
    const fitting = typeof value === 'string' ? cut(value, 10_000) : value
    return [{ name: definition.name, value: fitting }]
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
    const definition = known ?? { name, type, options: new Set<string>() }
    if (!known) this.byName.set(name.toLowerCase(), definition)
    return definition
  }
}

const isSelect = (options: ReadonlySet<string>) =>
  options.size <= MAX_OPTIONS && [...options].every((option) => option.length <= MAX_OPTION)
