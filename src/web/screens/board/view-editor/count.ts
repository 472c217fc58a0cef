import type { Board, Card } from '../../../entities/board/data.ts'
import { TASK_FIELDS } from '../../../entities/task/task-fields.tsx'
import { addDays } from '../../../kit/days.ts'
import { dayOf } from '../../../kit/zone.ts'
import { dueDay } from '../filter.ts'
import type { Draft } from './draft.ts'
import { type Rule, valuesOf } from './fields.ts'

/** The values of a field on a card; undefined if only the server knows them. */
type FieldReader = (card: Card, on: BoardContext) => readonly string[] | undefined
interface BoardContext {
  board: Board
  me: number | undefined
}

const toValues = (value: string | number | undefined) =>
  value === undefined ? [] : [String(value)]
const toFlag = (value: unknown) => [String(Boolean(value))]

const READERS: Record<string, FieldReader> = {
  assignee: ({ assignees = [] }, { me }) =>
    assignees.flatMap((key) => (key === me ? [String(key), 'me'] : String(key))),
  label: ({ labels = [] }, { board }) =>
    labels.flatMap((id) => board.labels.find(({ label_id }) => label_id === id)?.name ?? []),
  section: ({ section_id }, { board }) =>
    toValues(board.sections.find((column) => column.section_id === section_id)?.title),
  ...Object.fromEntries(
    TASK_FIELDS.flatMap(({ rule, name, control }): [string, FieldReader][] =>
      rule && control.kind === 'choice'
        ? [[rule, (card) => toValues(card[name] || undefined)]]
        : [],
    ),
  ),
  title: ({ title }) => [title],
  ticket_number: ({ ticket_number }) => [ticket_number],
  parent: ({ parent_task_id: id }, { board }) =>
    id === undefined
      ? []
      : toValues(board.cards.find(({ task_id }) => task_id === id)?.ticket_number ?? id),
  due_date: (card) => toValues(dueDay(card)),
  start_date: ({ start_date }) => toValues(start_date && dayOf(new Date(start_date))),
  overdue: ({ overdue }) => toFlag(overdue),
  blocked: ({ blocked }) => toFlag(blocked),
  done: ({ section_id }, { board }) =>
    toFlag(board.sections.find((column) => column.section_id === section_id)?.done),
  snoozed: ({ snoozed_until: until }) => toFlag(until && Date.parse(until) > Date.now()),
  has_comments: ({ comment_count }) => toFlag(comment_count),
  has_attachments: ({ attachment_count }) => toFlag(attachment_count),
  has_pages: ({ page_count }) => toFlag(page_count),
  has_due_date: ({ due_date }) => toFlag(due_date),
  has_pr: ({ pr_badge }) => [String(pr_badge !== undefined), ...toValues(pr_badge)],
}

const DATES = new Set(['due_date', 'start_date'])
const DAYS: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }
const normalize = (text: string) => text.trim().toLocaleLowerCase()

function ruleValues({ field, ...rule }: Rule): string[] {
  const values = valuesOf({ field, ...rule }).map(normalize)
  if (!DATES.has(field)) return values
  const today = dayOf(new Date())
  return values.map((word) => (word in DAYS ? addDays(today, DAYS[word]!) : word))
}

function matches(rule: Rule, cardValues: readonly string[]): boolean {
  const values = ruleValues(rule)
  const normalized = cardValues.map(normalize)
  const isAny = normalized.some((value) => values.includes(value))
  const [first = ''] = values
  switch (rule.op) {
    case 'is':
    case 'any_of':
      return isAny || (values.includes('none') && !normalized.length)
    case 'is_not':
    case 'none_of':
      return !isAny && !(values.includes('none') && !normalized.length)
    case 'empty':
      return !normalized.length
    case 'not_empty':
      return normalized.length > 0
    case 'contains':
      return normalized.some((value) => value.includes(first))
    case 'before':
      return normalized.some((value) => value < first)
    case 'after':
      return normalized.some((value) => value > first)
    case 'within_days': {
      const today = dayOf(new Date())
      const range = [today, addDays(today, Number(first))].sort()
      return normalized.some((value) => value >= range[0]! && value <= range[1]!)
    }
  }
}

/**
 * The number of tasks a view would show; undefined if a rule needs data that only the server has.
 */
export function countMatches(
  draft: Draft,
  groups: Draft['groups'],
  context: BoardContext,
): number | undefined {
  if (groups.some(({ rules }) => rules.some(({ field }) => !READERS[field]))) return undefined
  const { match, subtasks, columns } = draft
  const { board } = context
  const visible = new Set(
    columns ?? board.sections.filter(({ hidden }) => !hidden).map(({ section_id }) => section_id),
  )
  const isShown = (card: Card) =>
    visible.has(card.section_id) && (subtasks.startsWith('Flattened') || !card.parent_task_id)
  const matchesGroup = (card: Card) => (group: Draft['groups'][number]) => {
    const test = (rule: Rule) => matches(rule, READERS[rule.field]!(card, context)!)
    return group.match === 'ANY' ? group.rules.some(test) : group.rules.every(test)
  }
  const matchesFilter = (card: Card) =>
    !groups.length ||
    (match === 'ANY' ? groups.some(matchesGroup(card)) : groups.every(matchesGroup(card)))
  return board.cards.filter((card) => isShown(card) && matchesFilter(card)).length
}
