import { type Rule, readRule } from './rule.ts'

const list = (item: string) => new RegExp(`^(?:${item})(?:,(?:${item}))*$`)

/** The parts of a rule: the form of its value, and that form in words. */
const PARTS: Record<string, readonly [form: RegExp, words: string]> = {
  FREQ: [/^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/, 'DAILY, WEEKLY, MONTHLY or YEARLY'],
  INTERVAL: [/^[1-9]\d{0,2}$/, '1 to 999'],
  BYDAY: [
    list('(?:[+-]?0?[1-9]|[+-]?[1-4]\\d|[+-]?5[0-3])?(?:MO|TU|WE|TH|FR|SA|SU)'),
    'days such as MO,FR, or 2FR and -1FR in a month or year',
  ],
  BYMONTHDAY: [list('0?[1-9]|[12]\\d|3[01]|-1'), 'days of 1 to 31, or -1 for the last'],
  BYMONTH: [list('0?[1-9]|1[0-2]'), 'months of 1 to 12'],
  UNTIL: [/^\d{8}$/, 'a day such as 20270301'],
  COUNT: [/^[1-9]\d{0,2}$/, '1 to 999'],
  FROM: [/^COMPLETION$/, 'COMPLETION'],
}

export const RULE_PARTS = Object.keys(PARTS)

/** Why a text in capital letters is no rule that Corkboard knows; undefined if it is one. */
export const ruleProblem = (rule: string): string | undefined =>
  partProblem(rule) ?? combinationProblem(readRule(rule))

function partProblem(rule: string): string | undefined {
  const seen = new Set<string>()
  for (const part of rule.split(';')) {
    const [name = '', value = '', ...others] = part.split('=')
    if (!Object.hasOwn(PARTS, name) || others.length) return `"${part}" is not supported`
    const [form, words] = PARTS[name]!
    if (!form.test(value)) return `${name} must be ${words}`
    if (seen.has(name)) return `${name} is there twice`
    seen.add(name)
  }
  return seen.has('FREQ') ? undefined : 'FREQ is missing'
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const MOST_WEEKS_IN_MONTH = 5

/** Why the parts of a rule do not fit together. */
function combinationProblem(rule: Rule): string | undefined {
  const { frequency, interval, weekdays, monthDays, months, until, count } = rule
  const isYearly = frequency === 'YEARLY'
  const isLong = isYearly || frequency === 'MONTHLY'
  const most = Math.max(0, ...weekdays.map(({ nth }) => Math.abs(nth)))
  if (until !== undefined && count !== undefined) return 'use UNTIL or COUNT, not both'
  if (until !== undefined && !isValidDay(until)) return 'UNTIL is not a day of the calendar'
  if (frequency === 'DAILY' && weekdays.length && interval > 1) return 'BYDAY needs FREQ=WEEKLY'
  if (most && !isLong) return 'BYDAY has numbers only with FREQ=MONTHLY or YEARLY'
  if (most > MOST_WEEKS_IN_MONTH && !(isYearly && !months.length))
    return 'a month has at most 5 such days'
  if (months.length && !isYearly) return 'BYMONTH needs FREQ=YEARLY'
  if (monthDays.length && !(isLong && (months.length || !isYearly)))
    return 'BYMONTHDAY needs FREQ=MONTHLY, or FREQ=YEARLY with BYMONTH'
  if (monthDays.length && weekdays.length) return 'use BYDAY or BYMONTHDAY, not both'
  const isInMonth = (month: number) => monthDays.some((day) => day <= LONGEST_MONTHS[month - 1]!)
  if (monthDays.length && months.length && !months.some(isInMonth)) return 'it names no date'
  return undefined
}

/** Whether a day such as 2027-02-28 is in the calendar. */
function isValidDay(day: string): boolean {
  const time = Date.parse(day)
  return time > Date.parse('0000-12-31') && new Date(time).toISOString().startsWith(day)
}
