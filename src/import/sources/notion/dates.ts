import { type DateContext, parseDate, parseMoment } from '../shared/dates.ts'

const ZONES: Readonly<Record<string, string>> = {
  GMT: 'Z',
  UTC: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
}

/** `June 5, 2026 9:00 AM (GMT+2)`, also with @ before it. */
export function notionDate(text: string, context: DateContext): string | undefined {
  const plain = text
    .trim()
    .replace(/^@/, '')
    .replace(
      /\s*\(GMT([+-])(\d{1,2})(?::?(\d\d))?\)$/,
      (_, sign, hours, minutes = '00') => `${sign}${hours.padStart(2, '0')}:${minutes}`,
    )
    .replace(/\s*\(([A-Z]{3,4})\)$/, (whole, zone: string) => ZONES[zone] ?? whole)
  return parseDate(plain, context)
}

/** A date, or two of them with an arrow. */
export function notionRange(text: string, context: DateContext) {
  const [first = '', last] = text.split(/\s+→\s+/)
  const start = notionDate(first, context)
  if (last === undefined) return { due: start }
  const isTime = /^\d{1,2}:\d\d/.test(last)
  return {
    start,
    due: notionDate(isTime ? `${first.replace(/\d{1,2}:\d\d.*/, '')}${last}` : last, context),
  }
}

/** A moment; a day is its midnight. */
export function notionMoment(text: string, context: DateContext): string | undefined {
  const date = notionDate(text, context)
  return date && (date.length > 10 ? date : parseMoment(date, context))
}
