import type { Board, Card } from '../board/data.ts'
import { dueDay } from '../board/filter.ts'
import { plus } from '../parts/days.ts'
import { dayOf } from '../parts/zone.ts'
import type { Draft } from './draft.ts'
import { type Rule, valuesOf } from './fields.ts'

/** What a card shows of a field: its values, or nothing where only the server knows it. */
type Read = (card: Card, on: On) => readonly string[] | undefined
interface On {
  board: Board
  me: number | undefined
}

const one = (value: string | number | undefined) => (value === undefined ? [] : [String(value)])
const yes = (is: unknown) => [String(Boolean(is))]

const READS: Record<string, Read> = {
  assignee: ({ assignees = [] }, { me }) =>
    assignees.flatMap((key) => (key === me ? [String(key), 'me'] : String(key))),
  label: ({ labels = [] }, { board }) =>
    labels.flatMap((id) => board.labels.find(({ label_id }) => label_id === id)?.name ?? []),
  section: ({ section_id }, { board }) =>
    one(board.sections.find((column) => column.section_id === section_id)?.title),
  priority: ({ priority }) => one(priority || undefined),
  size: ({ estimate }) => one(estimate || undefined),
  title: ({ title }) => [title],
  ticket_number: ({ ticket_number }) => [ticket_number],
  parent: ({ parent_task_id: id }, { board }) =>
    id === undefined
      ? []
      : one(board.cards.find(({ task_id }) => task_id === id)?.ticket_number ?? id),
  due_date: (card) => one(dueDay(card)),
  start_date: ({ start_date }) => one(start_date && dayOf(new Date(start_date))),
  overdue: ({ overdue }) => yes(overdue),
  blocked: ({ blocked }) => yes(blocked),
  done: ({ section_id }, { board }) =>
    yes(board.sections.find((column) => column.section_id === section_id)?.done),
  snoozed: ({ snoozed_until: until }) => yes(until && Date.parse(until) > Date.now()),
  has_comments: ({ comment_count }) => yes(comment_count),
  has_attachments: ({ attachment_count }) => yes(attachment_count),
  has_pages: ({ page_count }) => yes(page_count),
  has_due_date: ({ due_date }) => yes(due_date),
  has_pr: ({ pr_badge }) => [String(pr_badge !== undefined), ...one(pr_badge)],
}

const DATES = new Set(['due_date', 'start_date'])
const DAYS: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }
const folded = (text: string) => text.trim().toLocaleLowerCase()

function wantedBy({ field, ...rule }: Rule): string[] {
  const wanted = valuesOf({ field, ...rule }).map(folded)
  if (!DATES.has(field)) return wanted
  const today = dayOf(new Date())
  return wanted.map((word) => (word in DAYS ? plus(today, DAYS[word]!) : word))
}

function fits(rule: Rule, has: readonly string[]): boolean {
  const wanted = wantedBy(rule)
  const own = has.map(folded)
  const isAny = own.some((value) => wanted.includes(value))
  const [first = ''] = wanted
  switch (rule.op) {
    case 'is':
    case 'any_of':
      return isAny || (wanted.includes('none') && !own.length)
    case 'is_not':
    case 'none_of':
      return !isAny && !(wanted.includes('none') && !own.length)
    case 'empty':
      return !own.length
    case 'not_empty':
      return own.length > 0
    case 'contains':
      return own.some((value) => value.includes(first))
    case 'before':
      return own.some((value) => value < first)
    case 'after':
      return own.some((value) => value > first)
    case 'within_days': {
      const today = dayOf(new Date())
      const ends = [today, plus(today, Number(first))].sort()
      return own.some((value) => value >= ends[0]! && value <= ends[1]!)
    }
  }
}

/** How many tasks a view would show; nothing where a rule asks for what only the server knows. */
export function countOf(draft: Draft, groups: Draft['groups'], on: On): number | undefined {
  if (groups.some(({ rules }) => rules.some(({ field }) => !READS[field]))) return undefined
  const { match, subtasks, columns } = draft
  const { board } = on
  const visible = new Set(
    columns ?? board.sections.filter(({ hidden }) => !hidden).map(({ section_id }) => section_id),
  )
  const isIn = (card: Card) =>
    visible.has(card.section_id) && (subtasks.startsWith('Flattened') || !card.parent_task_id)
  const isGroup = (card: Card) => (group: Draft['groups'][number]) => {
    const test = (rule: Rule) => fits(rule, READS[rule.field]!(card, on)!)
    return group.match === 'ANY' ? group.rules.some(test) : group.rules.every(test)
  }
  const isChosen = (card: Card) =>
    !groups.length || (match === 'ANY' ? groups.some(isGroup(card)) : groups.every(isGroup(card)))
  return board.cards.filter((card) => isIn(card) && isChosen(card)).length
}
