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

const isDay = (date: string) => !date.includes('T')

/** The events of a task. A repeating task has up to two single events before its series. */
export function eventsOf(entry: Entry, host: string): string {
  const { repeat, due_date } = entry
  const uid = (suffix = '') => `task-${entry.task_id}${suffix}@${host}`
  if (!repeat) return event(entry, uid(), startLines(due_date))
  const [first, next] = repeat.alone
  return [
    first ? event(entry, uid(), startLines(first)) : '',
    next ? event(entry, uid('-next'), startLines(next)) : '',
    event(entry, uid(first && '-later'), seriesDates(repeat)),
  ].join('')
}

/**
 * The dates of a series. By RFC 5545, a rule omits times that clock changes skip, but not all
 * calendars do so. Explicit exceptions and additions make them agree.
 */
function seriesDates({ begins, time_zone, rule, also, without }: Repeat): string {
  const type = isDay(begins) ? 'VALUE=DATE' : `TZID=${time_zone}`
  const dates = (name: string, values: readonly string[]) =>
    values.length ? line(`${name};${type}:${values.map(toBasic).join()}`) : ''
  const exceptions = dates('EXDATE', without) + dates('RDATE', also)
  return startLines(begins, time_zone) + line(`RRULE:${rule}`) + exceptions
}

const toBasic = (date: string) => (isDay(date) ? basicDate(date) : basicDateTime(date))

/** The start. A time gets a duration of half an hour, because calendars hide events without one. */
function startLines(date: string, zone?: string): string {
  if (isDay(date)) return line(`DTSTART;VALUE=DATE:${basicDate(date)}`)
  const start = zone ? `DTSTART;TZID=${zone}` : 'DTSTART'
  return line(`${start}:${basicDateTime(date)}`) + line('DURATION:PT30M')
}

/**
 * DTSTAMP is the last change, as RFC 5545 says without METHOD. So unchanged events keep their text.
 */
function event(entry: Entry, uid: string, dates: string): string {
  const { labels, url } = entry
  const priority = PRIORITIES[entry.priority]
  const updated = basicDateTime(entry.updated_at)
  const description = entry.text ? `${entry.text}\n\n${url}` : url
  return [
    line('BEGIN:VEVENT'),
    line(`UID:${uid}`),
    line(`DTSTAMP:${updated}`),
    line(`LAST-MODIFIED:${updated}`),
    dates,
    line(`SUMMARY:${escapeText(`${entry.ticket_number} ${entry.title}`)}`),
    line(`DESCRIPTION:${escapeText(description)}`),
    line(`URL:${url}`),
    labels.length ? line(`CATEGORIES:${labels.map(escapeText).join()}`) : '',
    priority ? line(`PRIORITY:${priority}`) : '',
    line('STATUS:CONFIRMED'),
    line('TRANSP:TRANSPARENT'),
    line('END:VEVENT'),
  ].join('')
}
