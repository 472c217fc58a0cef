import type { Chrono } from 'chrono-node/en'
import type { Kind } from './shapes.ts'

/** Who asks, and when. */
export interface Asking {
  now: Temporal.ZonedDateTime
  /** 3/4 is the fourth of March. */
  monthFirst: boolean
  words: { casual: Chrono; GB: Chrono }
}

type Reading = (text: string, asking: Asking) => Temporal.PlainDate | undefined

const NOON = 12
const COUNTS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const SATURDAY = 6
/** It has a 29th of February. */
const LEAP = 2028

const today = ({ now }: Asking) => now.toPlainDate()

/**
 * What the words say of a day. They are read in this machine's time zone, so they are asked at noon
 * of the caller's day, which every zone has, and nothing but the calendar is taken of the answer.
 */
function calendar(text: string, asking: Asking, chrono: Chrono) {
  const { year, month, day } = today(asking)
  const reference = new Date(year, month - 1, day, NOON)
  reference.setFullYear(year)
  const [found, ...others] = chrono.parse(text, reference, { forwardDate: true })
  if (!found || others.length || found.text !== text || found.end) return undefined
  return asDay(found.start.get('year'), found.start.get('month'), found.start.get('day'))
}

function asDay(year: number | null, month: number | null, day: number | null) {
  if (!year || !month || !day) return undefined
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

/** The first such day of a year from today on; the 29th of February may be years away. */
function coming(asking: Asking, { month, day }: Temporal.PlainDate) {
  const from = today(asking)
  for (let year = from.year; year <= from.year + 8; year++) {
    const found = asDay(year, month, day)
    if (found && Temporal.PlainDate.compare(found, from) >= 0) return found
  }
  return undefined
}

const whole = (name: string) =>
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].find((day) =>
    day.startsWith(name.slice(0, 3).toLowerCase()),
  )!

/** The next day of that name, be it today. */
export const weekdayFrom = (name: string, asking: Asking) =>
  calendar(whole(name), asking, asking.words.casual)

const weekday: Reading = (text, asking) => {
  const [name = '', modifier] = text.toLowerCase().split(/\s+/).reverse()
  if (modifier !== 'next') return weekdayFrom(name, asking)
  return calendar(`next ${whole(name)}`, asking, asking.words.casual)
}

const span: Reading = (text, asking) => {
  const from = today(asking)
  const ahead = (weekday: number) => from.add({ days: (weekday + 7 - from.dayOfWeek) % 7 })
  const next = /^next/i.test(text)
  // On a Sunday half of this weekend is still there.
  const sunday = from.dayOfWeek > SATURDAY
  if (/weekend$/i.test(text))
    return sunday && !next ? from : ahead(SATURDAY).add({ weeks: next && !sunday ? 1 : 0 })
  if (/week$/i.test(text)) return from.add({ days: 1 + 7 - from.dayOfWeek })
  if (/month$/i.test(text)) return from.add({ months: 1 }).with({ day: 1 })
  return from.add({ years: 1 }).with({ month: 1, day: 1 })
}

const named: Reading = (text, asking) => {
  const month = text
    .replace(/^the/i, '')
    .match(/\p{L}{3,}/u)![0]
    .slice(0, 3)
  const [, day] = text.match(/(?<!\d)(\d{1,2})(?!\d)/)!
  const [year] = text.match(/\d{4}/) ?? []
  const found = calendar(`${day} ${month} ${year ?? LEAP}`, asking, asking.words.casual)
  return found && (year ? found : coming(asking, found))
}

const numbers: Reading = (text, asking) => {
  const { casual, GB } = asking.words
  const chrono = asking.monthFirst && text.includes('/') ? casual : GB
  const year = /\d{4}$/.test(text)
  const found = calendar(year ? text : `${text}/${LEAP}`, asking, chrono)
  return found && (year ? found : coming(asking, found))
}

/** The first month from this one on that has the day still before it. */
const nth: Reading = (text, asking) => {
  const day = /first$/i.test(text) ? 1 : Number.parseInt(text.replace(/\D+/, ''), 10)
  const from = today(asking)
  for (let months = 0; months <= 2; months++) {
    const { year, month } = from.with({ day: 1 }).add({ months })
    const found = asDay(year, month, day)
    if (found && Temporal.PlainDate.compare(found, from) >= 0) return found
  }
  return undefined
}

/** `3 days` or `an hour`, in these units. */
function counted(text: string): [count: number, unit: string] {
  const [, count = '', unit = ''] = text.match(/^in\s+(half\s+an|\d+|\p{L}+)\s*(\p{L}+)$/iu)!
  const spelt = COUNTS.indexOf(count.toLowerCase()) + 1
  return [/^\d/.test(count) ? Number(count) : /^half/i.test(count) ? 0.5 : spelt || 1, unit]
}

const later: Reading = (text, asking) => {
  const [count, unit] = counted(text)
  return today(asking).add({ [`${unit.toLowerCase().replace(/s$/, '')}s`]: count })
}

/** Seconds are nobody's plan. */
export function soon(text: string, { now }: Asking): Temporal.ZonedDateTime {
  const [count, unit] = counted(text)
  const minutes = /^h/i.test(unit) ? count * 60 : count
  return now.add({ minutes }).round({ smallestUnit: 'minute', roundingMode: 'floor' })
}

/** A time without an offset is one of the caller's. */
export function momentOf(text: string, { now }: Asking): Temporal.ZonedDateTime | undefined {
  try {
    return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(11))
      ? Temporal.Instant.from(text).toZonedDateTimeISO(now.timeZoneId)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(now.timeZoneId)
  } catch {
    return undefined
  }
}

const word: Reading = (text, asking) =>
  calendar(/^(?:tonight|this\s.*)$/i.test(text) ? 'today' : text, asking, asking.words.casual)

const iso: Reading = (text) => asDay(...(text.split('-').map(Number) as [number, number, number]))

/** How each kind of day is read; nothing where the calendar has no such day. */
export const READINGS: Record<Exclude<Kind, 'soon' | 'moment'>, Reading> = {
  ...{ word, weekday, span, named, numbers, nth, later, iso },
}
