/** A point in time as ISO 8601 in UTC. A number is in seconds since 1970. */
export function momentOf(value: unknown): string | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
  if (isNumber) return Number(value) > 0 ? isoOf(new Date(Number(value) * 1000)) : undefined
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  const text = value.trim().replace(' ', 'T')
  return isoOf(new Date(/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${withTime(text)}Z`))
}

const withTime = (text: string) => (text.includes('T') ? text : `${text}T00:00:00`)

function isoOf(date: Date): string | undefined {
  const year = date.getUTCFullYear()
  return year > 0 && year < 10_000 ? date.toISOString() : undefined
}

/** The day of a point in time, in UTC. */
export const dayOf = (value: unknown): string | undefined => momentOf(value)?.slice(0, 10)

/** A day if the time of day is midnight in UTC, else the point in time. */
export function dateOf(value: unknown): string | undefined {
  const moment = momentOf(value)
  return moment?.endsWith('T00:00:00.000Z') ? moment.slice(0, 10) : moment
}
