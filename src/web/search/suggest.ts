import { type Of, OPERATORS } from './operators.ts'
import { type Part, partAt, spelled } from './query.ts'

/** One way to go on from what is typed. */
export interface Suggestion {
  /** As it will stand in the box. */
  text: string
  says: string
  start: number
  end: number
  /** An operator whose value is to follow. */
  isOpen?: true
}

export type Names = Readonly<Partial<Record<Of, readonly string[]>>>

const MOST = 9
/** Shorter words begin too many of the values. */
const LEAST = 3

/** What could stand where the caret is. */
export function suggestions(text: string, caret: number, names: Names): Suggestion[] {
  const part = partAt(text, caret)
  if (!part || caret < part.end) return []
  if (part.name === undefined) return part.quoted ? [] : begun(part)
  const operator = OPERATORS[part.name]
  if (!operator) return begun({ ...part, text: part.name })
  const at = part.quoted ? 0 : part.text.lastIndexOf(',') + 1
  const typed = part.text.slice(at).toLowerCase()
  const place = { start: part.start, end: part.end }
  const before = `${part.not ? '-' : ''}${part.name}:${part.text.slice(0, at)}`
  const named = operator.of ? (names[operator.of] ?? []) : []
  const all: [string, string][] = [
    ...Object.entries(operator.values),
    ...named.map((name): [string, string] => [name, '']),
  ]
  return all
    .filter(([value, says]) => fits(value, typed) || (typed.length >= LEAST && fits(says, typed)))
    .slice(0, MOST)
    .map(([value, says]) => ({ ...place, text: before + spelled(value), says }))
}

const fits = (name: string, typed: string) =>
  name.toLowerCase().startsWith(typed) || name.toLowerCase().includes(` ${typed}`)

/** Operators that begin so, and those of their values that are words. */
function begun({ start, end, not, text }: Pick<Part, 'start' | 'end' | 'not' | 'text'>) {
  const typed = text.toLowerCase()
  if (!/^[a-z]+$/.test(typed)) return []
  const minus = not ? '-' : ''
  const place = { start, end }
  const names = Object.keys(OPERATORS).filter((name) => name.startsWith(typed))
  const values = Object.entries(OPERATORS).flatMap(([name, { values: own, isClosed }]) =>
    Object.entries(own)
      .filter(([value]) => isClosed && typed.length >= LEAST && value.startsWith(typed))
      .map(([value, says]) => ({ ...place, text: `${minus}${name}:${value}`, says })),
  )
  return [
    ...names.map((name): Suggestion => {
      const { says } = OPERATORS[name]!
      return { ...place, text: `${minus}${name}:`, says, isOpen: true }
    }),
    ...values,
  ].slice(0, MOST)
}

/** What is asked for: without an operator whose value is half typed. */
export function askedOf(text: string, caret: number, names: Names): string {
  const part = partAt(text, caret)
  const isShort = part !== undefined && part.text.length < LEAST
  const isHalf =
    part?.name === undefined
      ? isShort && suggestions(text, caret, names).length > 0
      : !part.text || (OPERATORS[part.name] && !isWhole(part, text, caret, names))
  const rest = part && isHalf ? text.slice(0, part.start) + text.slice(part.end) : text
  // A minus or a quote alone, and an operator without a value, ask for nothing.
  return rest
    .replace(/(^|\s)-?([A-Za-z_]+:)?["-]?(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Nothing goes on from it, or it is one of what does. */
function isWhole(part: Part, text: string, caret: number, names: Names): boolean {
  const some = suggestions(text, caret, names)
  const written = text.slice(part.start, part.end).toLowerCase()
  return !some.length || some.some((one) => one.text.toLowerCase() === written)
}
