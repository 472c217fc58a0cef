import {
  ACTIONS,
  CUSTOM_FIELD,
  type Param,
  TRIGGERS,
  type Words,
} from '../../../../kernel/board-rules.ts'
import { priorityName, SIZES } from '../../../tasks/fields/model/index.ts'
import type { BoardFilters } from '../../views/model/index.ts'
import type { BoardNames } from './names.ts'
import type { Action, Definition, When } from './schema.ts'

const GONE = 'something that was deleted'

/** The rule in English, such as “When a task moves to “Review”, assign it to Ada”. */
export function sentenceOf({ when, conditions, actions }: Definition, names: BoardNames): string {
  const condition = conditionsInWords(conditions ?? { groups: [] })
  const effects = actions.map((action) => actionInWords(action, names))
  const start = `When ${TRIGGERS[when.event].phrase(wordsOf(when, names))}`
  return `${start}${condition && `, if ${condition}`}, ${listed(effects)}`
}

export const actionInWords = (action: Action, names: BoardNames): string =>
  ACTIONS[action.do].phrase(wordsOf(action, names))

const listed = (parts: readonly string[]) =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

export const clipText = (text: string): string =>
  text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text

export const hostOf = ({ url }: { url: string }): string => new URL(url).hostname

/** The values of a trigger or an action in words. */
function wordsOf(values: When | Action, names: BoardNames): Words {
  const words: Words = {}
  for (const name of Object.keys(values) as Param[]) {
    const show = SHOW[name]
    if (show && values[name as never] !== undefined)
      words[name] = show(values[name as never], names, values)
  }
  if (words.days !== undefined || (values as Action).value === null) delete words.value
  return words
}

type Show = (value: never, names: BoardNames, values: When | Action) => string

const SHOW: Partial<Record<Param, Show>> = {
  section_id: (id: number, { sections }) => sections.get(id)?.title ?? GONE,
  label_id: (id: number, { labels }) => labels.get(id)?.name ?? GONE,
  who: (who: string | number, { actors }) => whoInWords(who, actors),
  field: (field: string, names) => fieldInWords(field, names),
  value: (value: unknown, names, { field }) => valueInWords(field, value, names),
  days: (days: number) =>
    days === 0
      ? 'today'
      : days < 0
        ? `${-days} days ago`
        : days === 1
          ? 'tomorrow'
          : `in ${days} days`,
  title: (title: string) => title,
  text: (text: string) => clipText(text),
  webhook_id: (id: number, { webhooks }) => {
    const webhook = webhooks.get(id)
    return webhook ? hostOf(webhook) : GONE
  },
}

const whoInWords = (who: string | number, actors: BoardNames['actors']) =>
  who === 'assignees'
    ? 'its assignees'
    : who === 'creator'
      ? 'its creator'
      : (actors.get(String(who))?.name ?? 'somebody who left')

const FIELD_NAMES: Readonly<Record<string, string>> = {
  estimate: 'size',
  start_date: 'start date',
  due_date: 'due date',
}

function fieldInWords(field: string, { fields }: BoardNames): string {
  if (field.startsWith(CUSTOM_FIELD))
    return fields.get(field.slice(CUSTOM_FIELD.length))?.name ?? GONE
  return FIELD_NAMES[field] ?? field
}

function valueInWords(field: string | undefined, value: unknown, { fields }: BoardNames): string {
  if (value === null) return 'nothing'
  if (field === 'priority' && typeof value === 'number') return priorityName(value)
  if (field === 'estimate' && typeof value === 'number') return SIZES[value] ?? String(value)
  const custom = field && fields.get(field.slice(CUSTOM_FIELD.length))
  if (custom && (typeof value === 'string' || typeof value === 'number')) {
    const option = custom.options?.find(({ option_id }) => option_id === value)
    if (option) return option.label
  }
  return String(value)
}

const OPERATORS: Readonly<Record<string, string>> = {
  is: 'is',
  is_not: 'is not',
  any_of: 'is any of',
  none_of: 'is none of',
  before: 'is before',
  after: 'is after',
  within_days: 'is within days:',
  empty: 'is empty',
  not_empty: 'is not empty',
  contains: 'contains',
}

/** The conditions in English; empty if there are none. */
export function conditionsInWords({ groups }: BoardFilters): string {
  const several = groups.length > 1
  return groups
    .map(({ match, rules }) => {
      const parts = rules.map(({ field, op, value }) =>
        [field.replaceAll('_', ' '), OPERATORS[op] ?? op, valueList(value)]
          .filter(Boolean)
          .join(' '),
      )
      const text = parts.join(match === 'ANY' ? ' or ' : ' and ')
      return several && parts.length > 1 ? `(${text})` : text
    })
    .join(' and ')
}

const valueList = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : Array.isArray(value)
      ? value.join(', ')
      : String(value)
