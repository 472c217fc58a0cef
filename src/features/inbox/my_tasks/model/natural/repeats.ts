import { isLimited, limitAt } from './limits.ts'
import type { Recurrence } from './schema.ts'
import { LEFT, REPEATS, RIGHT, UNKNOWN_REPEATS } from './shapes.ts'

/** A repeat phrase in a line. */
export interface Repeat {
  from: number
  to: number
  text: string
  /** Undefined if no rule expresses the phrase. */
  rule: Recurrence | undefined
  weekday: string | undefined
  /** The day of the month, such as `the 1st`. */
  nth: string | undefined
}

const toRegExp = (source: string) => new RegExp(`${LEFT}(?:${source})${RIGHT}`, 'giu')
const KNOWN = REPEATS.map(toRegExp)
const UNKNOWN = UNKNOWN_REPEATS.map(toRegExp)
/** Words after a phrase that make it a description: `every day of the year`. */
const ABOUT = /^\s+(?:of|that|when|i|we|you|he|she|they)\b/i
/** Words before a phrase that negate it: `not every day`. */
const HARDLY = /(?:^|\s)(?:not|almost|nearly|hardly)\s+$/i

export function findRepeats(line: string): Repeat[] {
  const limited = isLimited(line)
  const known = KNOWN.flatMap((shape) =>
    [...line.matchAll(shape)].map((match) => withLimit(line, repeatOf(match), limited)),
  )
  const unknown = UNKNOWN.flatMap((shape) =>
    [...line.matchAll(shape)].map(({ 0: text, index }) => ({
      text,
      from: index,
      to: index + text.length,
      rule: undefined,
      weekday: undefined,
      nth: undefined,
    })),
  )
  // Of overlapping phrases the longer one counts: `every monday and friday` is unsupported,
  // although `every monday` is not.
  return [...known, ...unknown]
    .filter(({ from, to }) => !ABOUT.test(line.slice(to)) && !HARDLY.test(line.slice(0, from)))
    .sort((a, b) => a.from - b.from || b.to - a.to || Number(!a.rule) - Number(!b.rule))
    .filter((one, at, all) => all.slice(0, at).every(({ to }) => to <= one.from))
}

/** A limited repeat has no rule. */
function withLimit(line: string, repeat: Repeat, limited: boolean): Repeat {
  const to = limitAt(line, repeat.to)
  if (to === undefined) return limited ? { ...repeat, rule: undefined } : repeat
  return { ...repeat, rule: undefined, text: line.slice(repeat.from, to), to }
}

function repeatOf({ 0: text, index, groups = {} }: RegExpExecArray): Repeat {
  const { weekday, second, other, nth, every = nth, ...rules } = groups
  const rule = Object.keys(rules).find((name) => rules[name]) as Recurrence | undefined
  return {
    text,
    from: index,
    to: index + text.length,
    weekday: weekday ?? second,
    nth: every && `the ${every}`,
    rule: rule ?? (every ? 'Monthly' : other ? 'Biweekly' : 'Weekly'),
  }
}
