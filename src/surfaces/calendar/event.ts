import { basic, day, escaped, line } from './lines.ts'

/** What a feed says of a task. */
export interface Entry {
  task_id: number
  ticket_number: string
  title: string
  text: string
  url: string
  labels: string[]
  priority: number
  updated_at: string
  /** A day, or a moment in UTC. */
  due_date: string
  repeat: Repeat | null
}

/** How it comes again. Dates are local, but for those that stand `alone` before the series. */
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

/** An event for a task; more of them where the series that it begins does not begin with it. */
export function eventsOf(entry: Entry, host: string): string {
  const { repeat, due_date } = entry
  const named = (more = '') => `task-${entry.task_id}${more}@${host}`
  if (!repeat) return event(entry, named(), at(due_date))
  const [own, next] = repeat.alone
  return [
    own ? event(entry, named(), at(own)) : '',
    next ? event(entry, named('-next'), at(next)) : '',
    event(entry, named(own && '-later'), series(repeat)),
  ].join('')
}

/** By RFC 5545 a rule leaves out what clocks skip, and not all calendars do: so both are said. */
function series({ begins, time_zone, rule, also, without }: Repeat): string {
  const type = isDay(begins) ? 'VALUE=DATE' : `TZID=${time_zone}`
  const dates = (name: string, some: readonly string[]) =>
    some.length ? line(`${name};${type}:${some.map(compact).join()}`) : ''
  const rest = dates('EXDATE', without) + dates('RDATE', also)
  return at(begins, time_zone) + line(`RRULE:${rule}`) + rest
}

const compact = (date: string) => (isDay(date) ? day(date) : basic(date))

/** A day lasts a day; a moment is given half an hour, for calendars hide what takes no time. */
function at(date: string, zone?: string): string {
  if (isDay(date)) return line(`DTSTART;VALUE=DATE:${day(date)}`)
  const start = zone ? `DTSTART;TZID=${zone}` : 'DTSTART'
  return line(`${start}:${basic(date)}`) + line('DURATION:PT30M')
}

/** Without METHOD a stamp says when the event was last changed, so the same text stays the same. */
function event(entry: Entry, uid: string, dates: string): string {
  const { labels, url } = entry
  const priority = PRIORITIES[entry.priority]
  const changed = basic(entry.updated_at)
  const description = entry.text ? `${entry.text}\n\n${url}` : url
  return [
    line('BEGIN:VEVENT'),
    line(`UID:${uid}`),
    line(`DTSTAMP:${changed}`),
    line(`LAST-MODIFIED:${changed}`),
    dates,
    line(`SUMMARY:${escaped(`${entry.ticket_number} ${entry.title}`)}`),
    line(`DESCRIPTION:${escaped(description)}`),
    line(`URL:${url}`),
    labels.length ? line(`CATEGORIES:${labels.map(escaped).join()}`) : '',
    priority ? line(`PRIORITY:${priority}`) : '',
    line('STATUS:CONFIRMED'),
    line('TRANSP:TRANSPARENT'),
    line('END:VEVENT'),
  ].join('')
}
