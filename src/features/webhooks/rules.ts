import { createHmac } from 'node:crypto'

/** Signing and spacing. Nothing here reads a clock or a database. */

export const SECRET = 'whsec_'
/** So long a secret that was rotated away signs beside the new one. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000
export const TIMEOUT_MS = 10_000

const FIRST_MS = 5000
const LONGEST_MS = 60 * 60 * 1000
const LONGEST_REST_MS = 5 * 60 * 1000
/** After so many failures in a row an endpoint is only tried with one message now and then. */
export const MOST_FAILURES = 20

export interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** As Standard Webhooks has it: one signature for each secret, blanks between them. */
export const signatureOf = ({ id, timestamp, body }: Signed, secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET.length), 'base64')
      const mark = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
      return `v1,${mark}`
    })
    .join(' ')

const doubled = (times: number, most: number) => Math.min(most, FIRST_MS * 2 ** Math.min(times, 30))

/** Until a message is tried again that failed so often; `chance` is from 0 to 1. */
export const spacing = (attempts: number, chance: number): number =>
  Math.round(Math.min(LONGEST_MS, doubled(attempts - 1, LONGEST_MS) * (0.8 + 0.4 * chance)))

/** How long an endpoint is left alone; nothing while it may still be a bad moment. */
export const restOf = (failures: number): number | undefined =>
  failures < MOST_FAILURES ? undefined : doubled(failures - MOST_FAILURES, LONGEST_REST_MS)

export const isDelivered = (status: number): boolean => status >= 200 && status <= 299

/** What an answer that is no success means; nothing for one that is. */
export function complaint(status: number): string | null {
  if (isDelivered(status)) return null
  if (status >= 300 && status <= 399)
    return `It answered ${status}; redirects are not followed, so name the final address`
  if (status === 410)
    return 'It answered 410: nothing is there any more; delete the webhook or name another address'
  return `It answered ${status}`
}
