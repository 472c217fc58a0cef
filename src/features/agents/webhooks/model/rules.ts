import { createHmac } from 'node:crypto'

/** Signatures and retry delays. This file reads neither clock nor database. */

export const SECRET = 'whsec_'
/** How long the previous secret also signs after a rotation. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000
export const TIMEOUT_MS = 10_000

const FIRST_MS = 5000
const LONGEST_MS = 60 * 60 * 1000
const MAX_PAUSE_MS = 5 * 60 * 1000
/** After this many consecutive failures, an endpoint is only probed with one message at a time. */
export const MAX_FAILURES = 20

export interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The signature header of Standard Webhooks: one signature per secret, separated by spaces. */
export const signatureOf = ({ id, timestamp, body }: Signed, secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET.length), 'base64')
      const mark = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
      return `v1,${mark}`
    })
    .join(' ')

const doubled = (times: number, most: number) => Math.min(most, FIRST_MS * 2 ** Math.min(times, 30))

/** The delay before the next attempt; `chance` is from 0 to 1. */
export const retryDelay = (attempts: number, chance: number): number =>
  Math.round(Math.min(LONGEST_MS, doubled(attempts - 1, LONGEST_MS) * (0.8 + 0.4 * chance)))

/** How long a failing endpoint is not called; undefined while there are few failures. */
export const pauseAfter = (failures: number): number | undefined =>
  failures < MAX_FAILURES ? undefined : doubled(failures - MAX_FAILURES, MAX_PAUSE_MS)

export const isDelivered = (status: number): boolean => status >= 200 && status <= 299

/** The error for a status that is no success; null for a success. */
export function statusError(status: number): string | null {
  if (isDelivered(status)) return null
  if (status >= 300 && status <= 399)
    return `It responded ${status}; redirects are not followed, so use the final URL`
  if (status === 410) return 'It responded 410 Gone; delete the webhook or change its URL'
  return `It responded ${status}`
}
