import type { Report } from '../../source.ts'
import { isoOf, momentIn } from './time-zones.ts'

/** Which number of 03/04/2026 is the day. */
export type DateOrder = 'day first' | 'month first'

const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'jan ene janv gen jän januar january enero janvier gennaio janeiro januari янв января январь',
    'feb fév fev febr février febbraio fevereiro februar february febrero februari фев февраля февраль',
    'mar mär mrz mars maa märz march marzo março maart мар марта март',
    'apr abr avr avril aprile april abril апр апреля апрель',
    'may mai mag mei maj mayo maggio maio май мая',
    'jun juin giu juni june junio giugno junho июн июня июнь',
    'jul juil lug juli july julio luglio julho juillet июл июля июль',
    'aug ago août aou agosto august augustus авг августа август',
    'sep sept set septembre settembre september septiembre setembro сен сентября сентябрь',
    'oct okt ott out octobre ottobre october oktober octubre outubro окт октября октябрь',
    'nov novembre november noviembre novembro ноя ноября ноябрь',
    'dec dez dic déc décembre dicembre december dezember diciembre dezembro дек декабря декабрь',
  ].flatMap((names, at) => names.split(' ').map((name) => [name, at + 1])),
)

/** 1 for January in several languages, in full or shortened; undefined for other words. */
export const monthNumber = (word: string): number | undefined =>
  MONTHS[word.toLowerCase().replace(/\.$/, '')]

const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/

/** The order of the dates with slashes, dots or dashes; undefined if every one fits both. */
export function dateOrderOf(values: Iterable<string>): DateOrder | undefined {
  for (const value of values) {
    const [, first, separator, second] = NUMERIC.exec(value.trim()) ?? []
    if (separator === '.') return 'day first'
    if (Number(first) > 12) return 'day first'
    if (Number(second) > 12) return 'month first'
  }
  return undefined
}

/** The order of dates. If every one fits both orders, the fallback is reported. */
export function decideDateOrder(
  values: readonly string[],
  fallback: DateOrder,
  report: Report,
): DateOrder {
  const order = dateOrderOf(values)
  const unclear = order ? undefined : values.find(isAmbiguousDate)
  const parts = fallback === 'day first' ? 'day, month, year' : 'month, day, year'
  if (unclear) report.lose(`Order of dates such as ${unclear}`, `Read as ${parts}`)
  return order ?? fallback
}

/** Whether a value is a date whose day and month can be exchanged. */
function isAmbiguousDate(value: string): boolean {
  const [, first, separator, second] = NUMERIC.exec(value.trim()) ?? []
  return (
    !!first && separator !== '.' && first !== second && Number(first) <= 12 && Number(second) <= 12
  )
}

export interface DateContext {
  order?: DateOrder | undefined
  /** The zone of times without one. */
  zone?: string | undefined
}

/** A day, or a moment in UTC if there is a time; undefined if the text is no date. */
export function parseDate(text: string, { order = 'month first', zone = 'UTC' }: DateContext = {}) {
  const value = text.trim()
  const [day, rest] = isoDay(value) ?? numericDay(value, order) ?? namedDay(value) ?? []
  if (!day || rest === undefined || !isRealDay(day)) return undefined
  const time = rest.trim().replace(/^(?:T|,|at\b|um\b)\s*/i, '')
  if (!time) return day
  return momentOf(day, time, zone)
}

const DAY_MS = 86_400_000
const isRealDay = (day: string) =>
  isoOf(Date.parse(day)) !== undefined && new Date(Date.parse(day)).toISOString().startsWith(day)

const pad = (value: string | number) => String(value).padStart(2, '0')
const dayText = (year: string | number, month: string | number, day: string | number) =>
  `${fullYear(String(year))}-${pad(month)}-${pad(day)}`
const fullYear = (year: string) =>
  year.length === 2 ? `${Number(year) < 80 ? '20' : '19'}${year}` : year

function isoDay(value: string): [day: string, rest: string] | undefined {
  const found = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(value)
  const compact = found ? undefined : /^(\d{4})(\d\d)(\d\d)(?=T\d|$)/.exec(value)
  const [whole, year, , month, day] = found ?? []
  if (whole) return [dayText(year!, month!, day!), value.slice(whole.length)]
  if (!compact) return undefined
  const time = value
    .slice(8)
    .replace(/^T(\d\d)(\d\d)(\d\d)?/, (_, h, m, s) => `T${h}:${m}:${s ?? '00'}`)
  return [dayText(compact[1]!, compact[2]!, compact[3]!), time]
}

function numericDay(value: string, order: DateOrder): [day: string, rest: string] | undefined {
  const found = NUMERIC.exec(value)
  if (!found) return undefined
  const [whole, first, separator, second, year] = found
  const isDayFirst =
    separator === '.' || Number(first) > 12 || (order === 'day first' && Number(second) <= 12)
  const [day, month] = isDayFirst ? [first!, second!] : [second!, first!]
  return [dayText(year!, month, day), value.slice(whole.length)]
}

/** `Tue Jul 01 08:35:49 UTC 2025` */
const JAVA_DATE = /^\p{L}{3} (\p{L}{3} \d\d) (\d\d:\d\d:\d\d \w+) (\d{4})$/u

/** January 5, 2026; 5 January 2026; 05-Jan-26; with the name of a weekday before it. */
function namedDay(value: string): [day: string, rest: string] | undefined {
  const plain = value
    .replace(JAVA_DATE, '$1 $3 $2')
    .replace(/^\p{L}{2,}\.?,\s+(?=\d)|^\p{L}{2,9}\.?,?\s+(?=\p{L}+\.? \d)/u, '')
  const dayFirst =
    /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s/-]+(?:de )?(\p{L}+)\.?,?[\s/-]+(?:de )?(\d{4}|\d{2})(?![\d:])/iu
  const monthFirst = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/u
  const [whole, day, name, year] = dayFirst.exec(plain) ?? []
  if (whole && monthNumber(name!))
    return [dayText(year!, monthNumber(name!)!, day!), plain.slice(whole.length)]
  const [all, month, dayOf, yearOf] = monthFirst.exec(plain) ?? []
  if (!all || !monthNumber(month!)) return undefined
  return [dayText(yearOf!, monthNumber(month!)!, dayOf!), plain.slice(all.length)]
}

const TIME =
  /^(\d{1,2})(?::(\d\d))?(?::(\d\d)(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|(?:UTC|GMT)?[+-]\d\d:?\d\d|[+-]\d\d)?(?:\s*\([^)]*\))?$/i

function momentOf(day: string, time: string, zone: string): string | undefined {
  const [whole, hours, minutes, seconds = '00', half = '', offset] = TIME.exec(time) ?? []
  if (!whole || (!minutes && !half)) return undefined
  const hour = half ? (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hours)
  // 24:00 is the midnight at the end of the day.
  const start = hour === 24 ? new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10) : day
  const local = `${start}T${pad(hour % 24)}:${minutes ?? '00'}:${seconds}`
  if (!offset) return momentIn(zone, local)
  const [, sign, h, m = '00'] = /([+-])(\d\d):?(\d\d)?/.exec(offset) ?? []
  const moment = Date.parse(`${local}${sign ? `${sign}${h}:${m}` : 'Z'}`)
  return Number.isNaN(moment) ? undefined : isoOf(moment)
}

/** A moment in UTC from a text of any format; a day becomes its midnight. */
export function parseMoment(text: string, context: DateContext = {}): string | undefined {
  const parsed = parseDate(text, context)
  if (!parsed || parsed.length > 10) return parsed
  return momentIn(context.zone ?? 'UTC', `${parsed}T00:00:00`)
}
