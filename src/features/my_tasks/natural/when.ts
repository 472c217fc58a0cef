import { type Asking, momentOf, READINGS, soon, weekdayFrom } from './days.ts'
import { without } from './literal.ts'
import { type Mentioned, mentionedIn } from './mentioned.ts'
import { type Repeat, repeatsIn } from './repeats.ts'
import type { Part, Recurrence } from './schema.ts'
import { isUnclear, timeOf, timeTonight } from './times.ts'
import { unclearIn } from './unclear.ts'

/** Words that look as if they meant something and were left where they are. */
export interface Unused {
  field: Part['means']
  code: 'not_supported' | 'ambiguous'
  text: string
  why: string
}

interface When {
  /** A day, or a moment with its offset from UTC. */
  due_date: string | null
  recurrence: Recurrence | null
  parts: Part[]
  unused: Unused[]
}

type Read = Mentioned & { at: Temporal.PlainDate | Temporal.ZonedDateTime | undefined }

const SATURDAY = 6
const PART_OF_DAY = /\b(?:morning|afternoon|evening|night)$/i

/** When something is due and how it repeats, of what is still free in a line; the last counts. */
export function whenIn(line: string, asking: Asking): When {
  const { repeat, unused, left } = repeatOf(line)
  const unclear = unclearIn(left)
  const all = mentionedIn(unclear.reduce(asWord, left)).map(
    (one): Read => ({ ...one, at: readingOf(one, asking) }),
  )
  const read = all.filter((one) => !whyNot(one))
  const date = read.findLast(({ at }) => at)
  const time = date && !isFree(date) ? undefined : read.findLast(({ kind }) => kind === 'time')
  const taken = [date, time].filter((one) => one !== undefined)
  const others = read.filter((one) => !taken.includes(one))
  return {
    due_date: dueOf({ date, time, repeat }, asking),
    recurrence: repeat?.rule ?? null,
    parts: [
      ...(repeat ? [partOf(repeat, 'recurrence')] : []),
      ...taken.map((one) => partOf(one, 'due_date')),
    ],
    unused: [
      ...unused,
      ...unclear.map(({ text, why }) => unknown('due_date', text, why)),
      ...all.map((one) => unknown('due_date', one.text, whyNot(one))).filter(({ why }) => why),
      ...others.map(({ text }) => twice('due_date', text)),
    ],
  }
}

const partOf = ({ text, from, to }: Omit<Part, 'means'>, means: Part['means']): Part => ({
  ...{ text, means, from, to },
})

export const twice = (field: Part['means'], text: string): Unused => ({
  ...{ field, code: 'ambiguous', text, why: `only one ${field} is taken` },
})

const unknown = (field: Part['means'], text: string, why: string): Unused => ({
  ...{ field, code: 'not_supported', text, why },
})

/** Why such a day or time is none that a task could be due. */
function whyNot({ kind, day, time, at }: Read): string {
  const tonight = time && /^tonight$/i.test(day)
  if (isUnclear(tonight ? `evening ${time}` : time)) return 'which hour is meant is not clear'
  return kind === 'time' || at ? '' : 'there is no such day'
}

const NO_RULE = 'a task repeats every day, weekday, week, two weeks or month, and on no other days'

/** Nothing in that place means anything any more. */
const asWord = (line: string, { from, to }: Omit<Part, 'means' | 'text'>) =>
  line.slice(0, from) + 'x'.repeat(to - from) + line.slice(to)

/** The rule, and the line without any words of repeating. */
function repeatOf(line: string) {
  const all = repeatsIn(line)
  const repeat = all.findLast(({ rule }) => rule)
  const others = all.filter((one) => one !== repeat)
  const kept = others.reduce(asWord, line)
  return {
    repeat,
    left: repeat ? without(kept, partOf(repeat, 'recurrence')) : kept,
    unused: others.map(
      ({ rule, text }): Unused =>
        rule ? twice('recurrence', text) : unknown('recurrence', text, NO_RULE),
    ),
  }
}

function readingOf({ kind, day }: Mentioned, asking: Asking): Read['at'] {
  if (kind === 'time') return undefined
  if (kind === 'soon') return soon(day, asking)
  if (kind === 'moment') return momentOf(day, asking)
  return READINGS[kind](day, asking)
}

/** A day that has room for a time. */
const isFree = ({ kind, day, time }: Mentioned) =>
  kind !== 'soon' && kind !== 'moment' && !time && !/^tonight$/i.test(day)

interface Said {
  date: Read | undefined
  time: Read | undefined
  repeat: Repeat | undefined
}

function dueOf({ date, time, repeat }: Said, asking: Asking): string | null {
  if (date?.at instanceof Temporal.ZonedDateTime) return moment(date.at)
  // `every evening at 6` has its hour apart from what tells which six that is.
  const part = repeat?.text.match(PART_OF_DAY)?.[0] ?? ''
  const words = `${part} ${date?.time ?? time?.time ?? ''}`.trim()
  const tonight = date && /^tonight$/i.test(date.day)
  const clock = tonight ? timeTonight(words) : words ? timeOf(words) : undefined
  if (date?.at) return placed(date.at, clock, asking, isNearest(date) ? 7 : 0)
  if (repeat) return beginning(repeat, clock, asking)
  return clock ? placed(asking.now.toPlainDate(), clock, asking, 1) : null
}

/** A weekday by itself is the next one there is. */
const isNearest = ({ kind, day }: Mentioned) => kind === 'weekday' && !/\s/.test(day)

/** Where a series begins that was given no day: today, or the next day that it falls on. */
function beginning(
  { rule, weekday, nth }: Repeat,
  time: Temporal.PlainTime | undefined,
  asking: Asking,
) {
  const today = asking.now.toPlainDate()
  if (weekday) return placed(weekdayFrom(weekday, asking) ?? today, time, asking, 7)
  if (nth) return placed(READINGS.nth(nth, asking) ?? today, time, asking, 0)
  const late = time && isPast(zoned(today, time, asking), asking)
  const day = late ? today.add({ days: 1 }) : today
  const off = rule === 'Weekdays' && day.dayOfWeek >= SATURDAY
  return placed(off ? day.add({ days: 8 - day.dayOfWeek }) : day, time, asking, 0)
}

/** The day, or the moment on it; so many days later if that moment has passed. */
function placed(
  day: Temporal.PlainDate,
  time: Temporal.PlainTime | undefined,
  asking: Asking,
  later: number,
): string {
  if (!time) return day.toString()
  const at = zoned(day, time, asking)
  return moment(later && isPast(at, asking) ? zoned(day.add({ days: later }), time, asking) : at)
}

const zoned = (day: Temporal.PlainDate, plainTime: Temporal.PlainTime, { now }: Asking) =>
  day.toZonedDateTime({ timeZone: now.timeZoneId, plainTime })

const isPast = (at: Temporal.ZonedDateTime, { now }: Asking) =>
  Temporal.ZonedDateTime.compare(at, now) <= 0

const moment = (at: Temporal.ZonedDateTime) =>
  at.toString({ timeZoneName: 'never', smallestUnit: 'second' })
