import { type Frequency, type Rule, readRule, type Weekday } from './rule.ts'

const UNITS: Record<Frequency, string> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

/** Describes a valid rule in English: `every 2 weeks on Monday and Friday, until 1 Mar 2027`. */
export function describeRule(recurrence: string): string {
  const rule = readRule(recurrence)
  return `every ${period(rule)}${daysIn(rule)}${rule.fromCompletion ? ' after completion' : ''}${endOf(rule)}`
}

const isWorkweek = ({ frequency, interval, weekdays }: Rule) =>
  frequency === 'WEEKLY' &&
  interval === 1 &&
  weekdays.map(({ weekday }) => weekday).join() === '0,1,2,3,4'

function period(rule: Rule): string {
  const { frequency, interval } = rule
  if (isWorkweek(rule)) return 'weekday'
  return interval === 1 ? UNITS[frequency] : `${interval} ${UNITS[frequency]}s`
}

function daysIn(rule: Rule): string {
  const { frequency, weekdays, monthDays, months } = rule
  const names = listed(months.map((month) => MONTHS[month - 1]!))
  if (monthDays.length)
    return ` on the ${listed(monthDays.map(dayOfMonth))}${names && ` of ${names}`}`
  if (!weekdays.length || isWorkweek(rule)) return names && ` in ${names}`
  if (frequency === 'WEEKLY') return ` on ${listed(weekdays.map(({ weekday }) => DAYS[weekday]!))}`
  const of = names || (frequency === 'YEARLY' ? 'the year' : '')
  return ` on ${listed(weekdays.map(nthWeekday))}${of && ` of ${of}`}`
}

const dayOfMonth = (day: number) => (day < 0 ? `${ordinal(day)} day` : ordinal(day))
const nthWeekday = ({ weekday, nth }: Weekday) =>
  `${nth ? `the ${ordinal(nth)}` : 'every'} ${DAYS[weekday]}`

/** 1st, 2nd, 3rd, 4th; last, 2nd last. */
function ordinal(n: number): string {
  if (n < 0) return n === -1 ? 'last' : `${ordinal(-n)} last`
  const isTeen = n % 100 > 10 && n % 100 < 14
  return n + ((isTeen ? undefined : ['th', 'st', 'nd', 'rd'][n % 10]) ?? 'th')
}

const listed = (words: readonly string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join()

function endOf({ until, count }: Rule): string {
  if (count !== undefined) return count === 1 ? ', for the last time' : `, ${count} times`
  if (!until) return ''
  const [year, month, day] = until.split('-').map(Number)
  return `, until ${day} ${MONTHS[month! - 1]!.slice(0, 3)} ${year}`
}
