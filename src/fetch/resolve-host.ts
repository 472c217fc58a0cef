import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { FetchError } from '../kernel/services.ts'
import { isPublic } from './addresses.ts'

export interface HostAddress {
  address: string
  family: number
}

export interface HostOptions {
  /** Hosts that are allowed even with a private address, in lower case. */
  allowed: readonly string[]
  /** DNS by default; only tests replace it. */
  resolve?(host: string): Promise<HostAddress[]>
}

export const lookupHost = (host: string): Promise<HostAddress[]> => lookup(host, { all: true })

/** The host without brackets or a trailing dot, as in `allowed`. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** The IP address of a URL's host; `unknown` if it has none, `closed` if one of them is private. */
export async function resolveHost(
  url: URL,
  { allowed, resolve = lookupHost }: HostOptions,
): Promise<HostAddress | 'closed' | 'unknown'> {
  const host = hostOf(url)
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await resolve(host).catch(() => [])
  if (!addresses.length) return 'unknown'
  const reachable = allowed.includes(host)
    ? addresses
    : addresses.filter(({ address }) => isPublic(address))
  // A name with both public and private addresses is an attempt to bypass this check.
  return reachable.length === addresses.length ? reachable[0]! : 'closed'
}

/** Makes a connection use the checked address instead of resolving the name again. */
export const fixedLookup =
  (target: HostAddress): LookupFunction =>
  (_host, { all }, done) =>
    all ? done(null, [target]) : done(null, target.address, target.family)

export const unknownHost = (url: URL) =>
  new FetchError('not_found', `Unknown host ${hostOf(url)}`, 'Check its spelling')
