import { dayNumber, daysFrom, plainOf } from '../../../kernel/recurrence/days.ts'
import { readRule } from '../../../kernel/recurrence/rule.ts'
import { monthNumber, parseDate } from '../shared/dates.ts'
import { momentIn } from '../shared/time-zones.ts'
import { repeatText, weekdayOf } from './repeat-text.ts'

export interface DateText {
  due?: string | undefined
  recurrence?: string | undefined
}

interface Context {
  /** The day of the import, on which relative dates are based. */
  today: string
  zone: string
}

/** Understands the English date texts of Todoist; undefined if it does not. */
export function parseDateText(text: string, context: Context): DateText | undefined {
  const plain = text.toLowerCase().replace(/\s+/g, ' ').trim()
  const repeat = repeatText(plain)
  if (!repeat) {
    const due = dueOf(plain, text, context)
    return due === undefined ? undefined : { due }
  }
  const start = repeat.start === undefined ? context.today : dayOf(repeat.start, context)
  const until = repeat.until === undefined ? undefined : dayOf(repeat.until, context)
  if (!start || (repeat.until !== undefined && !until)) return undefined
  const recurrence = `${repeat.rule}${until ? `;UNTIL=${until.replaceAll('-', '')}` : ''}`
  const [first] = daysFrom(readRule(recurrence), dayNumber(start), dayNumber(start))
  if (first === undefined) return undefined
  return { recurrence, due: withTime(plainOf(first).toString(), repeat.time, context.zone) }
}

function withTime(day: string, time: string | undefined, zone: string): string | undefined {
  if (!time) return day
  const local = parseDate(`${day} ${time}`)
  return local && momentIn(zone, local.slice(0, 19))
}

function dueOf(plain: string, text: string, context: Context): string | undefined {
  const exact = parseDate(text, context)
  if (exact) return exact
  const time =
    /(?:^| )(?:at |@ ?)?(\d{1,2}(?::\d\d)?(?::\d\d)? ?[ap]m|\d{1,2}:\d\d(?::\d\d)?)$/.exec(plain)
  const day = dayOf(time ? plain.slice(0, time.index).trim() || 'today' : plain, context)
  return day && withTime(day, time?.[1], context.zone)
}

const RELATIVE: Readonly<Record<string, number>> = {
  today: 0,
  tod: 0,
  tomorrow: 1,
  tom: 1,
  yesterday: -1,
}

function dayOf(text: string, { today }: Context): string | undefined {
  const exact = parseDate(text)?.slice(0, 10)
  if (exact) return exact
  const base = Temporal.PlainDate.from(today)
  const days = RELATIVE[text]
  if (days !== undefined) return base.add({ days }).toString()
  const [, count, unit] = /^(?:in )?(?:\+)?(\d{1,4}|an?) (day|week|month|year)s?$/.exec(text) ?? []
  if (unit) return base.add({ [`${unit}s`]: Number(count) || 1 }).toString()
  const weekday = weekdayOf(text.replace(/^(?:next|this|on) /, '').replace(/^week$/, 'monday'))
  if (weekday !== undefined)
    return base.add({ days: ((weekday - base.dayOfWeek + 7) % 7) + 1 }).toString()
  return dayInYear(text, base)
}

/** A day without a year is the next one of that name. */
function dayInYear(text: string, today: Temporal.PlainDate): string | undefined {
  const [, day, name] = /^(\d{1,2})(?:st|nd|rd|th)? (?:of )?(\p{L}+)\.?$/u.exec(text) ?? []
  const [, month, dayOfMonth] = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?$/u.exec(text) ?? []
  const number = monthNumber(name ?? month ?? '')
  if (!number) return undefined
  const inYear = (year: number) => parseDate(`${year}-${number}-${day ?? dayOfMonth}`)
  const thisYear = inYear(today.year)
  return thisYear && thisYear >= today.toString() ? thisYear : inYear(today.year + 1)
}
