import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Unfetched } from '../kernel/outside.ts'
import { isPublic } from './addresses.ts'

export interface Spoken {
  address: string
  family: number
}

export interface Allowing {
  /** Hosts that may be reached whatever their address is, in lower case. */
  allowed: readonly string[]
  /** Of the DNS; only tests name another. */
  resolve?(host: string): Promise<Spoken[]>
}

export const dns = (host: string): Promise<Spoken[]> => lookup(host, { all: true })

/** As it is written in a list of hosts. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Where an address leads to, unless nobody knows it or it leads to where nobody may go. */
export async function placeOf(
  url: URL,
  { allowed, resolve = dns }: Allowing,
): Promise<Spoken | 'closed' | 'unknown'> {
  const host = hostOf(url)
  const family = isIP(host)
  const known = family ? [{ address: host, family }] : await resolve(host).catch(() => [])
  if (!known.length) return 'unknown'
  const open = allowed.includes(host) ? known : known.filter(({ address }) => isPublic(address))
  // One name for two kinds of places is how such a check is got around.
  return open.length === known.length ? open[0]! : 'closed'
}

/** For a connection that must lead to what was checked, not to what the name says by then. */
export const leadingTo =
  (to: Spoken): LookupFunction =>
  (_host, { all }, done) =>
    all ? done(null, [to]) : done(null, to.address, to.family)

export const unknown = (url: URL) =>
  new Unfetched('not_found', `The host ${hostOf(url)} is not known`, 'Check its spelling')
