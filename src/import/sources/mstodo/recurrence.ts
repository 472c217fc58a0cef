import { type Json, objectOf, stringOf, stringsOf } from '../shared/json.ts'
import { supportedRule } from '../shared/repeat-rules.ts'

const INDEXES: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  last: -1,
}

/** The rule of a recurrence of Microsoft Graph; undefined if there is none like it. */
export function ruleOf(recurrence: Json): string | undefined {
  const pattern = objectOf(recurrence.pattern)
  const parts = patternParts(pattern)
  if (!parts) return undefined
  const { type, endDate, numberOfOccurrences } = objectOf(recurrence.range)
  const end =
    type === 'endDate'
      ? `;UNTIL=${stringOf(endDate).replaceAll('-', '')}`
      : type === 'numbered'
        ? `;COUNT=${stringOf(numberOfOccurrences)}`
        : ''
  return supportedRule(`${parts};INTERVAL=${Number(pattern.interval) || 1}${end}`)
}

function patternParts(pattern: Json): string | undefined {
  const days = stringsOf(pattern.daysOfWeek).map((day) => day.slice(0, 2).toUpperCase())
  const nth = INDEXES[stringOf(pattern.index)] ?? 1
  const nthDays = days.map((day) => `${nth}${day}`).join()
  const month = `BYMONTH=${stringOf(pattern.month)}`
  const day = `BYMONTHDAY=${stringOf(pattern.dayOfMonth)}`
  const parts: Readonly<Record<string, string>> = {
    daily: 'FREQ=DAILY',
    weekly: days.length ? `FREQ=WEEKLY;BYDAY=${days.join()}` : 'FREQ=WEEKLY',
    absolutemonthly: `FREQ=MONTHLY;${day}`,
    relativemonthly: `FREQ=MONTHLY;BYDAY=${nthDays}`,
    absoluteyearly: `FREQ=YEARLY;${month};${day}`,
    relativeyearly: `FREQ=YEARLY;${month};BYDAY=${nthDays}`,
  }
  return parts[stringOf(pattern.type).toLowerCase()]
}
