import { basicDate, basicDateTime, escapeText, line } from './lines.ts'

/** A task in a feed. */
export interface Entry {
  task_id: number
  ticket_number: string
  title: string
  text: string
  url: string
  labels: string[]
  priority: number
  updated_at: string
  /** A date, or a time in UTC. */
  due_date: string
  repeat: Repeat | null
}

/** How a task repeats. All dates are local, except those in `alone`, which precede the series. */
export interface Repeat {
  rule: string
  time_zone: string
  begins: string
  alone: string[]
  also: string[]
  without: string[]
}

/** None, Urgent, High, Medium and Low on the scale from 1 to 9. */
const PRIORITIES = [undefined, 1, 3, 5, 9]

export const isDay = (date: string) => !date.includes('T')

/** How the parts of a repeating task are written. */
interface Parts {
  /** `suffix` distinguishes the parts in their ids. */
  write(suffix: string, dates: string): string
  dates(date: string, zone?: string): string
}

/** The parts of a task. A repeating task has up to two single dates before its series. */
export function partsOf(
  { repeat, due_date }: Pick<Entry, 'repeat' | 'due_date'>,
  { write, dates }: Parts,
): string {
  if (!repeat) return write('', dates(due_date))
  const [first, next] = repeat.alone
  return [
    first ? write('', dates(first)) : '',
    next ? write('-next', dates(next)) : '',
    write(first ? '-later' : '', dates(repeat.begins, repeat.time_zone) + seriesRule(repeat)),
  ].join('')
}

/** The events of a task. */
export const eventsOf = (entry: Entry, host: string): string =>
  partsOf(entry, {
    write: (suffix, dates) => event(entry, `task-${entry.task_id}${suffix}@${host}`, dates),
    dates: startLines,
  })

/**
 * The rule of a series. By RFC 5545, a rule omits times that clock changes skip, but not all
 * calendars do so. Explicit exceptions and additions make them agree.
 */
function seriesRule({ begins, time_zone, rule, also, without }: Repeat): string {
  const type = isDay(begins) ? 'VALUE=DATE' : `TZID=${time_zone}`
  const dates = (name: string, values: readonly string[]) =>
    values.length ? line(`${name};${type}:${values.map(toBasic).join()}`) : ''
  return line(`RRULE:${rule}`) + dates('EXDATE', without) + dates('RDATE', also)
}

const toBasic = (date: string) => (isDay(date) ? basicDate(date) : basicDateTime(date))

/** The start. A time gets a duration of half an hour, because calendars hide events without one. */
const startLines = (date: string, zone?: string): string =>
  dateLine('DTSTART', date, zone) + (isDay(date) ? '' : line('DURATION:PT30M'))

export function dateLine(name: string, date: string, zone?: string): string {
  if (isDay(date)) return line(`${name};VALUE=DATE:${basicDate(date)}`)
  return line(`${name}${zone ? `;TZID=${zone}` : ''}:${basicDateTime(date)}`)
}

function event(entry: Entry, uid: string, dates: string): string {
  return [
    line('BEGIN:VEVENT'),
    line(`UID:${uid}`),
    taskLines(entry),
    dates,
    line('STATUS:CONFIRMED'),
    line('TRANSP:TRANSPARENT'),
    line('END:VEVENT'),
  ].join('')
}

/**
 * The lines that an event and a to-do have in common. DTSTAMP is the last change, as RFC 5545 says
 * without METHOD. So unchanged events keep their text.
 */
export function taskLines(entry: Omit<Entry, 'due_date' | 'repeat'>): string {
  const { labels, url } = entry
  const priority = PRIORITIES[entry.priority]
  const updated = basicDateTime(entry.updated_at)
  const description = entry.text ? `${entry.text}\n\n${url}` : url
  return [
    line(`DTSTAMP:${updated}`),
    line(`LAST-MODIFIED:${updated}`),
    line(`SUMMARY:${escapeText(`${entry.ticket_number} ${entry.title}`)}`),
    line(`DESCRIPTION:${escapeText(description)}`),
    line(`URL:${url}`),
    labels.length ? line(`CATEGORIES:${labels.map(escapeText).join()}`) : '',
    priority ? line(`PRIORITY:${priority}`) : '',
  ].join('')
}
