import type { Card, Column } from '../../../entities/board/data.ts'
import { type Days, daysOf } from '../dates.ts'
import { type Lane, type LaneSource, lanesOf } from '../lanes/model.ts'
import type { LaneKind } from '../layout-address.ts'

export interface Group {
  key: string
  name: string
  total: number
  /** The column, unless lanes group the tasks. */
  column?: Column
  lane?: Lane
}

/** A row: the head of a group, a task, or the field for a new task. */
export type Row = { key: string; group: Group } & (
  | { is: 'head'; isCollapsed: boolean }
  | { is: 'field' }
  | { is: 'task'; card: Card; days: Days | undefined; done: boolean }
)

type TaskOfGroup = { card: Card; done: boolean }

/** Dated tasks first, by start. */
const inOrder = (a: { days: Days | undefined }, b: { days: Days | undefined }) =>
  (a.days?.from ?? '\uffff').localeCompare(b.days?.from ?? '\uffff') ||
  (a.days?.to ?? '').localeCompare(b.days?.to ?? '')

function rowsIn(
  group: Group,
  tasks: readonly TaskOfGroup[],
  newTaskGroup: string | undefined,
  isCollapsed: boolean,
): Row[] {
  const head: Row = { key: group.key, group, is: 'head', isCollapsed }
  if (isCollapsed && newTaskGroup !== group.key) return [head]
  const taskRows = tasks.map(({ card, done }) => ({
    ...{ key: `${group.key} ${card.task_id}`, group, is: 'task' as const },
    ...{ card, done, days: daysOf(card) },
  }))
  return [
    head,
    ...taskRows.sort(inOrder),
    ...(newTaskGroup === group.key
      ? [{ key: `field ${group.key}`, group, is: 'field' as const }]
      : []),
  ]
}

/** Groups the tasks by column, or by lane. */
export function rowsOf(
  kind: LaneKind | undefined,
  source: LaneSource,
  newTaskGroup: string | undefined,
  collapsed: ReadonlySet<string> = new Set(),
): readonly Row[] {
  const { columns } = source
  if (!kind)
    return columns.flatMap((column) => {
      const { section_id, title: name, cards, done } = column
      const group = { key: `column ${section_id}`, name, total: cards.length, column }
      return rowsIn(
        group,
        cards.map((card) => ({ card, done })),
        newTaskGroup,
        collapsed.has(group.key),
      )
    })
  return lanesOf(kind, source).flatMap((lane) => {
    const group = { key: `lane ${lane.key}`, name: lane.name, total: lane.total, lane }
    const groupTasks = lane.cells.flatMap((cards, at) =>
      cards.map((card) => ({ card, done: columns[at]!.done })),
    )
    return rowsIn(group, groupTasks, newTaskGroup, collapsed.has(group.key))
  })
}
