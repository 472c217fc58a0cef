import type { Label } from '../../entities/board/data.ts'
import { DUES, STATES } from '../../entities/task/filter-values.ts'
import { PRIORITIES } from '../../entities/task/priority.tsx'
import { type Actor, type ActorKey, keyOf } from '../../entities/user/avatar.tsx'
import { t } from '../../messages/t.ts'
import { SIZES } from './change.ts'
import { type Filter, KINDS, type Kind } from './filter.ts'

export interface Names {
  actors: ReadonlyMap<ActorKey, Actor>
  labels: ReadonlyMap<number, Label>
  members: readonly Actor[]
}

export const KIND_NAMES: Record<Kind, string> = {
  assignee: t('board.assignee'),
  label: t('common.label'),
  priority: t('common.priority'),
  size: t('common.size'),
  due: t('common.due'),
  is: t('common.state'),
}

const ASSIGNEE_NAMES: Record<string, string> = { me: t('board.me'), none: t('common.nobody') }

/** The name of a filter value. */
export function valueName(kind: Kind, value: string, { actors, labels, members }: Names): string {
  switch (kind) {
    case 'assignee': {
      const isValue = (actor: Actor) => String(keyOf(actor)) === value
      const found = members.find(isValue) ?? [...actors.values()].find(isValue)
      return ASSIGNEE_NAMES[value] ?? found?.name ?? t('common.former_member')
    }
    case 'label':
      return value === 'none'
        ? t('board.no_label')
        : (labels.get(Number(value))?.name ?? t('board.deleted_label'))
    case 'priority':
      return PRIORITIES[Number(value)] ?? value
    case 'size':
      return SIZES[Number(value)] || t('board.no_size')
    case 'due':
      return DUES[value as keyof typeof DUES] ?? value
    case 'is':
      return STATES[value as keyof typeof STATES] ?? value
  }
}

export const activeKinds = (filter: Filter): Kind[] => KINDS.filter((kind) => filter[kind].length)
