/** A change that sets clocks forward: local times from `from` on, before `to`, there are not. */
export interface Gap {
  /** In milliseconds. */
  at: number
  from: Temporal.PlainDateTime
  to: Temporal.PlainDateTime
}

const YEARS = 10
const MOST_KEPT = 200
const kept = new Map<string, Gap[]>()

/** Those of a zone in the ten years from the year of a moment on. */
export function gapsFrom(zone: string, since: number): readonly Gap[] {
  const year = new Date(since).getUTCFullYear()
  const key = `${zone} ${year}`
  const before = kept.get(key)
  if (before) return before
  if (kept.size === MOST_KEPT) kept.clear()
  const found = [...gaps(zone, year)]
  kept.set(key, found)
  return found
}

function* gaps(zone: string, year: number): Generator<Gap> {
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
