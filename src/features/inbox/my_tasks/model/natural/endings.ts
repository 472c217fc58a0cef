import type { Rule } from '../../../../../kernel/recurrence/rule.ts'
import { countOf, type ParsingContext, READINGS } from './days.ts'
import { TIME } from './limits.ts'
import type { Span } from './literal.ts'
import { COMPLETION, DAYS, RIGHT, TIMES_LEFT } from './shapes.ts'

/** What follows a repeat phrase: `until 1 march`, `10 times`, `after completion`. */
interface Ending {
  /** Undefined if the calendar has no such day, or if the endings contradict each other. */
  rule: Pick<Rule, 'until' | 'count' | 'fromCompletion'> | undefined
  /** The end of the phrase, with the endings directly after it. */
  to: number
  /** The endings after a time. */
  spans: Span[]
}

const re = String.raw
const LAST_DAYS = ['iso', 'named', 'numbers', 'weekday', 'word'] as const

const shape = (words: string) =>
  new RegExp(re`(?<time>${TIME})[\s,]+(?<words>${words})${RIGHT}`, 'iuy')
const SHAPES = [
  { kind: undefined, pattern: shape(COMPLETION) },
  { kind: undefined, pattern: shape(TIMES_LEFT) },
  ...LAST_DAYS.map((kind) => ({
    kind,
    pattern: shape(re`(?:until|till|til)\s+(?:the\s+)?(?<day>${DAYS[kind]})`),
  })),
]

export function readEnding(line: string, at: number, context: ParsingContext): Ending {
  const rule = {
    until: undefined as string | undefined,
    count: undefined as number | undefined,
    fromCompletion: false,
  }
  const spans: Span[] = []
  let [to, end, isValid] = [at, at, true]
  for (let found = endingAt(line, at); found; found = endingAt(line, end)) {
    const { kind, groups, from } = found
    end = found.to
    if (groups.day) {
      rule.until = READINGS[kind!](groups.day, context)?.toString()
      isValid &&= rule.until !== undefined
    } else if (groups.count) {
      rule.count = countOf(groups.count.toLowerCase())
      isValid &&= rule.count > 0
    } else rule.fromCompletion = true
    if (groups.time || spans.length) spans.push({ text: line.slice(from, end), from, to: end })
    else to = end
  }
  const isClear = rule.until === undefined || rule.count === undefined
  return { rule: isValid && isClear ? rule : undefined, to, spans }
}

function endingAt(line: string, at: number) {
  for (const { kind, pattern } of SHAPES) {
    pattern.lastIndex = at
    const match = pattern.exec(line)
    if (!match) continue
    const to = pattern.lastIndex
    const groups = match.groups as Record<string, string | undefined>
    return { kind, groups, from: to - groups.words!.length, to }
  }
  return undefined
}
