const DAY_S = 24 * 60 * 60

/** Seconds until the day ends in a time zone; on the two days that are longer or shorter, nearly. */
function leftToday(now: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(now)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return DAY_S - (of('hour') * 60 + of('minute')) * 60 - of('second')
}

const isMoment = (text: string | null): text is string => text !== null && text.length > 10

/**
 * Milliseconds until the list is another one though nobody changed anything: a snooze ends, a task
 * is late, or it is tomorrow.
 */
export function untilTurn(
  now: Date,
  timeZone: string,
  moments: readonly (string | null)[],
): number {
  const left = moments
    .filter(isMoment)
    .map((text) => new Date(text).getTime() - now.getTime())
    .filter((ms) => ms > 0)
  return Math.min(leftToday(now, timeZone) * 1000, ...left)
}
