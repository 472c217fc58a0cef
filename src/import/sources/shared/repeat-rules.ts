import { readRule } from '../../../kernel/recurrence/rule.ts'

const DAY = '(?:[+-]?\\d{1,2})?(?:MO|TU|WE|TH|FR|SA|SU)'
const FORMS: Readonly<Record<string, RegExp>> = {
  FREQ: /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  BYDAY: new RegExp(`^${DAY}(?:,${DAY})*$`),
  BYMONTHDAY: /^(?:[1-9]|[12]\d|3[01]|-1)(?:,(?:[1-9]|[12]\d|3[01]|-1))*$/,
  BYMONTH: /^(?:[1-9]|1[0-2])(?:,(?:[1-9]|1[0-2]))*$/,
  UNTIL: /^\d{8}$/,
  COUNT: /^[1-9]\d{0,2}$/,
  FROM: /^COMPLETION$/,
}
/** The time of day is that of the due date, and weeks begin on Monday. */
const IGNORED = new Set(['WKST', 'BYHOUR', 'BYMINUTE', 'BYSECOND', 'RSCALE', 'SKIP'])

/** A rule of RFC 5545 in the parts that Corkboard has; undefined if it needs others. */
export function supportedRule(text: string): string | undefined {
  const parts = new Map<string, string>()
  for (const part of text
    .trim()
    .toUpperCase()
    .replace(/^RRULE[:;]/, '')
    .split(';')) {
    const [name = '', value = ''] = part.split('=')
    if (!name || IGNORED.has(name) || (name === 'INTERVAL' && value === '1')) continue
    parts.set(name, value)
  }
  const until = parts.get('UNTIL')
  if (until) parts.set('UNTIL', until.replaceAll('-', '').slice(0, 8))
  mergePosition(parts)
  for (const name of ['BYMONTHDAY', 'BYMONTH'])
    if (parts.has(name)) parts.set(name, parts.get(name)!.replace(/(^|,)\+?0?(?=[1-9])/g, '$1'))
  if (parts.get('FREQ') === 'MONTHLY' && parts.has('BYMONTH') && !parts.has('INTERVAL'))
    parts.set('FREQ', 'YEARLY')
  for (const [name, value] of parts) if (!FORMS[name]?.test(value)) return undefined
  const rule = [...parts].map(([name, value]) => `${name}=${value}`).join(';')
  return parts.has('FREQ') && isConsistent(rule) ? rule : undefined
}

/** The last of some weekday is written as BYDAY=-1FR instead of with BYSETPOS. */
function mergePosition(parts: Map<string, string>): void {
  const position = parts.get('BYSETPOS')
  const days = parts.get('BYDAY')
  if (!position || !days || !/^[A-Z]{2}$/.test(days) || !/^(?:-1|[1-5])$/.test(position)) return
  parts.set('BYDAY', `${position}${days}`)
  parts.delete('BYSETPOS')
}

function isConsistent(text: string): boolean {
  const { frequency, interval, weekdays, monthDays, months, until, count } = readRule(text)
  const most = Math.max(0, ...weekdays.map(({ nth }) => Math.abs(nth)))
  const isYearly = frequency === 'YEARLY'
  const isLong = isYearly || frequency === 'MONTHLY'
  if (until !== undefined && (count !== undefined || Number.isNaN(Date.parse(until)))) return false
  if (frequency === 'DAILY' && weekdays.length && interval > 1) return false
  if (most > 0 && (!isLong || most > (isYearly && !months.length ? 53 : 5))) return false
  if (months.length && !isYearly) return false
  if (monthDays.length && !(isLong && (months.length || !isYearly))) return false
  return !(monthDays.length && weekdays.length)
}
