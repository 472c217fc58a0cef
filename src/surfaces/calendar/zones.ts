import { basicDateTime, line } from './lines.ts'

/** How far ahead clock changes are listed. Calendars fetch the feed every hour. */
const YEARS_AHEAD = 10
const MAX_CHANGES = 400

/** A time zone, with the first and the last local time that events have in it. */
export interface Span {
  zone: string
  first: Temporal.PlainDateTime
  last: Temporal.PlainDateTime
}

/** Lists the clock changes of a zone one by one, because no rule describes those of every zone. */
export function timeZone({ zone, first, last }: Span): string {
  const endMs = last.add({ years: YEARS_AHEAD }).toZonedDateTime(zone).epochMilliseconds
  let previous = first.subtract({ years: 1 }).toZonedDateTime(zone)
  let text = observance(previous, previous)
  for (let count = 0; count < MAX_CHANGES; count++) {
    const change = previous.getTimeZoneTransition('next')
    if (!change || change.epochMilliseconds > endMs) break
    text += observance(previous, change)
    previous = change
  }
  return `${line('BEGIN:VTIMEZONE')}${line(`TZID:${zone}`)}${text}${line('END:VTIMEZONE')}`
}

/** One clock change. Its start is given in the time of the old offset. */
function observance(before: Temporal.ZonedDateTime, after: Temporal.ZonedDateTime): string {
  const kind = after.offsetNanoseconds > before.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD'
  const localStart = after.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime()
  return [
    line(`BEGIN:${kind}`),
    line(`DTSTART:${basicDateTime(localStart.toString({ smallestUnit: 'second' }))}`),
    line(`TZOFFSETFROM:${before.offset.replaceAll(':', '')}`),
    line(`TZOFFSETTO:${after.offset.replaceAll(':', '')}`),
    line(`END:${kind}`),
  ].join('')
}
