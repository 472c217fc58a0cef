import type { Input, Output } from '../../data/client.ts'
import type { Card } from '../../entities/board/data.ts'
import { byMode } from '../../entities/task/task-fields.tsx'
import { t } from '../../messages/t.ts'
import { dueDay } from './filter/filter-match.ts'

export type View = Output<'views.list'>['items'][number]
/** The fields of a view that the current display determines. */
export type Draft = Pick<
  Input<'views.create'>,
  | 'match'
  | 'board_filters'
  | 'visible_section_ids'
  | 'sorting_stack'
  | 'label_names'
  | 'assignee_ids'
  | 'subtask_setting'
>
const foldCase = (text: string) => text.trim().toLocaleLowerCase()

/** The ways to sort a column. */
export const SORTS = {
  Manual: t('board.manual'),
  ...byMode(({ label }) => label),
  DueDate: t('common.due_date'),
  Title: t('common.title'),
  CreatedAt: t('common.created'),
} as const
export type Sort = keyof typeof SORTS
export type Sorting = View['sorting_stack']

export const isSort = (mode: string): mode is Sort => Object.hasOwn(SORTS, mode)

/** Modes by which only the table sorts: the server knows none of them. */
const TABLE_SORTS = [
  ...['Section', 'Label', 'StartDate', 'Parent', 'Agent', 'Subtasks', 'Comments'],
  ...['CompletedAt', 'Time'],
]
/** Modes of the server by which the browser sorts only the table. */
const SERVER_SORTS = ['TicketNumber', 'UpdatedAt', 'Assignee']
export const isTableSort = (mode: string) =>
  TABLE_SORTS.includes(mode) || SERVER_SORTS.includes(mode) || mode.startsWith('cf:')

/** The part of a sorting that a view can have. */
export const serverSorting = (stack: Sorting): Sorting =>
  stack.filter(({ mode }) => !TABLE_SORTS.includes(mode))

/** Whether the browser can sort by all of these modes; the server must sort by others. */
export const knowsOrder = (stack: Sorting) =>
  stack.every(({ mode }) => isSort(mode) || TABLE_SORTS.includes(mode))

const LAST = '\uffff'
const NEVER = Number.POSITIVE_INFINITY
const KEYS: Record<Exclude<Sort, 'Manual'>, (card: Card) => string | number> = {
  ...byMode(
    ({ name }) =>
      (card: Card) =>
        card[name] ?? NEVER,
  ),
  DueDate: (card) => dueDay(card) ?? LAST,
  Title: ({ title }) => foldCase(title),
  CreatedAt: ({ task_id }) => task_id,
}
/** Unset values come last in both directions. */
const isUnset = (key: string | number) => key === LAST || key === NEVER

export function inOrder(cards: readonly Card[], stack: Sorting): readonly Card[] {
  const criteria = stack.flatMap(({ mode, order }) =>
    isSort(mode) && mode !== 'Manual'
      ? { key: KEYS[mode], direction: order === 'Descending' ? -1 : 1 }
      : [],
  )
  if (!criteria.length) return cards
  return cards.toSorted((a, b) => {
    for (const { key, direction } of criteria) {
      const [left, right] = [key(a), key(b)]
      if (left === right) continue
      if (isUnset(left) || isUnset(right)) return isUnset(left) ? 1 : -1
      return left < right ? -direction : direction
    }
    return 0
  })
}
