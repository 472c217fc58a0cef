import { basic, line } from './lines.ts'

/** Calendars ask again every hour; so far ahead they know the clock changes of a zone. */
const YEARS_AHEAD = 10
const MOST_CHANGES = 400

/** A zone whose clock events go by, from the first of them until years after the last. */
export interface Span {
  zone: string
  first: Temporal.PlainDateTime
  last: Temporal.PlainDateTime
}

/** The zone with its clock changes one by one: no rule says those of every zone. */
export function timeZone({ zone, first, last }: Span): string {
  const ends = last.add({ years: YEARS_AHEAD }).toZonedDateTime(zone).epochMilliseconds
  let before = first.subtract({ years: 1 }).toZonedDateTime(zone)
  let text = observance(before, before)
  for (let many = 0; many < MOST_CHANGES; many++) {
    const change = before.getTimeZoneTransition('next')
    if (!change || change.epochMilliseconds > ends) break
    text += observance(before, change)
    before = change
  }
  return `${line('BEGIN:VTIMEZONE')}${line(`TZID:${zone}`)}${text}${line('END:VTIMEZONE')}`
}

/** From a moment on, told by the clock that is left then. */
function observance(before: Temporal.ZonedDateTime, after: Temporal.ZonedDateTime): string {
  const kind = after.offsetNanoseconds > before.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD'
  const left = after.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime()
  return [
    line(`BEGIN:${kind}`),
    line(`DTSTART:${basic(left.toString({ smallestUnit: 'second' }))}`),
    line(`TZOFFSETFROM:${before.offset.replaceAll(':', '')}`),
    line(`TZOFFSETTO:${after.offset.replaceAll(':', '')}`),
    line(`END:${kind}`),
  ].join('')
}
