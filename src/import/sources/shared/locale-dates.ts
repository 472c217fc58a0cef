/** A date of a file that people read: a day, and the moment if it has a time of day. */
export interface LocaleDate {
  day: string
  moment: string
  hasTime: boolean
}

export type DateOrder = 'day first' | 'month first'

const MONTHS = [
  ['jan', 'ene', 'gen', 'янв'],
  ['feb', 'fév', 'fev', 'фев'],
  ['mar', 'mär', 'mrz', 'maa', 'мар'],
  ['apr', 'avr', 'abr', 'апр'],
  ['may', 'mai', 'mag', 'mei', 'maj', 'май', 'мая'],
  ['jun', 'juin', 'giu', 'июн'],
  ['jul', 'juil', 'lug', 'июл'],
  ['aug', 'aoû', 'ago', 'авг'],
  ['sep', 'set', 'сен'],
  ['oct', 'okt', 'out', 'ott', 'окт'],
  ['nov', 'ноя'],
  ['dec', 'déc', 'dez', 'dic', 'дек'],
]
const TIME = '(?:[,\\s]+(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:\\.\\d+)?)?(?:\\s*([ap])\\.?\\s?m\\.?)?)?'
const ISO = new RegExp(`^(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})${TIME}$`, 'i')
const NAMED = new RegExp(
  `^(\\d{1,2})[./ -]{1,2}(\\p{L}{3,})[./ -]{1,2}(\\d{4}|\\d\\d)${TIME}$`,
  'iu',
)
const NUMERIC = new RegExp(`^(\\d{1,2})[./-](\\d{1,2})[./-](\\d{4}|\\d\\d)${TIME}$`, 'i')
const ZONED = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)\b|\bGMT/

/** Which of day and month comes first in numeric dates; undefined if none of them tells. */
export function dateOrder(samples: Iterable<string>): DateOrder | undefined {
  for (const sample of samples) {
    const [, first, second] = NUMERIC.exec(sample.trim()) ?? []
    if (Number(first) > 12) return 'day first'
    if (Number(second) > 12) return 'month first'
  }
  return undefined
}

export const isNumericDate = (text: string): boolean => NUMERIC.test(text.trim())

/** Parses a date. A time without a zone is read as UTC. */
export function parseDate(text: string, order: DateOrder = 'day first'): LocaleDate | undefined {
  const value = text.trim()
  const iso = ISO.exec(value)
  if (iso) return dateOf(iso[1]!, iso[2]!, iso[3]!, iso)
  const named = NAMED.exec(value)
  if (named) return dateOf(named[3]!, monthOf(named[2]!), named[1]!, named)
  const numeric = NUMERIC.exec(value)
  if (numeric) {
    const [, first, second] = numeric as unknown as [string, string, string]
    const [day, month] = order === 'day first' ? [first, second] : [second, first]
    return dateOf(numeric[3]!, month, day, numeric)
  }
  const time = ZONED.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : fromTime(time, true)
}

function monthOf(name: string): string {
  const word = name.toLowerCase()
  return String(MONTHS.findIndex((names) => names.some((start) => word.startsWith(start))) + 1)
}

function dateOf(
  year: string,
  month: string,
  day: string,
  [, , , , hour, minute = '0', second = '0', half]: RegExpExecArray,
): LocaleDate | undefined {
  const fullYear =
    year.length === 4 ? Number(year) : Number(year) + (Number(year) < 80 ? 2000 : 1900)
  const isAfternoon = half?.toLowerCase() === 'p'
  const hours = half ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour ?? 0)
  const time = Date.UTC(
    fullYear,
    Number(month) - 1,
    Number(day),
    hours,
    Number(minute),
    Number(second),
  )
  const date = fromTime(time, hour !== undefined)
  const isReal = Number(day) > 0 && date?.day.slice(5) === `${pad(month)}-${pad(day)}`
  return isReal && hours < 24 ? date : undefined
}

const pad = (number: string) => number.padStart(2, '0')

function fromTime(time: number, hasTime: boolean): LocaleDate | undefined {
  const moment = new Date(time).toISOString()
  return /^\d{4}-/.test(moment) ? { day: moment.slice(0, 10), moment, hasTime } : undefined
}

/** A day if the time is midnight, as products write days without a time. */
export const dayOrMoment = ({ day, moment }: LocaleDate): string =>
  moment.endsWith('T00:00:00.000Z') ? day : moment
