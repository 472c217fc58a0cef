import type { Card, Column } from '../data.ts'
import { type Days, daysOf } from '../dates.ts'
import { type Lane, lanesOf, type World } from '../lanes/model.ts'
import type { LaneKind } from '../layouts.ts'

export interface Group {
  key: string
  name: string
  total: number
  /** Nothing where it is the lane that groups them. */
  column?: Column
  lane?: Lane
}

/** A line: the head of a group, one of its tasks, or the field for a new one. */
export type Row = { key: string; group: Group } & (
  | { is: 'head' }
  | { is: 'field' }
  | { is: 'task'; card: Card; days: Days | undefined; done: boolean }
)

type Found = { card: Card; done: boolean }

/** In each group first what has days, by when it begins. */
const inOrder = (a: { days: Days | undefined }, b: { days: Days | undefined }) =>
  (a.days?.from ?? '\uffff').localeCompare(b.days?.from ?? '\uffff') ||
  (a.days?.to ?? '').localeCompare(b.days?.to ?? '')

function rowsIn(group: Group, found: readonly Found[], typing: string | undefined): Row[] {
  const tasks = found.map(({ card, done }) => ({
    ...{ key: `${group.key} ${card.task_id}`, group, is: 'task' as const },
    ...{ card, done, days: daysOf(card) },
  }))
  return [
    { key: group.key, group, is: 'head' },
    ...tasks.sort(inOrder),
    ...(typing === group.key ? [{ key: `field ${group.key}`, group, is: 'field' as const }] : []),
  ]
}

/** By column, or by what the lanes are of. */
export function rowsOf(
  kind: LaneKind | undefined,
  world: World,
  typing: string | undefined,
): readonly Row[] {
  const { columns } = world
  if (!kind)
    return columns.flatMap((column) => {
      const { section_id, title: name, cards, done } = column
      const group = { key: `column ${section_id}`, name, total: cards.length, column }
      return rowsIn(
        group,
        cards.map((card) => ({ card, done })),
        typing,
      )
    })
  return lanesOf(kind, world).flatMap((lane) => {
    const group = { key: `lane ${lane.key}`, name: lane.name, total: lane.total, lane }
    const found = lane.cells.flatMap((cards, at) =>
      cards.map((card) => ({ card, done: columns[at]!.done })),
    )
    return rowsIn(group, found, typing)
  })
}
