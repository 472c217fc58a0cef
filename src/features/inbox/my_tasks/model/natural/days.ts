import type { Chrono } from 'chrono-node/en'
import type { Kind } from './shapes.ts'

/** The caller's time and date conventions. */
export interface ParsingContext {
  now: Temporal.ZonedDateTime
  /** Whether 3/4 means the fourth of March. */
  monthFirst: boolean
  /** The caller's language. Its words are understood in addition to English. */
  language?: string
  parsers: { casual: Chrono; GB: Chrono }
}

type Reading = (text: string, context: ParsingContext) => Temporal.PlainDate | undefined

const NOON = 12
const COUNTS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const SATURDAY = 6
/** A year with a 29th of February. */
const LEAP = 2028

const today = ({ now }: ParsingContext) => now.toPlainDate()

/**
 * Parses words for a day with chrono. It works in the server's time zone, so it is given noon of
 * the caller's day, which exists in every zone, and only the calendar date of its answer is used.
 */
function calendar(text: string, context: ParsingContext, chrono: Chrono) {
  const { year, month, day } = today(context)
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

/** The next occurrence of a day and month. The 29th of February may be years ahead. */
function nextSuchDay(context: ParsingContext, { month, day }: Temporal.PlainDate) {
  const from = today(context)
  for (let year = from.year; year <= from.year + 8; year++) {
    const found = asDay(year, month, day)
    if (found && Temporal.PlainDate.compare(found, from) >= 0) return found
  }
  return undefined
}

const fullName = (name: string) =>
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].find((day) =>
    day.startsWith(name.slice(0, 3).toLowerCase()),
  )!

/** The next day of that name, today included. */
export const weekdayFrom = (name: string, context: ParsingContext) =>
  calendar(fullName(name), context, context.parsers.casual)

const weekday: Reading = (text, context) => {
  const [name = '', modifier] = text.toLowerCase().split(/\s+/).reverse()
  if (modifier !== 'next') return weekdayFrom(name, context)
  return calendar(`next ${fullName(name)}`, context, context.parsers.casual)
}

const span: Reading = (text, context) => {
  const from = today(context)
  const ahead = (weekday: number) => from.add({ days: (weekday + 7 - from.dayOfWeek) % 7 })
  const next = /^next/i.test(text)
  // On a Sunday, `this weekend` is today.
  const sunday = from.dayOfWeek > SATURDAY
  if (/weekend$/i.test(text))
    return sunday && !next ? from : ahead(SATURDAY).add({ weeks: next && !sunday ? 1 : 0 })
  if (/week$/i.test(text)) return from.add({ days: 1 + 7 - from.dayOfWeek })
  if (/month$/i.test(text)) return from.add({ months: 1 }).with({ day: 1 })
  return from.add({ years: 1 }).with({ month: 1, day: 1 })
}

const named: Reading = (text, context) => {
  const month = text
    .replace(/^the/i, '')
    .match(/\p{L}{3,}/u)![0]
    .slice(0, 3)
  const [, day] = text.match(/(?<!\d)(\d{1,2})(?!\d)/)!
  const [year] = text.match(/\d{4}/) ?? []
  const found = calendar(`${day} ${month} ${year ?? LEAP}`, context, context.parsers.casual)
  return found && (year ? found : nextSuchDay(context, found))
}

const numbers: Reading = (text, context) => {
  const { casual, GB } = context.parsers
  const chrono = context.monthFirst && text.includes('/') ? casual : GB
  const year = /\d{4}$/.test(text)
  const found = calendar(year ? text : `${text}/${LEAP}`, context, chrono)
  return found && (year ? found : nextSuchDay(context, found))
}

/** The next such day of a month, today included. */
const nth: Reading = (text, context) => {
  const day = /first$/i.test(text) ? 1 : Number.parseInt(text.replace(/\D+/, ''), 10)
  const from = today(context)
  for (let months = 0; months <= 2; months++) {
    const { year, month } = from.with({ day: 1 }).add({ months })
    const found = asDay(year, month, day)
    if (found && Temporal.PlainDate.compare(found, from) >= 0) return found
  }
  return undefined
}

/** The count and the unit of `in 3 days` or `in an hour`. */
function parseCount(text: string): [count: number, unit: string] {
  const [, count = '', unit = ''] = text.match(/^in\s+(half\s+an|\d+|\p{L}+)\s*(\p{L}+)$/iu)!
  return [/^half/i.test(count) ? 0.5 : countOf(count.toLowerCase()), unit]
}

/** The number in digits or words; `a` and `an` are 1. */
export const countOf = (word: string): number =>
  /^\d/.test(word) ? Number(word) : COUNTS.indexOf(word) + 1 || 1

const later: Reading = (text, context) => {
  const [count, unit] = parseCount(text)
  return today(context).add({ [`${unit.toLowerCase().replace(/s$/, '')}s`]: count })
}

/** Rounds down to the minute. */
export function momentFromNow(text: string, { now }: ParsingContext): Temporal.ZonedDateTime {
  const [count, unit] = parseCount(text)
  const minutes = /^h/i.test(unit) ? count * 60 : count
  return now.add({ minutes }).round({ smallestUnit: 'minute', roundingMode: 'floor' })
}

/** A time without an offset is in the caller's zone. */
export function momentOf(
  text: string,
  { now }: ParsingContext,
): Temporal.ZonedDateTime | undefined {
  try {
    return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(11))
      ? Temporal.Instant.from(text).toZonedDateTimeISO(now.timeZoneId)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(now.timeZoneId)
  } catch {
    return undefined
  }
}

const word: Reading = (text, context) =>
  calendar(/^(?:tonight|this\s.*)$/i.test(text) ? 'today' : text, context, context.parsers.casual)

const iso: Reading = (text) => asDay(...(text.split('-').map(Number) as [number, number, number]))

/** The parser of each kind of day; undefined if the calendar has no such day. */
export const READINGS: Record<Exclude<Kind, 'soon' | 'moment'>, Reading> = {
  word,
  weekday,
  span,
  named,
  numbers,
  nth,
  later,
  iso,
}
