import { type NameSource, OPERATORS } from './operators.ts'
import { type Part, partAt, quoteValue } from './query.ts'

/** A completion of the text at the caret. */
export interface Suggestion {
  /** The text to insert. */
  text: string
  description: string
  start: number
  end: number
  /** The operator's value is typed next. */
  isOpen?: true
}

export type Names = Readonly<Partial<Record<NameSource, readonly string[]>>>

const MAX_SUGGESTIONS = 9
/** Shorter prefixes would match too many values. */
const MIN_CHARS = 3

/** The completions at the caret. */
export function suggestions(text: string, caret: number, names: Names): Suggestion[] {
  const part = partAt(text, caret)
  if (!part || caret < part.end) return []
  if (part.name === undefined) return part.quoted ? [] : suggestOperators(part)
  const operator = OPERATORS[part.name]
  if (!operator) return suggestOperators({ ...part, text: part.name })
  const valueStart = part.quoted ? 0 : part.text.lastIndexOf(',') + 1
  const typed = part.text.slice(valueStart).toLowerCase()
  const position = { start: part.start, end: part.end }
  const before = `${part.not ? '-' : ''}${part.name}:${part.text.slice(0, valueStart)}`
  const named = operator.of ? (names[operator.of] ?? []) : []
  const candidates: [string, string][] = [
    ...Object.entries(operator.values),
    ...named.map((name): [string, string] => [name, '']),
  ]
  return candidates
    .filter(
      ([value, description]) =>
        matchesPrefix(value, typed) ||
        (typed.length >= MIN_CHARS && matchesPrefix(description, typed)),
    )
    .slice(0, MAX_SUGGESTIONS)
    .map(([value, description]) => ({ ...position, text: before + quoteValue(value), description }))
}

const matchesPrefix = (name: string, typed: string) =>
  name.toLowerCase().startsWith(typed) || name.toLowerCase().includes(` ${typed}`)

/** Operators with this prefix, and fixed values with this prefix. */
function suggestOperators({ start, end, not, text }: Pick<Part, 'start' | 'end' | 'not' | 'text'>) {
  const typed = text.toLowerCase()
  if (!/^[a-z]+$/.test(typed)) return []
  const minus = not ? '-' : ''
  const position = { start, end }
  const names = Object.keys(OPERATORS).filter((name) => name.startsWith(typed))
  const values = Object.entries(OPERATORS).flatMap(([name, { values: fixedValues, isClosed }]) =>
    Object.entries(fixedValues)
      .filter(([value]) => isClosed && typed.length >= MIN_CHARS && value.startsWith(typed))
      .map(([value, description]) => ({
        ...position,
        text: `${minus}${name}:${value}`,
        description,
      })),
  )
  return [
    ...names.map((name): Suggestion => {
      const { description } = OPERATORS[name]!
      return { ...position, text: `${minus}${name}:`, description, isOpen: true }
    }),
    ...values,
  ].slice(0, MAX_SUGGESTIONS)
}

/** The query to run: the text without an operator whose value is incomplete. */
export function completeQueryOf(text: string, caret: number, names: Names): string {
  const part = partAt(text, caret)
  const isShort = part !== undefined && part.text.length < MIN_CHARS
  const isIncomplete =
    part?.name === undefined
      ? isShort && suggestions(text, caret, names).length > 0
      : !part.text || (OPERATORS[part.name] && !isCompleteValue(part, text, caret, names))
  const rest = part && isIncomplete ? text.slice(0, part.start) + text.slice(part.end) : text
  // A lone minus or quote and an operator without a value are dropped.
  return rest
    .replace(/(^|\s)-?([A-Za-z_]+:)?["-]?(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Whether the value has no completions or equals one of them. */
function isCompleteValue(part: Part, text: string, caret: number, names: Names): boolean {
  const suggested = suggestions(text, caret, names)
  const token = text.slice(part.start, part.end).toLowerCase()
  return !suggested.length || suggested.some((one) => one.text.toLowerCase() === token)
}
