/** A clock change that skips the local times from `from` until before `to`. */
export interface Gap {
  /** In milliseconds. */
  at: number
  from: Temporal.PlainDateTime
  to: Temporal.PlainDateTime
}

const YEARS = 10
const MAX_CACHED = 200
const cache = new Map<string, Gap[]>()

/** The gaps of a zone within ten years from the year of a moment. */
export function gapsFrom(zone: string, since: number): readonly Gap[] {
  const year = new Date(since).getUTCFullYear()
  const key = `${zone} ${year}`
  const cached = cache.get(key)
  if (cached) return cached
  if (cache.size === MAX_CACHED) cache.clear()
  const found = [...findGaps(zone, year)]
  cache.set(key, found)
  return found
}

function* findGaps(zone: string, year: number): Generator<Gap> {
  let before = new Temporal.PlainDate(year, 1, 1).toZonedDateTime(zone)
  for (;;) {
    const change = before.getTimeZoneTransition('next')
    if (!change || change.year >= year + YEARS) return
    const from = change.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime()
    const to = change.toPlainDateTime()
    if (Temporal.PlainDateTime.compare(from, to) < 0)
      yield { at: change.epochMilliseconds, from, to }
    before = change
  }
}
