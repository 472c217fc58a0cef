/** What an account may report within an hour. */
export const MOST = { fresh: 10, bumps: 30 } as const

const HOUR_MS = 60 * 60 * 1000
export const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
export const dayOf = (now: Date) => new Date(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`)

/** Seconds until the next hour is counted anew. */
export const wait = (now: Date) =>
  Math.ceil((hourOf(now).getTime() + HOUR_MS - now.getTime()) / 1000)

interface Told {
  tool: string
  /** 0: none was given. */
  status: number
  error_code: string
  category: string
}

/** As in "svc_tasks: call_failed, 500, internal". */
export const titleOf = ({ tool, category, status, error_code }: Told) =>
  `${tool}: ${[category, status || '', error_code].filter(Boolean).join(', ')}`

/** Whoever works on it may have given it another title; only the number at its end is ours. */
export const counted = (title: string, count: number) =>
  `${title.replace(/ ×\d+$/, '').slice(0, 480)}${count > 1 ? ` ×${count}` : ''}`
