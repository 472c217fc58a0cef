import type { Config } from '../config/index.ts'
import { type Finding, ok, warning } from './finding.ts'

/**
 * Checks that the server can tell clients behind a proxy apart; `noticed` is a proxy it has seen.
 */
export function checkProxy({ trustedProxies, url }: Config, noticed?: string): Finding {
  const check = 'proxy'
  const { names } = trustedProxies
  const everybody = 'so all of its clients share the rate limit of one address'
  if (noticed)
    return warning(
      check,
      `one seems to be in front, at ${noticed}: its forwarding headers are ignored, ${everybody}`,
      `Set CORK_TRUSTED_PROXIES=${[...names, noticed].join(',')} if it is yours, and restart`,
    )
  if (names.length) return ok(check, `${names.join(', ')} may send the address of a client`)
  if (!url.startsWith('https:')) return ok(check, 'none detected')
  return warning(
    check,
    `CORK_URL is ${url}, so a proxy must be in front; none is trusted, ${everybody}`,
    'Set CORK_TRUSTED_PROXIES to its address, or to loopback where it runs on this machine',
  )
}
