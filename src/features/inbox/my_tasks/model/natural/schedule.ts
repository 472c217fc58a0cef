import { dayNumber, daysFrom, plainOf } from '../../../../../kernel/recurrence/days.ts'
import { readRule } from '../../../../../kernel/recurrence/rule.ts'
import { type DateMention, findDates } from './dates.ts'
import { momentFromNow, momentOf, type ParsingContext, READINGS, weekdayFrom } from './days.ts'
import { maskPart, removePart, type Span } from './literal.ts'
import { findLocalPhrase } from './local/index.ts'
import { findRepeats, type Repeat } from './repeats.ts'
import type { Part } from './schema.ts'
import { isUnclear, timeOf, timeTonight } from './times.ts'
import { findUnclear } from './unclear.ts'

/** Words that look meaningful but stay in the title. */
export interface Unused {
  field: Part['means']
  code: 'not_supported' | 'ambiguous'
  text: string
  reason: string
}

interface Schedule {
  /** A day, or a moment with its UTC offset. */
  due_date: string | null
  recurrence: string | null
  parts: Part[]
  unused: Unused[]
}

type ResolvedMention = DateMention & { at: Temporal.PlainDate | Temporal.ZonedDateTime | undefined }

const PART_OF_DAY = /\b(?:morning|afternoon|evening|night)$/i

/**
 * Reads due date and repeat rule from the free part of a line, in the language of the caller or in
 * English.
 */
export function readSchedule(line: string, context: ParsingContext): Schedule {
  const phrase = findLocalPhrase(line, context.language ?? 'en')
  const local = phrase && readEnglish(phrase.english, context)
  if (!local?.due_date && !local?.recurrence) return readEnglish(line, context)
  const means = local.recurrence ? 'recurrence' : 'due_date'
  const { from, to } = phrase!
  return { ...local, parts: [{ text: line.slice(from, to), means, from, to }] }
}

/** The last mention wins. */
function readEnglish(line: string, context: ParsingContext): Schedule {
  const { repeat, unused, left } = readRepeat(line, context)
  const unclear = findUnclear(left)
  const mentions = findDates(unclear.reduce(maskPart, left)).map(
    (mention): ResolvedMention => ({ ...mention, at: resolveDay(mention, context) }),
  )
  const understood = mentions.filter((mention) => !whyNot(mention))
  const date = understood.findLast(({ at }) => at)
  const time =
    date && !acceptsTime(date) ? undefined : understood.findLast(({ kind }) => kind === 'time')
  const used = [date, time].filter((mention) => mention !== undefined)
  const others = understood.filter((mention) => !used.includes(mention))
  return {
    due_date: dueDateOf({ date, time, repeat }, context),
    recurrence: repeat?.rule ?? null,
    parts: [...repeatParts(repeat), ...used.map((mention) => partOf(mention, 'due_date'))],
    unused: [
      ...unused,
      ...unclear.map(({ text, reason }) => unsupported('due_date', text, reason)),
      ...mentions
        .map((mention) => unsupported('due_date', mention.text, whyNot(mention)))
        .filter(({ reason }) => reason),
      ...others.map(({ text }) => duplicate('due_date', text)),
    ],
  }
}

const partOf = ({ text, from, to }: Span, means: Part['means']): Part => ({
  text,
  means,
  from,
  to,
})

const repeatParts = (repeat: Repeat | undefined) =>
  repeat ? [repeat, ...repeat.endings].map((span) => partOf(span, 'recurrence')) : []

export const duplicate = (field: Part['means'], text: string): Unused => ({
  field,
  code: 'ambiguous',
  text,
  reason: `only one ${field} is used`,
})

const unsupported = (field: Part['means'], text: string, reason: string): Unused => ({
  field,
  code: 'not_supported',
  text,
  reason,
})

/** Why a mention cannot be used as a due date; empty if it can. */
function whyNot({ kind, day, time, at }: ResolvedMention): string {
  const tonight = time && /^tonight$/i.test(day)
  if (isUnclear(tonight ? `evening ${time}` : time)) return 'the hour is ambiguous'
  return kind === 'time' || at ? '' : 'this day does not exist'
}

