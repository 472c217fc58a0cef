import { type JsonObject, objectIn, stringIn, stringsIn } from '../shared/json-values.ts'
import { supportedRule } from '../shared/repeat-rules.ts'

const INDEXES: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  last: -1,
}

/** The rule of a recurrence of Microsoft Graph; undefined if there is none like it. */
export function ruleOf(recurrence: JsonObject): string | undefined {
  const pattern = objectIn(recurrence.pattern)
  const parts = patternParts(pattern)
  if (!parts) return undefined
  const { type, endDate, numberOfOccurrences } = objectIn(recurrence.range)
  const end =
    type === 'endDate'
      ? `;UNTIL=${stringIn(endDate).replaceAll('-', '')}`
      : type === 'numbered'
        ? `;COUNT=${stringIn(numberOfOccurrences)}`
        : ''
  return supportedRule(`${parts};INTERVAL=${Number(pattern.interval) || 1}${end}`)
}

function patternParts(pattern: JsonObject): string | undefined {
  const days = stringsIn(pattern.daysOfWeek).map((day) => day.slice(0, 2).toUpperCase())
  const nth = INDEXES[stringIn(pattern.index)] ?? 1
  const nthDays = days.map((day) => `${nth}${day}`).join()
  const month = `BYMONTH=${stringIn(pattern.month)}`
  const day = `BYMONTHDAY=${stringIn(pattern.dayOfMonth)}`
  const parts: Readonly<Record<string, string>> = {
    daily: 'FREQ=DAILY',
    weekly: days.length ? `FREQ=WEEKLY;BYDAY=${days.join()}` : 'FREQ=WEEKLY',
    absolutemonthly: `FREQ=MONTHLY;${day}`,
    relativemonthly: `FREQ=MONTHLY;BYDAY=${nthDays}`,
    absoluteyearly: `FREQ=YEARLY;${month};${day}`,
    relativeyearly: `FREQ=YEARLY;${month};BYDAY=${nthDays}`,
  }
  return parts[stringIn(pattern.type).toLowerCase()]
}
