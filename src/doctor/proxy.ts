import type { Config } from '../config.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Whether clients behind a proxy are told apart; `seen` is a proxy that the server noticed. */
export function checkProxy({ trustedProxies, url }: Config, seen?: string): Finding {
  const check = 'proxy'
  const { names } = trustedProxies
  const everybody = 'so all of its clients share the allowance of one address'
  if (seen)
    return warning(
      check,
      `one appears to be in front, at ${seen}: its forwarding headers are ignored, ${everybody}`,
      `Set CORK_TRUSTED_PROXIES=${[...names, seen].join(',')} if it is yours, and restart`,
    )
  if (names.length) return ok(check, `${names.join(', ')} may name the address of a client`)
  if (!url.startsWith('https:')) return ok(check, 'none was noticed')
  return warning(
    check,
    `CORK_URL is ${url}, so a proxy must be in front; none is trusted, ${everybody}`,
    'Set CORK_TRUSTED_PROXIES to its address, or to loopback where it runs on this machine',
  )
}
