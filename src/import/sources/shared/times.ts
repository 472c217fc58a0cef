import { stringOf } from './json.ts'

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** A time as ISO 8601 in UTC. A time without a zone is in UTC; year 1 stands for no time. */
export function momentOf(value: unknown): string | undefined {
  const text = stringOf(value)
  const [, day, time, zone] = TIME.exec(text) ?? []
  const iso = DAY.test(text) ? `${text}T00:00:00Z` : `${day}T${time}${isoZone(zone)}`
  const date = new Date(iso)
  if (Number.isNaN(date.valueOf()) || date.getUTCFullYear() < 1000) return
  return date.getUTCFullYear() > 9999 ? undefined : date.toISOString()
}

const isoZone = (zone = 'Z') => {
  if (zone === 'UTC' || zone === 'Z') return 'Z'
  return zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(\d\d)$/, '$1:$2')
}

/** The day of a date or time, in UTC. */
export const dayOf = (value: unknown): string | undefined => momentOf(value)?.slice(0, 10)

/** A day stays a day, and a time stays a time. */
export const dayOrMomentOf = (value: unknown): string | undefined =>
  DAY.test(stringOf(value)) ? dayOf(value) : momentOf(value)
