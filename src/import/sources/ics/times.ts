import ICAL from 'ical.js'
import { isKnownZone, isoOf, momentIn } from '../shared/time-zones.ts'
import { type Component, type Property, parameterOf, valuesOf } from './parse.ts'

/** A day, or a moment in UTC. Times without a zone are in that of the calendar. */
export function dateOf(todo: Component, name: string, zone: string): string | undefined {
  const property = todo.getFirstProperty(name)
  return property ? timeOf(property, zone) : undefined
}

function timeOf(property: Property, zone: string): string | undefined {
  const [value] = valuesOf(property)
  if (!(value instanceof ICAL.Time)) return undefined
  const text = value.toString().replace(/Z$/, '')
  if (Number.isNaN(Date.parse(`${text.slice(0, 10)}T00:00:00Z`))) return undefined
  if (value.isDate) return text.slice(0, 10)
  if (value.zone === ICAL.Timezone.utcTimezone) return momentIn('UTC', text)
  const known = knownZone(parameterOf(property, 'tzid'))
  if (known) return momentIn(known, text)
  const hasRules = value.zone && value.zone !== ICAL.Timezone.localTimezone
  return hasRules ? isoOf(value.toUnixTime() * 1000) : momentIn(zone, text)
}

/** Zones are also named like `/mozilla.org/20050126_1/Europe/Berlin`. */
function knownZone(name: string): string | undefined {
  if (!name) return undefined
  const short = /([A-Z]\w+\/[A-Z][\w+-]*(?:\/[A-Z]\w+)?)$/.exec(name)?.[1] ?? name
  return [name, short].find(isKnownZone)
}

/** A moment; a day is its midnight. */
export function momentOf(todo: Component, name: string, zone: string): string | undefined {
  const date = dateOf(todo, name, zone)
  return date && date.length === 10 ? momentIn(zone, `${date}T00:00:00`) : date
}

/** The due date, also if it is written as a duration from the start. */
export function dueOf(todo: Component, zone: string): string | undefined {
  const due = dateOf(todo, 'due', zone) ?? dateOf(todo, 'dtend', zone)
  const start = dateOf(todo, 'dtstart', zone)
  const [duration] = todo.getAllProperties('duration').flatMap(valuesOf)
  if (due || !start || !(duration instanceof ICAL.Duration)) return due
  const end = isoOf(Date.parse(start) + duration.toSeconds() * 1000)
  return start.length === 10 ? end?.slice(0, 10) : end
}
