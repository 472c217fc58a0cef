import type { CustomField } from '../../record.ts'
import type { BoardFields } from '../shared/board-fields.ts'
import { type Json, objectsOf, sortedBy, stringOf } from '../shared/json.ts'

export interface CustomValue {
  field: CustomField
  value: string
}

/**
 * The values of the custom fields by the ids of the cards. Each card may have groups of fields of
 * its own; groups and fields of the same names share a custom field of the board.
 */
export function valuesByCard(included: Json, fields: BoardFields): Map<string, CustomValue[]> {
  const base = namesOf(included.baseCustomFieldGroups)
  const groups = new Map(
    sortedBy(objectsOf(included.customFieldGroups), 'position').map((group) => [
      stringOf(group.id),
      stringOf(group.name) || base.get(stringOf(group.baseCustomFieldGroupId)) || '',
    ]),
  )
  const names = namesOf(included.customFields)
  const owners = ownersOf(included, groups, names)
  const values = new Map<string, CustomValue[]>()
  for (const value of objectsOf(included.customFieldValues)) {
    const name = names.get(stringOf(value.customFieldId))
    if (name === undefined) continue
    const group = groups.get(stringOf(value.customFieldGroupId)) ?? ''
    const isShared = (owners.get(name)?.size ?? 0) > 1 && group
    const field = fields.field(`${group}\n${name}`, isShared ? `${group}: ${name}` : name, 'text')
    const list = values.get(stringOf(value.cardId)) ?? []
    if (!list.some((other) => other.field === field))
      list.push({ field, value: stringOf(value.content) })
    values.set(stringOf(value.cardId), list)
  }
  return values
}

const namesOf = (list: unknown): Map<string, string> =>
  new Map(
    sortedBy(objectsOf(list), 'position').map(({ id, name }) => [stringOf(id), stringOf(name)]),
  )

/** The names of the groups in which fields of a name have values. */
function ownersOf(included: Json, groups: Map<string, string>, names: Map<string, string>) {
  const owners = new Map<string, Set<string>>()
  for (const value of objectsOf(included.customFieldValues)) {
    const name = names.get(stringOf(value.customFieldId)) ?? ''
    const set = owners.get(name) ?? new Set()
    owners.set(name, set.add(groups.get(stringOf(value.customFieldGroupId)) ?? ''))
  }
  return owners
}
