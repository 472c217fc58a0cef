const PATTERN =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?(?:\s+\w+)?)?$/

/** A time in ISO 8601 in UTC. Times without a zone are in UTC; a day begins at midnight. */
export function momentOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [, day, minutes = '00:00', seconds = ':00', fraction = '', zone = 'Z'] =
    PATTERN.exec(value.trim()) ?? []
  if (!day || day < '1970-01-02') return undefined
  const offset = zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
  const time = new Date(`${day}T${minutes}${seconds}${fraction.slice(0, 4)}${offset}`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** A day or a time, as the source has it. */
export function dayOrMomentOf(value: unknown): string | undefined {
  const moment = momentOf(value)
  return moment && /^\d{4}-\d\d-\d\d$/.test(String(value).trim()) ? moment.slice(0, 10) : moment
}
