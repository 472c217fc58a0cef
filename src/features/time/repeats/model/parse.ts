import { type Fault, fault } from '../../../../kernel/fault.ts'
import { RULE_PARTS, ruleProblem } from '../../../../kernel/recurrence/check.ts'
import { CADENCES, readRule } from '../../../../kernel/recurrence/rule.ts'
import { writeRule } from '../../../../kernel/recurrence/write.ts'
import { matchWord } from '../../../../kernel/respell.ts'

const NAMES = Object.keys(CADENCES)
const HINT = `Parts: ${RULE_PARTS.join(', ')}. For example FREQ=MONTHLY;BYDAY=2FR;UNTIL=20270301, or FREQ=DAILY;INTERVAL=10;FROM=COMPLETION`

/** Returns the normal form of a name in any case, or of a rule. Throws a fault on anything else. */
export function parseRecurrence(text: string): string {
  const name = matchWord(text.trim(), NAMES)
  if (name) return name
  const rule = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
  const problem = ruleProblem(rule)
  if (problem) throw invalidRule(text, problem)
  return writeRule(readRule(rule))
}

const invalidRule = (text: string, problem: string): Fault =>
  fault.invalid(
    'recurrence',
    'invalid_format',
    `recurrence must be one of ${NAMES.join(', ')}, or a rule of RFC 5545: ${problem}`,
    text,
    HINT,
  )
