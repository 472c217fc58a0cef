import ICAL from 'ical.js'
import type { World } from './world.ts'

/** Parses a calendar with an independent library that knows only the time zones in the text. */
export function parseCalendar(text: string) {
  ICAL.TimezoneService.reset()
  const calendar = new ICAL.Component(ICAL.parse(text))
  const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
  return { calendar, events }
}

/** The first dates of the events, in the format of the API. The limit ends endless series. */
export function eventDates(events: readonly ICAL.Event[], limit: number): string[] {
  const dates = events.flatMap((event) => {
    const times: ICAL.Time[] = []
    const iterator = event.iterator()
    while (times.length < limit) {
      const next = iterator.next()
      if (!next) break
      times.push(next)
    }
    return times.map(formatTime)
  })
  return dates.sort().slice(0, limit)
}

const formatTime = (time: ICAL.Time) =>
  time.isDate ? time.toString() : new Date(time.toUnixTime() * 1000).toISOString()

/** Requests a calendar feed by its URL, without a credential. */
export const fetchCalendar = (
  w: World,
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
) => w.http(undefined, method, new URL(url).pathname, undefined, headers)
