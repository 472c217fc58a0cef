import { choicesOf, TASK_FIELDS } from '../../../entities/task/task-fields.tsx'
import { type ActorKey, keyOf } from '../../../entities/user/actor.ts'
import { parseWhen } from '../../../kit/parse-when.ts'
import { type Day, dayOf, momentOf, timeOf } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { type Field, isEmpty, type TableContext, type Value } from './types.ts'

/** The value of a text, or why the text has none. */
export type Parsed = { value: Value } | { problem: string }

const fold = (text: string) => text.trim().toLocaleLowerCase()

/** The names of a list. A name with a separator is in quotes. */
const splitList = (text: string) =>
  [...text.matchAll(/\s*(?:"([^"]*)"|([^,;\n]+))/g)]
    .map(([, quoted, plain]) => (quoted ?? plain!).trim())
    .filter(Boolean)
const joinList = (names: readonly string[]) =>
  names.map((name) => (names.length > 1 && /[,;\n]/.test(name) ? `"${name}"` : name)).join(', ')

export const optionsOf = (field: Field) =>
  field.kind === 'select'
    ? (field.custom?.options ?? []).map(({ option_id, label }) => ({
        value: option_id,
        name: label,
      }))
    : choicesOf(TASK_FIELDS.find(({ noun }) => noun === field.name)!)

/** A value as text, as it is copied to a spreadsheet. */
export function cellText(field: Field, value: Value, context: TableContext): string {
  if (isEmpty(value)) return ''
  switch (field.kind) {
    case 'section':
      return context.sections.find(({ section_id }) => section_id === value)?.title ?? ''
    case 'choice':
    case 'select':
      return optionsOf(field).find((option) => option.value === value)?.name ?? ''
    case 'people':
    case 'agents':
      return namesOf(value, (key) => context.actors.get(key)?.name)
    case 'labels':
      return namesOf(value, (id) => context.labels.get(Number(id))?.name ?? undefined)
    case 'parent':
      return context.cardsById.get(Number(value))?.ticket_number ?? ''
    case 'date':
    case 'moment':
      return dateAsText(String(value))
    case 'duration':
      return hoursOf(Number(value))
    default:
      return String(value)
  }
}

const namesOf = (value: Value, nameOf: (key: ActorKey) => string | undefined) =>
  joinList((value as readonly ActorKey[]).flatMap((key) => nameOf(key) ?? []))

/** A day, or a day and a time of day, in the time zone of the user. */
function dateAsText(text: string) {
  if (text.length === 10) return text
  const date = new Date(text)
  return `${dayOf(date)} ${timeOf(date)}`
}

/** Hours with two decimals, which spreadsheets can add up. */
export const hoursOf = (seconds: number) => String(Math.round(seconds / 36) / 100)

/** Parses a text that was pasted or typed into a cell. An empty text clears the cell. */
export function parseCell(
  field: Field,
  text: string,
  context: TableContext,
  today: Day = dayOf(new Date()),
): Parsed {
  if (!field.toChange) return problem(t('table.label_cannot_be_edited', { label: field.label }))
  const trimmed = text.trim()
  if (!trimmed) return parseEmpty(field)
  switch (field.kind) {
    case 'title':
      return trimmed.length > MAX_TITLE
        ? problem(t('table.a_title_has_at_most_max_characters', { max: MAX_TITLE }))
        : { value: trimmed.replaceAll(/\s+/g, ' ') }
    case 'section':
      return oneOf(
        context.sections.map(({ section_id, title }) => ({ value: section_id, name: title })),
        trimmed,
      )
    case 'choice':
    case 'select':
      return oneOf(optionsOf(field), trimmed)
    case 'people':
      return listOf(
        context.members.map((member) => ({ value: keyOf(member), name: member.name })),
        trimmed,
      )
    case 'labels':
      return listOf(
        [...context.labels.values()].map(({ label_id, name }) => ({
          value: label_id,
          name: name ?? '',
        })),
        trimmed,
      )
    case 'parent':
      return parseParent(trimmed, context)
    default:
      return parseScalar(field, trimmed, today)
  }
}

const MAX_TITLE = 500
const problem = (text: string): Parsed => ({ problem: text })
const unknown = (text: string) => problem(t('table.unknown_value_text', { text }))

function parseEmpty({ kind, label }: Field): Parsed {
  if (kind === 'title' || kind === 'section')
    return problem(t('table.label_cannot_be_empty', { label }))
  if (kind === 'people' || kind === 'labels') return { value: [] }
  return { value: kind === 'choice' ? 0 : null }
}

interface Named {
  value: string | number
  name: string
}

const find = (choices: readonly Named[], text: string) =>
  choices.find(({ name }) => fold(name) === fold(text))

function oneOf(choices: readonly Named[], text: string): Parsed {
  const found = find(choices, text)
  return found ? { value: found.value } : unknown(text)
}

/** Names may contain commas, so the whole text is tried first. */
function listOf(choices: readonly Named[], text: string): Parsed {
  const whole = find(choices, text)
  if (whole) return { value: [whole.value] }
  const values: (string | number)[] = []
  for (const name of splitList(text)) {
    const found = find(choices, name)
    if (!found) return unknown(name)
    if (!values.includes(found.value)) values.push(found.value)
  }
  return { value: values }
}

function parseParent(text: string, { cardsById }: TableContext): Parsed {
  const [ticket] = text.split(/\s/)
  for (const card of cardsById.values())
    if (fold(card.ticket_number) === fold(ticket!)) return { value: card.task_id }
  return unknown(text)
}

const YES = ['true', 'yes', 'x', '1', '✓', '✔']
const NO = ['false', 'no', '0']

function parseScalar(field: Field, text: string, today: Day): Parsed {
  const { kind } = field
  if (kind === 'date') {
    const date = parseDate(field, text, today)
    return date ? { value: date } : unknown(text)
  }
  if (kind === 'number') {
    const number = parseNumber(text)
    return number === undefined ? unknown(text) : { value: number }
  }
  if (kind === 'checkbox') {
    if (YES.includes(fold(text))) return { value: true }
    return NO.includes(fold(text)) ? { value: null } : unknown(text)
  }
  if (kind === 'url' && !(/^https?:\/\//i.test(text) && URL.canParse(text))) return unknown(text)
  return { value: text }
}

/** A date as spreadsheets write it, or words such as "tomorrow". Custom fields have no times. */
function parseDate({ custom }: Field, text: string, today: Day): string | undefined {
  const { day, time } = parseWhen(text.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 '), today) ?? {}
  return day && time && !custom ? momentOf(day, time) : day
}

/** Spreadsheets group digits by commas, spaces or apostrophes. */
function parseNumber(text: string): number | undefined {
  const plain = text.replaceAll(/[\s'’](?=\d{3})/g, '').replaceAll(/,(?=\d{3}(\D|$))/g, '')
  const number = Number(plain.replace(/^([+-]?\d+),(\d+)$/, '$1.$2'))
  return Number.isFinite(number) ? number : undefined
}
