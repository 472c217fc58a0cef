import { addDays, addMonths, dateOf, formatDay, nextWeek, twoDigits } from './days.ts'
import { locale } from './locale.ts'
import { type Day, dayOf } from './zone.ts'

/** The language of the page, and English, which is always understood. */
const LOCALES = [locale, 'en']
/** In each language, the names of these days. */
const namesOf = (days: readonly Date[], options: Intl.DateTimeFormatOptions) =>
  LOCALES.map((one) => {
    const formatter = new Intl.DateTimeFormat(one, options)
    return days.map((day) => formatter.format(day).toLowerCase())
  })
// The first of October 2023 was a Sunday.
const WEEK = [0, 1, 2, 3, 4, 5, 6].map((at) => new Date(2023, 9, 1 + at))
const YEAR = Array.from({ length: 12 }, (_, at) => new Date(2023, at, 1))
const WEEKDAYS = namesOf(WEEK, { weekday: 'long' })
const MONTHS = namesOf(YEAR, { month: 'long' })
/** Words such as `tomorrow` in each language. */
const relativeNames = (count: number, unit: 'day' | 'week') =>
  LOCALES.map((one) =>
    new Intl.RelativeTimeFormat(one, { numeric: 'auto' }).format(count, unit).toLowerCase(),
  )
const TODAY = [...relativeNames(0, 'day'), 'tod']
const TOMORROW = [...relativeNames(1, 'day'), 'tom']
const NEXT_WEEK = relativeNames(1, 'week')
/** Whether the locale writes the day before the month in numbers. */
const isDayFirst =
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric' })
    .formatToParts()
    .findIndex(({ type }) => type === 'day') === 0

interface ParsedWhen {
  day: Day
  time?: string
}

/** Parses a typed date: "tomorrow", "fri 14:00", "3 dec", "+5", "2026-12-01 9:30". */
export function parseWhen(text: string, today = dayOf(new Date())): ParsedWhen | undefined {
  const clean = text.trim().toLowerCase()
  const time = /(?:^|\s)(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)?$/.exec(clean)
  const isTime = time && (time[2] || time[3]) && Number(time[1]) < 24
  const words = isTime ? clean.slice(0, time.index).trim() : clean
  const day = words === '' && isTime ? today : parseDay(words, today)
  if (!day) return undefined
  if (!isTime) return { day }
  const hour = (Number(time[1]) % (time[3] ? 12 : 24)) + (time[3] === 'pm' ? 12 : 0)
  return { day, time: `${twoDigits(hour)}:${time[2] ?? '00'}` }
}

function parseDay(words: string, today: Day): Day | undefined {
  if (TODAY.includes(words)) return today
  if (TOMORROW.includes(words)) return addDays(today, 1)
  if (NEXT_WEEK.includes(words)) return nextWeek(today)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(words)
  if (iso) return validDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const offset = /^(?:\+|in )(\d{1,3})\s*(d|days?|w|weeks?|m|months?)?$/.exec(words)
  if (offset) {
    const count = Number(offset[1])
    if (offset[2]?.startsWith('m')) return addMonths(today, count)
    return addDays(today, offset[2]?.startsWith('w') ? count * 7 : count)
  }
  const weekday = words.length > 1 ? indexIn(WEEKDAYS, words) : -1
  if (weekday >= 0) return addDays(today, (weekday - dateOf(today).getUTCDay() + 7) % 7 || 7)
  return parseDate(words, today)
}

function parseDate(words: string, today: Day): Day | undefined {
  const parts = words.split(/[\s./,-]+/).filter(Boolean)
  const month = parts.findIndex((part) => part.length > 2 && monthOf(part) > 0)
  const numbers = parts.filter((_, at) => at !== month).map(Number)
  if (numbers.some((number) => !Number.isInteger(number)) || parts.length < 2) return undefined
  const [first = 0, second = 0, third] = numbers
  const [day, monthNumber, year] =
    month >= 0
      ? [first, monthOf(parts[month]!), numbers[1]]
      : isDayFirst
        ? [first, second, third]
        : [second, first, third]
  if (year !== undefined) return validDay(year < 100 ? 2000 + year : year, monthNumber, day)
  const thisYear = validDay(Number(today.slice(0, 4)), monthNumber, day)
  return thisYear && thisYear < today
    ? validDay(Number(today.slice(0, 4)) + 1, monthNumber, day)
    : thisYear
}

const monthOf = (word: string) => indexIn(MONTHS, word) + 1

/** The name that begins with the word, in the first language that has one. */
const indexIn = (names: readonly (readonly string[])[], word: string) =>
  names.map((own) => own.findIndex((name) => name.startsWith(word))).find((at) => at >= 0) ?? -1

function validDay(year: number, month: number, day: number): Day | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? formatDay(date) : undefined
}
