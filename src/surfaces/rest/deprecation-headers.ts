import type { Deprecation } from '../../kernel/deprecation.ts'

/**
 * The headers Deprecation (RFC 9745) and Sunset (RFC 8594) for a call that several deprecations
 * concern: since when the first one applies, and when the first one may be gone.
 */
export function deprecationHeaders(deprecations: readonly Deprecation[]): Record<string, string> {
  if (!deprecations.length) return {}
  const first = (days: string[]) => new Date(days.sort()[0]!)
  const since = first(deprecations.map((one) => one.since))
  const sunset = first(deprecations.map((one) => one.sunset))
  return { deprecation: `@${since.getTime() / 1000}`, sunset: sunset.toUTCString() }
}
