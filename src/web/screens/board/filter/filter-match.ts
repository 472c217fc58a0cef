import type { Board, Card } from '../../../entities/board/data.ts'
import {
  type Filter,
  type Group,
  type Rule,
  valuesOf,
} from '../../../entities/task/condition/filter.ts'
import { englishChoicesOf, TASK_FIELDS } from '../../../entities/task/task-fields.tsx'
import { addDays } from '../../../kit/days.ts'
import { dayOf } from '../../../kit/zone.ts'

export type CardTest = (card: Card) => boolean

/** What the rules of a filter refer to. */
export interface FilterContext {
  board: Board
  me: number | undefined
  /** The tasks that match the rules that only the server knows, by the text of the rule. */
  serverMatches: ReadonlyMap<string, ReadonlySet<number>> | undefined
}

/** The values of a field on a card: a choice has its name too. */
type FieldReader = (card: Card, context: FilterContext) => readonly string[]

const toValues = (value: string | number | undefined) =>
  value === undefined ? [] : [String(value)]
const toFlag = (value: unknown) => [String(Boolean(value))]

export const dueDay = ({ due_date }: Card) =>
  due_date && (due_date.length > 10 ? dayOf(new Date(due_date)) : due_date)

const columnOf = ({ section_id }: Card, { board }: FilterContext) =>
  board.sections.find((column) => column.section_id === section_id)

const READERS: Record<string, FieldReader> = {
  assignee: ({ assignees = [] }, { me, board }) =>
    assignees.flatMap((key) => {
      const name = board.actors.find((actor) => (actor.agent_id ?? actor.user_id) === key)?.name
      return [String(key), ...(key === me ? ['me'] : []), ...toValues(name)]
    }),
  label: ({ labels = [] }, { board }) =>
    labels.flatMap((id) => [
      String(id),
      ...toValues(board.labels.find(({ label_id }) => label_id === id)?.name),
    ]),
  section: (card, context) => toValues(columnOf(card, context)?.title),
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
  done: (card, context) => toFlag(columnOf(card, context)?.done),
  snoozed: ({ snoozed_until: until }) => toFlag(until && Date.parse(until) > Date.now()),
  working: ({ lease }) => toFlag(lease),
  has_comments: ({ comment_count }) => toFlag(comment_count),
  has_attachments: ({ attachment_count }) => toFlag(attachment_count),
  has_pages: ({ page_count }) => toFlag(page_count),
  has_due_date: ({ due_date }) => toFlag(due_date),
  has_pr: ({ pr_badge }) => [String(pr_badge !== undefined), ...toValues(pr_badge)],
}
for (const field of TASK_FIELDS) {
  const { rule, name, control } = field
  if (rule && control.kind === 'choice')
    READERS[rule] = (card) => {
      const value = card[name]
      return englishChoicesOf(field).flatMap((choice) =>
        value && choice.value === value ? [String(value), choice.name] : [],
      )
    }
}

export const isServerRule = ({ field }: Rule) => !READERS[field]
export const serverRules = ({ groups }: Filter): Rule[] =>
  groups.flatMap(({ rules }) => rules.filter(isServerRule))

const DATES = new Set(['due_date', 'start_date'])
const WORDS: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }
const UNIT_DAYS: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 }
const normalize = (text: string) => text.trim().toLocaleLowerCase()

/** The day that `today` or `+7d` means. */
function resolveDay(word: string, today: string): string {
  const [, sign, count, unit = ''] = /^([+-])(\d+)([dwmy])$/.exec(word) ?? []
  if (count) return addDays(today, Number(sign + count) * UNIT_DAYS[unit]!)
  return word in WORDS ? addDays(today, WORDS[word]!) : word
}

function ruleTest(rule: Rule, context: FilterContext): CardTest {
  const read = READERS[rule.field]
  if (!read) {
    const ids = context.serverMatches?.get(JSON.stringify(rule))
    return ({ task_id }) => !ids || ids.has(task_id)
  }
  const today = dayOf(new Date())
  const values = valuesOf(rule)
    .map(normalize)
    .map((value) => (DATES.has(rule.field) ? resolveDay(value, today) : value))
  const test = valueTest(rule, values, today)
  if (rule.field === 'title' && rule.op === 'contains')
    return ({ ticket_number, title }) => test([normalize(`${ticket_number} ${title}`)])
  return (card) => test(read(card, context).map(normalize))
}

type ValueTest = (cardValues: readonly string[]) => boolean

function valueTest({ op }: Rule, values: readonly string[], today: string): ValueTest {
  const [first = ''] = values
  const isAny: ValueTest = (own) =>
    own.some((value) => values.includes(value)) || (!own.length && values.includes('none'))
  switch (op) {
    case 'is':
    case 'any_of':
      return isAny
    case 'is_not':
    case 'none_of':
      return (own) => !isAny(own)
    case 'empty':
      return (own) => !own.length
    case 'not_empty':
      return (own) => own.length > 0
    case 'contains':
      return (own) => own.some((value) => value.includes(first))
    case 'before':
      return (own) => own.some((value) => value < first)
    case 'after':
      return (own) => own.some((value) => value > first)
    case 'within_days': {
      const [from, to] = [today, addDays(today, Number(first))].sort()
      return (own) => own.some((value) => value >= from! && value <= to!)
    }
  }
}

const groupTest = ({ match, rules }: Group, context: FilterContext): CardTest =>
  join(
    rules.map((rule) => ruleTest(rule, context)),
    match ?? 'ALL',
  )

const join = (tests: readonly CardTest[], match: 'ALL' | 'ANY'): CardTest =>
  match === 'ANY'
    ? (card) => tests.some((test) => test(card))
    : (card) => tests.every((test) => test(card))

/** A function that tells whether a card matches the filter. */
export const cardTest = ({ match, groups }: Filter, context: FilterContext): CardTest =>
  groups.length
    ? join(
        groups.map((group) => groupTest(group, context)),
        match,
      )
    : () => true
