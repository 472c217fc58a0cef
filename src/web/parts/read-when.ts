import { dateOf, nextWeek, plus, plusMonths, spelled, two } from './days.ts'
import { type Day, dayOf } from './zone.ts'

const name = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options)
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6].map((at) =>
  // The first of October 2023 was a Sunday.
  name({ weekday: 'long' })
    .format(new Date(2023, 9, 1 + at))
    .toLowerCase(),
)
const MONTHS = Array.from({ length: 12 }, (_, at) =>
  name({ month: 'long' })
    .format(new Date(2023, at, 1))
    .toLowerCase(),
)
/** Whether people here write the day before the month in numbers. */
const isDayFirst =
  name({ day: 'numeric', month: 'numeric' })
    .formatToParts()
    .findIndex(({ type }) => type === 'day') === 0

interface Read {
  day: Day
  time?: string
}

/** What somebody typed: "tomorrow", "fri 14:00", "3 dec", "+5", "2026-12-01 9:30". */
export function readWhen(text: string, today = dayOf(new Date())): Read | undefined {
  const clean = text.trim().toLowerCase()
  const at = /(?:^|\s)(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)?$/.exec(clean)
  const isTime = at && (at[2] || at[3]) && Number(at[1]) < 24
  const words = isTime ? clean.slice(0, at.index).trim() : clean
  const day = words === '' && isTime ? today : readDay(words, today)
  if (!day) return undefined
  if (!isTime) return { day }
  const hour = (Number(at[1]) % (at[3] ? 12 : 24)) + (at[3] === 'pm' ? 12 : 0)
  return { day, time: `${two(hour)}:${at[2] ?? '00'}` }
}

function readDay(words: string, today: Day): Day | undefined {
  if (/^(today|tod)$/.test(words)) return today
  if (/^(tomorrow|tom)$/.test(words)) return plus(today, 1)
  if (words === 'next week') return nextWeek(today)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(words)
  if (iso) return valid(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const later = /^(?:\+|in )(\d{1,3})\s*(d|days?|w|weeks?|m|months?)?$/.exec(words)
  if (later) {
    const many = Number(later[1])
    if (later[2]?.startsWith('m')) return plusMonths(today, many)
    return plus(today, later[2]?.startsWith('w') ? many * 7 : many)
  }
  const weekday = words.length > 1 ? WEEKDAYS.findIndex((one) => one.startsWith(words)) : -1
  if (weekday >= 0) return plus(today, (weekday - dateOf(today).getUTCDay() + 7) % 7 || 7)
  return readDate(words, today)
}

function readDate(words: string, today: Day): Day | undefined {
  const parts = words.split(/[\s./,-]+/).filter(Boolean)
  const month = parts.findIndex((part) => part.length > 2 && monthOf(part) > 0)
  const numbers = parts.filter((_, at) => at !== month).map(Number)
  if (numbers.some((one) => !Number.isInteger(one)) || parts.length < 2) return undefined
  const [first = 0, second = 0, third] = numbers
  const [day, of, year] =
    month >= 0
      ? [first, monthOf(parts[month]!), numbers[1]]
      : isDayFirst
        ? [first, second, third]
        : [second, first, third]
  if (year !== undefined) return valid(year < 100 ? 2000 + year : year, of, day)
  const here = valid(Number(today.slice(0, 4)), of, day)
  return here && here < today ? valid(Number(today.slice(0, 4)) + 1, of, day) : here
}

const monthOf = (word: string) => MONTHS.findIndex((one) => one.startsWith(word)) + 1

function valid(year: number, month: number, day: number): Day | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere ? spelled(date) : undefined
}
