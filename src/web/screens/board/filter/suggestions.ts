import type { ReactNode } from 'react'
import {
  dayName,
  type Field,
  newRule,
  opName,
  opsOf,
  RELATIVE_DAYS,
} from '../../../entities/task/condition/fields.tsx'
import {
  type Filter,
  needsValue,
  type Op,
  type Rule,
} from '../../../entities/task/condition/filter.ts'
import { parseWhen } from '../../../kit/parse-when.ts'
import { t } from '../../../messages/t.ts'
import { OPERATOR_NAMES, parseFilter } from './filter-text.ts'

/** A condition that somebody enters: its field, and then its operator. */
export interface Pending {
  field: Field
  op?: Op
}

export interface Suggestion {
  name: string
  mark?: ReactNode
  count?: number | undefined
  /** What the field asks for next, or the groups of conditions to add. */
  result: { pending: Pending } | { filter: Filter }
}

interface Request {
  text: string
  pending: Pending | undefined
  fields: ReadonlyMap<string, Field>
  countOf(rule: Rule): number | undefined
}

const MAX_PER_FIELD = 6

const addRule = (rule: Rule) => ({
  filter: { match: 'ALL', groups: [{ match: 'ALL', rules: [rule] }] } as Filter,
})
const includes = (name: string, text: string) => name.toLowerCase().includes(text)

/** What the typed text can mean, the most likely first. */
export function suggestionsFor(request: Request): Suggestion[] {
  const { pending, fields } = request
  const text = request.text.trim().toLowerCase()
  if (pending?.op) return valuesFor(request, pending.field, pending.op, text)
  if (pending) {
    const { field } = pending
    const ops = opsOf(field)
    const matching = ops.filter((op) => includes(opName(op, field.kind), text))
    return [
      ...(ops.length > 1 ? matching.map((op) => operatorFor(field, op)) : []),
      ...(text || ops.length === 1 ? valuesFor(request, field, ops[0]!, text) : []),
    ]
  }
  const named = [...fields.values()].filter(({ name }) => includes(name, text))
  const isStart = ({ name }: Field) => name.toLowerCase().startsWith(text)
  const asFields = (list: readonly Field[]) =>
    list.map((field): Suggestion => ({ name: field.name, result: { pending: { field } } }))
  if (!text) return asFields(named)
  return [
    ...typedOperators(request),
    ...asFields(named.filter(isStart)),
    ...[...fields.values()].flatMap((field) => choicesFor(request, field, text)),
    ...asFields(named.filter((field) => !isStart(field))),
    titleContains(request.text.trim()),
  ]
}

const titleContains = (text: string): Suggestion => ({
  name: t('board.title_contains_text', { text }),
  result: addRule({ field: 'title', op: 'contains', value: text }),
})

const operatorFor = (field: Field, op: Op): Suggestion => ({
  name: `${field.name} ${opName(op, field.kind)}`,
  result: needsValue(op) ? { pending: { field, op } } : addRule({ field: field.field, op }),
})

/** The conditions that text with operators stands for, such as `label:bug -is:blocked`. */
function typedOperators({ text, fields }: Request): Suggestion[] {
  const nameOf = (name: string) => name.toLowerCase().replace(/\s+/g, '-')
  const isOperator = (word: string) => OPERATOR_NAMES.has(word.toLowerCase())
  const custom = (word: string) =>
    [...fields.values()].find(({ name }) => nameOf(name) === word.toLowerCase())?.field
  const words = [...text.matchAll(/(?:^|[\s(-])([\p{L}\w-]+):(?=\S)/gu)].map(
    ([, word = '']) => word,
  )
  if (!words.some((word) => isOperator(word) || custom(word))) return []
  const filter = parseFilter(
    words
      .filter((word) => !isOperator(word))
      .reduce((all, word) => all.replace(`${word}:`, `${custom(word) ?? word}:`), text),
  )
  return filter.groups.length
    ? [{ name: t('board.filter_by_text', { text: text.trim() }), result: { filter } }]
    : []
}

/** Values of all fields by their names: `bug` is a label. */
const choicesFor = (request: Request, field: Field, text: string): Suggestion[] =>
  (field.choices ?? [])
    .filter(({ name }) => includes(name, text))
    .slice(0, MAX_PER_FIELD)
    .map((choice) => choiceSuggestion(request, field, opsOf(field)[0]!, choice))

function choiceSuggestion(
  { countOf }: Request,
  field: Field,
  op: Op,
  { value, name, mark }: { value: string; name: string; mark?: ReactNode },
): Suggestion {
  const rule: Rule = { field: field.field, op, value: [value] }
  return {
    name: `${field.name} ${opName(op, field.kind)} ${name}`,
    mark,
    count: countOf({ ...rule, op: 'any_of' }),
    result: addRule(rule),
  }
}

function valuesFor(request: Request, field: Field, op: Op, text: string): Suggestion[] {
  const { kind, name, choices = [] } = field
  const add = (value: NonNullable<Rule['value']>, valueName: string): Suggestion => ({
    name: `${name} ${kind === 'flag' ? '' : `${opName(op, kind)} `}${valueName}`,
    result: addRule({ ...newRule(field), op, value }),
  })
  if (kind === 'flag')
    return [add(true, t('board.yes')), add(false, t('board.no'))].filter((one) =>
      includes(one.name, text),
    )
  if (op === 'within_days')
    return (/^\d+$/.test(text) ? [text] : text ? [] : ['7', '14', '30']).map((days) =>
      add(Number(days), t('board.count_days', { count: Number(days) })),
    )
  if (kind === 'choice')
    return choices
      .filter((choice) => includes(choice.name, text))
      .map((choice) => choiceSuggestion(request, field, op, choice))
  if (kind === 'date') return datesFor(text).map((value) => add(value, dayName(value)))
  if (!text || (kind === 'number' && Number.isNaN(Number(text)))) return []
  const typed = request.text.trim()
  if (kind === 'key') return [add(typed.split(/[,\s]+/), typed)]
  return [add(kind === 'number' ? Number(text) : typed, t('shell.quoted', { what: typed }))]
}

function datesFor(text: string): string[] {
  const day = text ? parseWhen(text)?.day : undefined
  const relative = RELATIVE_DAYS.filter((word) => includes(dayName(word), text) || word === text)
  return [...relative, ...(day && !relative.length ? [day] : [])]
}
