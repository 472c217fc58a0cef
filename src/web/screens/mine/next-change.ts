const DAY_S = 24 * 60 * 60

/**
 * The seconds until midnight in a time zone. On days with a clock change this is off by an hour.
 */
function secondsLeftToday(now: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(now)
  const partValue = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return DAY_S - (partValue('hour') * 60 + partValue('minute')) * 60 - partValue('second')
}

const isMoment = (text: string | null): text is string => text !== null && text.length > 10

/**
 * The milliseconds until time alone changes the list: a snooze ends, a task becomes overdue, or a
 * new day begins.
 */
export function msUntilChange(
  now: Date,
  timeZone: string,
  moments: readonly (string | null)[],
): number {
  const delays = moments
    .filter(isMoment)
    .map((text) => new Date(text).getTime() - now.getTime())
    .filter((ms) => ms > 0)
  return Math.min(secondsLeftToday(now, timeZone) * 1000, ...delays)
}
