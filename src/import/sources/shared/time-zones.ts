/** Names of Windows, which Outlook and Exchange use, and the zones that they stand for. */
const WINDOWS: Readonly<Record<string, string>> = {
  'AUS Eastern Standard Time': 'Australia/Sydney',
  'Arab Standard Time': 'Asia/Riyadh',
  'Argentina Standard Time': 'America/Buenos_Aires',
  'Atlantic Standard Time': 'America/Halifax',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'Central Standard Time': 'America/Chicago',
  'China Standard Time': 'Asia/Shanghai',
  'E. Europe Standard Time': 'Europe/Chisinau',
  'E. South America Standard Time': 'America/Sao_Paulo',
  'Eastern Standard Time': 'America/New_York',
  'Egypt Standard Time': 'Africa/Cairo',
  'FLE Standard Time': 'Europe/Kiev',
  'GMT Standard Time': 'Europe/London',
  'GTB Standard Time': 'Europe/Bucharest',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'India Standard Time': 'Asia/Calcutta',
  'Israel Standard Time': 'Asia/Jerusalem',
  'Korea Standard Time': 'Asia/Seoul',
  'Mountain Standard Time': 'America/Denver',
  'New Zealand Standard Time': 'Pacific/Auckland',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Romance Standard Time': 'Europe/Paris',
  'Russian Standard Time': 'Europe/Moscow',
  'SE Asia Standard Time': 'Asia/Bangkok',
  'Singapore Standard Time': 'Asia/Singapore',
  'South Africa Standard Time': 'Africa/Johannesburg',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'Turkey Standard Time': 'Europe/Istanbul',
  'W. Australia Standard Time': 'Australia/Perth',
  'W. Europe Standard Time': 'Europe/Berlin',
}

const clocks = new Map<string, Intl.DateTimeFormat | undefined>()

function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!clocks.has(zone)) clocks.set(zone, createClock(WINDOWS[zone] ?? zone))
  return clocks.get(zone)
}

function createClock(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}

export const isKnownZone = (zone: string): boolean => clockOf(zone) !== undefined

/** Offsets change at most on a quarter of an hour; formatting every time would be slow. */
const QUARTER_MS = 15 * 60 * 1000
const offsets = new Map<string, number>()

/** The local time of a zone at a moment, as if it were in UTC. An unknown zone is UTC. */
function localAt(moment: number, zone: string): number {
  const clock = clockOf(zone)
  if (!clock) return moment
  const quarter = Math.floor(moment / QUARTER_MS)
  const key = `${zone} ${quarter}`
  if (!offsets.has(key)) {
    const start = quarter * QUARTER_MS
    offsets.set(key, readClock(clock, start) - start)
  }
  return moment + offsets.get(key)!
}

function readClock(clock: Intl.DateTimeFormat, moment: number): number {
  const parts = Object.fromEntries(
    clock.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
  )
  const date = new Date(0)
  date.setUTCFullYear(parts.year!, parts.month! - 1, parts.day!)
  date.setUTCHours(parts.hour!, parts.minute!, parts.second!)
  return date.getTime()
}

/** The moment of a local time such as `2026-03-01T09:00`; undefined if there is no such time. */
export function momentIn(zone: string, local: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const near = asUtc - (localAt(asUtc, zone) - asUtc)
  return isoOf(near + (asUtc - localAt(near, zone)))
}

/** The day of a moment in a zone. */
export function dayIn(zone: string, moment: string): string {
  return new Date(localAt(Date.parse(moment), zone)).toISOString().slice(0, 10)
}

/** Years beyond 9999 are no moments of a record. */
export function isoOf(time: number): string | undefined {
  const isValid = time >= -62_135_596_800_000 && time < 253_402_300_800_000
  return isValid ? new Date(time).toISOString() : undefined
}
