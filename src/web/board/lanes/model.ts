import { type Actor, type ActorKey, keyOf } from '../../parts/avatar.tsx'
import type { Card, Column, Label } from '../data.ts'
import type { LaneKind } from '../layouts.ts'
import type { Turn } from '../moves.ts'
import type { Usual } from '../quick-add.tsx'

/** A row of a board: what belongs to one of them, in each column. */
export interface Lane {
  key: string
  name: string
  actor?: Actor | undefined
  label?: Label | undefined
  /** The task that all in it are a part of; not there where it is not on this board. */
  parent?: Card | undefined
  cells: readonly (readonly Card[])[]
  total: number
}

export interface World {
  columns: readonly Column[]
  /** All who can be given a task here. */
  members: readonly Actor[]
  actors: ReadonlyMap<ActorKey, Actor>
  labels: ReadonlyMap<number, Label>
  parentOf(card: Card): Card | undefined
  /** Leaves out lanes in which nothing is. */
  isNarrow: boolean
}

export const NONE = 'none'
const NAMES = { assignee: 'Nobody', label: 'No label', parent: 'No parent' }

/** The lanes that a card stands in. */
export function keysOf(kind: LaneKind, card: Card): string[] {
  const { assignees = [], labels = [], parent_task_id } = card
  const keys = {
    assignee: assignees.map(String),
    label: labels.map(String),
    parent: parent_task_id === undefined ? [] : [String(parent_task_id)],
  }[kind]
  return keys.length ? keys : [NONE]
}

type Head = Omit<Lane, 'cells' | 'total'>

/** Those that are there whether or not anything is in them, in their order. */
function headsOf(kind: LaneKind, { members, labels, columns, parentOf }: World): Head[] {
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
    return { key: String(id), name: parent?.title ?? 'A task that is not shown here', parent }
  })
}

/** The lanes of a board; what belongs nowhere stands last. */
export function lanesOf(kind: LaneKind, world: World): Lane[] {
  const { columns, actors, isNarrow } = world
  const cells = new Map<string, Card[][]>()
  const cellsOf = (key: string) => {
    const some = cells.get(key) ?? columns.map(() => [])
    cells.set(key, some)
    return some
  }
  for (const [at, column] of columns.entries())
    for (const card of column.cards)
      for (const key of keysOf(kind, card)) cellsOf(key)[at]!.push(card)
  const heads = headsOf(kind, world)
  const known = new Set(heads.map(({ key }) => key))
  // They are not on the board any more, and their tasks still are.
  const gone = [...cells.keys()]
    .filter((key) => key !== NONE && !known.has(key))
    .map((key): Head => {
      const actor = actors.get(key) ?? actors.get(Number(key))
      return { key, actor, name: actor?.name ?? 'Somebody who is gone' }
    })
  return [...heads, ...gone, { key: NONE, name: NAMES[kind] }]
    .map((head) => ({ ...head, cells: cellsOf(head.key) }))
    .map((lane) => ({ ...lane, total: lane.cells.reduce((sum, some) => sum + some.length, 0) }))
    .filter(({ total, key }) => total > 0 || (!isNarrow && key !== NONE))
}

const swapped = <T>(some: readonly T[] = [], off: T | undefined, on: T): T[] => [
  ...some.filter((one) => one !== off && one !== on),
  on,
]
const without = <K extends keyof Card>(card: Card, name: K): Card => {
  const rest = { ...card }
  delete (rest as Partial<Card>)[name]
  return rest
}

/** What becomes of a card that goes from one lane to another. */
export function turnOf(kind: LaneKind, from: string | undefined, to: Lane): Turn {
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
          : { ...card, labels: swapped(card.labels, Number(from), Number(key)) },
    }
  const asKey = (one: string) => (/^\d+$/.test(one) ? Number(one) : one)
  return {
    to: to.name,
    of: (card) =>
      key === NONE
        ? without(card, 'assignees')
        : { ...card, assignees: swapped(card.assignees, from && asKey(from), asKey(key)) },
  }
}

/** What a new task in a lane begins with. */
export function usualIn(kind: LaneKind, { key, actor }: Lane, usual: Usual): Usual {
  if (key === NONE) return usual
  if (kind === 'parent') return { ...usual, parent_task_id: Number(key) }
  if (kind === 'label')
    return { ...usual, labels: [...new Set([...(usual.labels ?? []), Number(key)])] }
  return actor?.user_id === undefined
    ? usual
    : { ...usual, assignee_ids: [...new Set([...(usual.assignee_ids ?? []), actor.user_id])] }
}
