import { writeRule } from '../../../../../kernel/recurrence/write.ts'
import type { ParsingContext } from './days.ts'
import { readEnding } from './endings.ts'
import { isLimited, limitAt } from './limits.ts'
import { maskPart, type Span } from './literal.ts'
import { readPhrase } from './phrases.ts'
import { LEFT, REPEATS, RIGHT, UNKNOWN_REPEATS } from './shapes.ts'

/** A repeat phrase in a line. */
export interface Repeat extends Span {
  /** Undefined if no rule expresses the phrase. */
  rule: string | undefined
  /** The first day of the series, if the rule leaves it to the due date: `monday`, `the 1st`. */
  weekday: string | undefined
  nth: string | undefined
  /** Endings that follow a time: `every day at 9 until friday`. */
  endings: readonly Span[]
}

const toRegExp = (source: string) => new RegExp(`${LEFT}(?:${source})${RIGHT}`, 'giu')
const KNOWN = REPEATS.map(toRegExp)
const UNKNOWN = UNKNOWN_REPEATS.map(toRegExp)
/** Words after a phrase that make it a description: `every day of the year`. */
const ABOUT = /^\s+(?:of|that|when|i|we|you|he|she|they)\b/i
/** Words before a phrase that negate it: `not every day`. */
const HARDLY = /(?:^|\s)(?:not|almost|nearly|hardly)\s+$/i

export function findRepeats(line: string, context: ParsingContext): Repeat[] {
  const known = KNOWN.flatMap((shape) =>
    [...line.matchAll(shape)].map((match) => repeatOf(line, match, context)),
  )
  const unknown = UNKNOWN.flatMap((shape) =>
    [...line.matchAll(shape)].map(({ 0: text, index }) =>
      unsupported({ text, from: index, to: index + text.length }),
    ),
  )
  // Of overlapping phrases the longer one counts: `every monday or friday` is unsupported, although
  // `every monday` is not.
  return [...known, ...unknown]
    .filter(({ from, to }) => !ABOUT.test(line.slice(to)) && !HARDLY.test(line.slice(0, from)))
    .sort((a, b) => a.from - b.from || b.to - a.to || Number(!a.rule) - Number(!b.rule))
    .filter((one, at, all) => all.slice(0, at).every(({ to }) => to <= one.from))
}

const unsupported = (span: Span): Repeat => ({
  ...span,
  rule: undefined,
  weekday: undefined,
  nth: undefined,
  endings: [],
})

function repeatOf(line: string, match: RegExpExecArray, context: ParsingContext): Repeat {
  const from = match.index
  const phrase = readPhrase(match.groups ?? {})
  const ending = readEnding(line, from + match[0].length, context)
  const to = ending.spans.at(-1)?.to ?? ending.to
  const limit = limitAt(line, to)
  const spans = [spanOf(line, from, ending.to), ...ending.spans]
  if (!phrase || !ending.rule || limit !== undefined || isLimited(spans.reduce(maskPart, line)))
    return unsupported(spanOf(line, from, limit ?? to))
  // A single day is that of the due date, unless each date depends on the day of completion.
  const isImplied = !ending.rule.fromCompletion
  const weekday = isImplied ? phrase.weekday : undefined
  const nth = isImplied ? phrase.nth : undefined
  const days = weekday || nth ? { weekdays: [], monthDays: [] } : {}
  const rule = writeRule({ ...phrase.rule, ...ending.rule, ...days })
  return { ...spans[0]!, rule, weekday, nth, endings: ending.spans }
}

const spanOf = (line: string, from: number, to: number): Span => ({
  text: line.slice(from, to),
  from,
  to,
})
