import { CADENCES, type Cadence, type Rule, WEEKDAYS, type Weekday } from './rule.ts'

const DAYS_IN_WEEK = 7
const MONTHS_IN_YEAR = 12

/** Writes a rule in its normal form: a name if one has the same dates, otherwise its parts. */
export function writeRule(rule: Rule): string {
  const { frequency, interval, weekdays, monthDays, months, until, count, fromCompletion } =
    simplify(rule)
  const parts = {
    FREQ: frequency,
    INTERVAL: interval === 1 ? '' : interval,
    BYMONTH: sortedSet(months).join(),
    BYMONTHDAY: sortedSet(monthDays).join(),
    BYDAY: [...new Set(weekdays.toSorted(inOrder).map(weekdayText))].join(),
    UNTIL: until?.replaceAll('-', ''),
    COUNT: count,
    FROM: fromCompletion ? 'COMPLETION' : '',
  }
  const text = Object.entries(parts)
    .flatMap(([name, value]) => (value ? [`${name}=${value}`] : []))
    .join(';')
  const cadences = Object.keys(CADENCES) as Cadence[]
  return cadences.find((name) => CADENCES[name] === text) ?? text
}

/** Rules with the same dates get the same parts: every 7 days is every week. */
function simplify(rule: Rule): Rule {
  const { frequency, interval, weekdays, monthDays } = rule
  if (frequency === 'DAILY' && weekdays.length) return simplify({ ...rule, frequency: 'WEEKLY' })
  if (frequency === 'DAILY' && interval % DAYS_IN_WEEK === 0)
    return { ...rule, frequency: 'WEEKLY', interval: interval / DAYS_IN_WEEK }
  if (frequency === 'WEEKLY' && interval === 1 && sortedSet(weekdays.map(numberOf)).length === 7)
    return { ...rule, frequency: 'DAILY', weekdays: [] }
  const isPlain = !weekdays.length && !monthDays.length
  if (frequency === 'MONTHLY' && isPlain && interval % MONTHS_IN_YEAR === 0)
    return { ...rule, frequency: 'YEARLY', interval: interval / MONTHS_IN_YEAR }
  return rule
}

const numberOf = ({ weekday }: Weekday) => weekday
const weekdayText = ({ weekday, nth }: Weekday) => `${nth || ''}${WEEKDAYS[weekday]}`

/** Negative numbers count from the end, so they come last. */
const fromStart = (one: number, other: number) => Number(one < 0) - Number(other < 0) || one - other
const sortedSet = (numbers: readonly number[]) => [...new Set(numbers)].sort(fromStart)
const inOrder = (one: Weekday, other: Weekday) =>
  fromStart(one.nth, other.nth) || one.weekday - other.weekday
