import type { CustomField } from '../../record.ts'
import type { Report } from '../../source.ts'
import { addValue, type BoardFields, type FieldValues } from '../shared/board-fields.ts'
import { type Json, numberOf, objectOf, objectsOf, sortedBy, stringOf } from '../shared/json.ts'
import { dayOf } from '../shared/times.ts'

const TYPES: Readonly<Record<string, CustomField['type']>> = {
  list: 'select',
  number: 'number',
  date: 'date',
  checkbox: 'checkbox',
  text: 'text',
}

interface Definition {
  field: CustomField
  options: Map<string, string>
}

/** The custom fields that the board declares, by their ids. */
export function declaredFields(board: Json, fields: BoardFields): Map<string, Definition> {
  const definitions = new Map<string, Definition>()
  for (const declared of sortedBy(objectsOf(board.customFields), 'pos')) {
    const id = stringOf(declared.id)
    const options = new Map(
      sortedBy(objectsOf(declared.options), 'pos')
        .map((option) => [stringOf(option.id), stringOf(objectOf(option.value).text)] as const)
        .filter(([, label]) => label.trim()),
    )
    const type = TYPES[stringOf(declared.type)] ?? 'text'
    const field = fields.field(id, stringOf(declared.name), type, [...options.values()])
    definitions.set(id, { field, options })
  }
  return definitions
}

export function addCustomValues(
  card: Json,
  definitions: Map<string, Definition>,
  values: FieldValues,
  report: Report,
): void {
  const set = new Set<CustomField>()
  for (const item of objectsOf(card.customFieldItems)) {
    const definition = definitions.get(stringOf(item.idCustomField))
    if (!definition) {
      report.lose(`A value of card "${stringOf(card.name)}"`, 'its custom field was deleted')
      continue
    }
    if (set.has(definition.field)) continue
    set.add(definition.field)
    addValue(values, definition.field, customValue(item, definition))
  }
}

function customValue(item: Json, { field, options }: Definition) {
  const value = objectOf(item.value)
  if (item.idValue) return options.get(stringOf(item.idValue))
  switch (field.type) {
    case 'number':
      return numberOf(value.number)
    case 'date':
      return dayOf(value.date)
    case 'checkbox':
      return value.checked === undefined ? undefined : String(value.checked) === 'true'
    default:
      return stringOf(value.text)
  }
}
