/** The number of reports that an account may make in an hour. */
export const HOURLY_LIMITS = { fresh: 10, bumps: 30 } as const

const HOUR_MS = 60 * 60 * 1000
export const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
export const dayOf = (now: Date) => new Date(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`)

/** The seconds until the count starts again. */
export const secondsToNextHour = (now: Date) =>
  Math.ceil((hourOf(now).getTime() + HOUR_MS - now.getTime()) / 1000)

interface ReportedError {
  tool: string
  /** 0 if no status was given. */
  status: number
  error_code: string
  category: string
}

/** For example "svc_tasks: call_failed, 500, internal". */
export const ticketTitle = ({ tool, category, status, error_code }: ReportedError) =>
  `${tool}: ${[category, status || '', error_code].filter(Boolean).join(', ')}`

/** People may have changed the title; only the number at its end is updated. */
export const withCount = (title: string, count: number) =>
  `${title.replace(/ ×\d+$/, '').slice(0, 480)}${count > 1 ? ` ×${count}` : ''}`
