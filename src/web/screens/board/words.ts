import type { Label } from '../../entities/board/data.ts'
import { DUES, STATES } from '../../entities/task/filter-values.ts'
import { PRIORITIES } from '../../entities/task/priority.tsx'
import { type Actor, type ActorKey, keyOf } from '../../entities/user/avatar.tsx'
import { SIZES } from './change.ts'
import { type Filter, KINDS, type Kind } from './filter.ts'

export interface Names {
  actors: ReadonlyMap<ActorKey, Actor>
  labels: ReadonlyMap<number, Label>
  members: readonly Actor[]
}

export const KIND_NAMES: Record<Kind, string> = {
  assignee: 'Assignee',
  label: 'Label',
  priority: 'Priority',
  size: 'Size',
  due: 'Due',
  is: 'State',
}

const ASSIGNEE_NAMES: Record<string, string> = { me: 'Me', none: 'Nobody' }

/** The name of a filter value. */
export function valueName(kind: Kind, value: string, { actors, labels, members }: Names): string {
  switch (kind) {
    case 'assignee': {
      const isValue = (actor: Actor) => String(keyOf(actor)) === value
      const found = members.find(isValue) ?? [...actors.values()].find(isValue)
      return ASSIGNEE_NAMES[value] ?? found?.name ?? 'Former member'
    }
    case 'label':
      return value === 'none' ? 'No label' : (labels.get(Number(value))?.name ?? 'Deleted label')
    case 'priority':
      return PRIORITIES[Number(value)] ?? value
    case 'size':
      return SIZES[Number(value)] || 'No size'
    case 'due':
      return DUES[value as keyof typeof DUES] ?? value
    case 'is':
      return STATES[value as keyof typeof STATES] ?? value
  }
}

export const activeKinds = (filter: Filter): Kind[] => KINDS.filter((kind) => filter[kind].length)