const NO_RULE =
  'this repeat is not supported; write for example "every 2 weeks on monday", ' +
  '"every 2nd friday" or "every 3 months until 2027-03-01"'

/** The repeat rule, and the line without repeat phrases. */
function readRepeat(line: string, context: ParsingContext) {
  const repeats = findRepeats(line, context)
  const repeat = repeats.findLast(({ rule }) => rule)
  const others = repeats.filter((other) => other !== repeat)
  const masked = others.reduce(maskPart, line)
  return {
    repeat,
    left: repeatParts(repeat).reduce(removePart, masked),
    unused: others.map(
      ({ rule, text }): Unused =>
        rule ? duplicate('recurrence', text) : unsupported('recurrence', text, NO_RULE),
    ),
  }
}

function resolveDay({ kind, day }: DateMention, context: ParsingContext): ResolvedMention['at'] {
  if (kind === 'time') return undefined
  if (kind === 'soon') return momentFromNow(day, context)
  if (kind === 'moment') return momentOf(day, context)
  return READINGS[kind](day, context)
}

/** Whether a separate time can be added to this mention. */
const acceptsTime = ({ kind, day, time }: DateMention) =>
  kind !== 'soon' && kind !== 'moment' && !time && !/^tonight$/i.test(day)

interface ScheduleParts {
  date: ResolvedMention | undefined
  time: ResolvedMention | undefined
  repeat: Repeat | undefined
}

function dueDateOf({ date, time, repeat }: ScheduleParts, context: ParsingContext): string | null {
  if (date?.at instanceof Temporal.ZonedDateTime) return toText(date.at)
  // In `every evening at 6`, the part of the day that decides which six is in the repeat phrase.
  const part = repeat?.text.match(PART_OF_DAY)?.[0] ?? ''
  const words = `${part} ${date?.time ?? time?.time ?? ''}`.trim()
  const tonight = date && /^tonight$/i.test(date.day)
  const clock = tonight ? timeTonight(words) : words ? timeOf(words) : undefined
  if (date?.at) return toDueDate(date.at, clock, context, isNearest(date) ? 7 : 0)
  if (repeat) return seriesStart(repeat, clock, context)
  return clock ? toDueDate(context.now.toPlainDate(), clock, context, 1) : null
}

/** A weekday without a modifier is the next such day. */
const isNearest = ({ kind, day }: DateMention) => kind === 'weekday' && !/\s/.test(day)

/** The first day of a series that names none: today, or the next day that fits the rule. */
function seriesStart(
  { rule, weekday, nth }: Repeat,
  time: Temporal.PlainTime | undefined,
  context: ParsingContext,
) {
  const today = context.now.toPlainDate()
  if (weekday) return toDueDate(weekdayFrom(weekday, context) ?? today, time, context, 7)
  if (nth) return toDueDate(READINGS.nth(nth, context) ?? today, time, context, 0)
  const isLate = time && isPast(zoned(today, time, context), context)
  const day = dayNumber((isLate ? today.add({ days: 1 }) : today).toString())
  const [first = day] = daysFrom({ ...readRule(rule!), interval: 1 }, day, day)
  return toDueDate(plainOf(first), time, context, 0)
}

/** The day, or the moment on it; moved `later` days ahead if that moment has passed. */
function toDueDate(
  day: Temporal.PlainDate,
  time: Temporal.PlainTime | undefined,
  context: ParsingContext,
  later: number,
): string {
  if (!time) return day.toString()
  const at = zoned(day, time, context)
  return toText(later && isPast(at, context) ? zoned(day.add({ days: later }), time, context) : at)
}

const zoned = (day: Temporal.PlainDate, plainTime: Temporal.PlainTime, { now }: ParsingContext) =>
  day.toZonedDateTime({ timeZone: now.timeZoneId, plainTime })

const isPast = (at: Temporal.ZonedDateTime, { now }: ParsingContext) =>
  Temporal.ZonedDateTime.compare(at, now) <= 0

const toText = (at: Temporal.ZonedDateTime) =>
  at.toString({ timeZoneName: 'never', smallestUnit: 'second' })
