/** The hours of the parts of the day, used without an explicit hour. */
const PARTS_OF_DAY: Record<string, number> = { morning: 9, noon: 12, afternoon: 15, evening: 19 }
const NIGHT = 21
const TONIGHT = 20
const HALF_DAY = 12

const LAST_HALF: Record<string, [from: number, to: number]> = {
  afternoon: [1, 7],
  evening: [4, 11],
  night: [6, 11],
}

const partIn = (text: string) =>
  text.match(/morning|noon|afternoon|evening|night/i)?.[0].toLowerCase()
const halfIn = (text: string) => text.match(/\d\s?([ap])\.?m/i)?.[1]?.toLowerCase()
const clockIn = (text: string) => text.match(/(\d{1,2})(?:[:.](\d{2}))?/) ?? []

/** Whether the hour is ambiguous: `friday night at 12` may mean the next day. */
export function isUnclear(text = ''): boolean {
  const span = LAST_HALF[partIn(text) ?? '']
  const [, hours] = clockIn(text)
  if (!span || !hours || halfIn(text)) return false
  const hour = Number(hours)
  return hour < span[0] || (hour === HALF_DAY && span !== LAST_HALF.afternoon)
}

/** The time of day in words that match one of the time patterns. */
export function timeOf(text: string): Temporal.PlainTime {
  const part = partIn(text)
  const [, hours, minutes = 0] = clockIn(text)
  if (!hours) return Temporal.PlainTime.from({ hour: PARTS_OF_DAY[part ?? ''] ?? NIGHT })
  const [from, to] = LAST_HALF[part ?? ''] ?? [HALF_DAY, 0]
  const late = Number(hours) >= from && Number(hours) <= to
  const midnight = part === 'night' && Number(hours) === HALF_DAY
  const half = halfIn(text) ?? (late ? 'p' : midnight ? 'a' : undefined)
  const hour = half ? (Number(hours) % HALF_DAY) + (half === 'p' ? HALF_DAY : 0) : Number(hours)
  return Temporal.PlainTime.from({ hour, minute: Number(minutes) })
}

/** A time tonight is in the second half of the day. */
export function timeTonight(text: string | undefined): Temporal.PlainTime {
  if (!text) return Temporal.PlainTime.from({ hour: TONIGHT })
  const time = timeOf(text)
  return time.hour < HALF_DAY && !/[ap]\.?m/i.test(text) ? time.add({ hours: HALF_DAY }) : time
}
