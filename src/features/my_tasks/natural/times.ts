/** When a part of the day begins that no hour was given for. */
const PARTS_OF_DAY: Record<string, number> = { morning: 9, noon: 12, afternoon: 15, evening: 19 }
const NIGHT = 21
const TONIGHT = 20
const HALF_DAY = 12

/** The time of day in these words, which have one of the shapes. */
export function timeOf(text: string): Temporal.PlainTime {
  const part = text.match(/morning|noon|afternoon|evening|night/i)?.[0].toLowerCase()
  const [, hours, minutes = 0] = text.match(/(\d{1,2})(?:[:.](\d{2}))?/) ?? []
  if (!hours) return Temporal.PlainTime.from({ hour: PARTS_OF_DAY[part ?? ''] ?? NIGHT })
  const half = text.match(/\d\s?([ap])\.?m/i)?.[1]?.toLowerCase()
  const hour = half ? (Number(hours) % HALF_DAY) + (half === 'p' ? HALF_DAY : 0) : Number(hours)
  return Temporal.PlainTime.from({ hour, minute: Number(minutes) })
}

/** Tonight at nine is nobody's morning. */
export function timeTonight(text: string | undefined): Temporal.PlainTime {
  if (!text) return Temporal.PlainTime.from({ hour: TONIGHT })
  const time = timeOf(text)
  return time.hour < HALF_DAY && !/[ap]\.?m/i.test(text) ? time.add({ hours: HALF_DAY }) : time
}
