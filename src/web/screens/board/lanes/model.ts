import type { Card, Column, Label } from '../../../entities/board/data.ts'
import { type Actor, type ActorKey, keyOf } from '../../../entities/user/actor.ts'
import { t } from '../../../messages/t.ts'
import type { LaneKind } from '../layout-address.ts'
import type { LaneChange } from '../moves.ts'
import type { NewTaskDefaults } from '../quick-add/create-task.ts'

/** A lane: the cards of one assignee, label or parent, per column. */
export interface Lane {
  key: string
  name: string
  actor?: Actor | undefined
  label?: Label | undefined
  /** The parent task; undefined if it is not on this board. */
  parent?: Card | undefined
  cells: readonly (readonly Card[])[]
  total: number
}

export interface LaneSource {
  columns: readonly Column[]
  /** The people and agents that can be assigned here. */
  members: readonly Actor[]
  actors: ReadonlyMap<ActorKey, Actor>
  labels: ReadonlyMap<number, Label>
  parentOf(card: Card): Card | undefined
  /** Hides empty lanes. */
  isFiltered: boolean
}

export const NONE = 'none'
const NAMES = {
  assignee: t('common.nobody'),
  label: t('board.no_label'),
  parent: t('board.no_parent'),
}

/** The keys of the lanes that contain a card. */
export function laneKeys(kind: LaneKind, card: Card): string[] {
  const { assignees = [], labels = [], parent_task_id } = card
  const keys = {
    assignee: assignees.map(String),
    label: labels.map(String),
    parent: parent_task_id === undefined ? [] : [String(parent_task_id)],
  }[kind]
  return keys.length ? keys : [NONE]
}

type Head = Omit<Lane, 'cells' | 'total'>

/** The lanes that exist even if they are empty, in order. */
function laneHeads(kind: LaneKind, { members, labels, columns, parentOf }: LaneSource): Head[] {
  if (kind === 'assignee')
    return members.map((actor) => ({ key: String(keyOf(actor)), name: actor.name, actor }))
  if (kind === 'label')
    return [...labels.values()].map((label) => ({
      ...{ key: String(label.label_id), name: label.name ?? '', label },
    }))
  const cards = columns.flatMap((column) => column.cards)
  const first = new Map(cards.map((card) => [card.parent_task_id, card]))
  return [...first].flatMap(([id, card]) => {
    if (id === undefined) return []
    const parent = parentOf(card)
    return { key: String(id), name: parent?.title ?? t('board.task_not_shown_here'), parent }
  })
}

/** The lanes of a board; the lane for cards without a value is last. */
export function lanesOf(kind: LaneKind, source: LaneSource): Lane[] {
  const { columns, actors, isFiltered } = source
  const cells = new Map<string, Card[][]>()
  const cellsOf = (key: string) => {
    const row = cells.get(key) ?? columns.map(() => [])
    cells.set(key, row)
    return row
  }
  for (const [at, column] of columns.entries())
    for (const card of column.cards)
      for (const key of laneKeys(kind, card)) cellsOf(key)[at]!.push(card)
  const heads = laneHeads(kind, source)
  const headKeys = new Set(heads.map(({ key }) => key))
  // Former members keep a lane while they have tasks on the board.
  const removed = [...cells.keys()]
    .filter((key) => key !== NONE && !headKeys.has(key))
    .map((key): Head => {
      const actor = actors.get(key) ?? actors.get(Number(key))
      return { key, actor, name: actor?.name ?? t('common.former_member') }
    })
  return [...heads, ...removed, { key: NONE, name: NAMES[kind] }]
    .map((head) => ({ ...head, cells: cellsOf(head.key) }))
    .map((lane) => ({ ...lane, total: lane.cells.reduce((sum, cards) => sum + cards.length, 0) }))
    .filter(({ total, key }) => total > 0 || (!isFiltered && key !== NONE))
}

const swapValue = <T>(values: readonly T[] = [], oldValue: T | undefined, newValue: T): T[] => [
  ...values.filter((value) => value !== oldValue && value !== newValue),
  newValue,
]
const without = <K extends keyof Card>(card: Card, name: K): Card => {
  const rest = { ...card }
  delete (rest as Partial<Card>)[name]
  return rest
}

/** How a card changes when it moves to another lane. */
export function laneChangeOf(kind: LaneKind, from: string | undefined, to: Lane): LaneChange {
  const key = to.key
  if (kind === 'parent')
    return {
      to: to.parent ? to.parent.ticket_number : to.name,
      of: (card) =>
        key === NONE ? without(card, 'parent_task_id') : { ...card, parent_task_id: Number(key) },
    }
  if (kind === 'label')
    return {
      to: to.name,
      of: (card) =>
        key === NONE
          ? without(card, 'labels')
          : { ...card, labels: swapValue(card.labels, Number(from), Number(key)) },
    }
  const asKey = (value: string) => (/^\d+$/.test(value) ? Number(value) : value)
  return {
    to: to.name,
    of: (card) =>
      key === NONE
        ? without(card, 'assignees')
        : { ...card, assignees: swapValue(card.assignees, from && asKey(from), asKey(key)) },
  }
}

/** The initial values of a new task in a lane. */
export function laneDefaults(
  kind: LaneKind,
  { key, actor }: Lane,
  newTaskDefaults: NewTaskDefaults,
): NewTaskDefaults {
  if (key === NONE) return newTaskDefaults
  if (kind === 'parent') return { ...newTaskDefaults, parent_task_id: Number(key) }
  if (kind === 'label')
    return {
      ...newTaskDefaults,
      labels: [...new Set([...(newTaskDefaults.labels ?? []), Number(key)])],
    }
  return actor?.user_id === undefined
    ? newTaskDefaults
    : {
        ...newTaskDefaults,
        assignee_ids: [...new Set([...(newTaskDefaults.assignee_ids ?? []), actor.user_id])],
      }
}
