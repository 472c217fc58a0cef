import ICAL from 'ical.js'
import type { World } from './world.ts'

/** A calendar as somebody else's parser reads it, with the zones that it carries and no others. */
export function parsed(text: string) {
  ICAL.TimezoneService.reset()
  const calendar = new ICAL.Component(ICAL.parse(text))
  const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
  return { calendar, events }
}

/** When the events take place, as the wire writes dates; those that never end, up to so many. */
export function datesOf(events: readonly ICAL.Event[], most: number): string[] {
  const found = events.flatMap((event) => {
    const times: ICAL.Time[] = []
    const walk = event.iterator()
    while (times.length < most) {
      const next = walk.next()
      if (!next) break
      times.push(next)
    }
    return times.map(written)
  })
  return found.sort().slice(0, most)
}

const written = (time: ICAL.Time) =>
  time.isDate ? time.toString() : new Date(time.toUnixTime() * 1000).toISOString()

/** What a calendar is answered at an address, by its path. */
export const visited = (
  w: World,
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
) => w.http(undefined, method, new URL(url).pathname, undefined, headers)
