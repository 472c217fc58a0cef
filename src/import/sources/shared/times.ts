import { stringOf } from './json.ts'

const TIME =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?(?:\s+\w+)?$/
const DAY = /^\d{4}-\d\d-\d\d$/

/**
 * A time as ISO 8601 in UTC. A number is in seconds since 1970, a time without a zone is in UTC, and
 * a day begins at midnight. Years that stand for no time, such as 1, are left out.
 */
export function momentOf(value: unknown): string | undefined {
  const text = stringOf(value)
  if (/^\d+$/.test(text)) return Number(text) > 0 ? isoOf(Number(text) * 1000) : undefined
  if (DAY.test(text)) return isoOf(Date.parse(text))
  const [, day, time, fraction = '', zone] = TIME.exec(text) ?? []
  return day && isoOf(Date.parse(`${day}T${time}${fraction.slice(0, 4)}${isoZone(zone)}`))
}

const FIRST = Date.parse('1000-01-01')
const END = Date.parse('+010000-01-01')

const isoOf = (time: number) =>
  time >= FIRST && time < END ? new Date(time).toISOString() : undefined

const isoZone = (zone = 'Z') => {
  if (zone === 'UTC' || zone === 'Z') return 'Z'
  return zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(\d\d)$/, '$1:$2')
}

/** The day of a date or time, in UTC. */
export const dayOf = (value: unknown): string | undefined => momentOf(value)?.slice(0, 10)

/** A day stays a day, and a time stays a time. */
export const dayOrMomentOf = (value: unknown): string | undefined =>
  DAY.test(stringOf(value)) ? dayOf(value) : momentOf(value)

/** A day if the time is midnight in UTC, as products write days without a time. */
export function dateOf(value: unknown): string | undefined {
  const moment = momentOf(value)
  return moment?.endsWith('T00:00:00.000Z') ? moment.slice(0, 10) : moment
}
