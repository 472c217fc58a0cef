import { BlockList, isIP } from 'node:net'

/** Names that `CORK_TRUSTED_PROXIES` accepts instead of ranges. */
const NAMED: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** The peers whose `Forwarded` and `X-Forwarded-*` headers count. */
export interface TrustedProxies {
  /** As the operator wrote them. */
  names: readonly string[]
  has(address: string): boolean
}

/** Parses addresses, CIDR ranges, `loopback` and `private`, separated by commas. */
export function trustedProxies(text: string): TrustedProxies {
  const names = text.split(',').flatMap((name) => name.trim().toLowerCase() || [])
  const list = new BlockList()
  for (const range of names.flatMap((name) => NAMED[name] ?? name)) {
    const [written = '', bits, ...rest] = range.split('/')
    const address = plainAddress(written)
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    const size = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (!family || rest.length || !(size <= most)) throw new Error(range)
    list.addSubnet(address, size, family === 4 ? 'ipv4' : 'ipv6')
  }
  return { names, has: (address) => isListed(list, address) }
}

function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** What is known of the sender of a request. */
export interface Client {
  address: string
  /** The connection of the client itself is encrypted. */
  isHttps: boolean
  /** Forwarding headers came from a peer that is not trusted, so they were ignored. */
  isUnvouched: boolean
}

/**
 * Reads who sent a request. The client is the rightmost address that is no trusted proxy: whatever
 * stands left of it was written by the client itself. Where both headers are there and disagree,
 * one of them was passed on unchecked, so neither counts.
 */
export function clientOf(headers: Headers, peer: string, trusted: TrustedProxies): Client {
  const chains = [forwardedFor(headers), forwardedHeader(headers)].filter(
    (one) => one !== undefined,
  )
  const from = plainAddress(peer)
  if (!chains.length) return { address: from, isHttps: false, isUnvouched: false }
  if (!trusted.has(from)) return { address: from, isHttps: false, isUnvouched: true }
  const [address, ...others] = chains.map((chain) => rightmost([...chain, from], trusted))
  const isAgreed = others.every((other) => other === address)
  return {
    address: isAgreed ? address! : from,
    isHttps: protocolOf(headers) === 'https',
    isUnvouched: false,
  }
}

/** A hop that names no address ends the chain: what follows it is the last that is known. */
function rightmost(chain: readonly string[], trusted: TrustedProxies): string {
  let known = chain.at(-1)!
  for (const hop of chain.toReversed()) {
    if (!isIP(hop)) return known
    known = hop
    if (!trusted.has(hop)) return known
  }
  return known
}

const forwardedFor = (headers: Headers) =>
  headers.get('x-forwarded-for')?.split(',').map(plainAddress)

/** Commas within quotes cut a value as well: no address has one, so what is cut is no address. */
const forwardedHeader = (headers: Headers) =>
  headers
    .get('forwarded')
    ?.split(',')
    .map((hop) => plainAddress(parameter(hop, 'for') ?? ''))

const parameter = (hop: string, name: string) =>
  hop
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.toLowerCase().startsWith(`${name}=`))
    ?.slice(name.length + 1)

function protocolOf(headers: Headers): string | undefined {
  const hops = (headers.get('x-forwarded-proto') ?? headers.get('forwarded') ?? '').split(',')
  const last = hops.at(-1)!.trim()
  return (parameter(last, 'proto') ?? last).replaceAll('"', '').toLowerCase()
}

/** An address without quotes, brackets, port and zone; an IPv4 address also where IPv6 wraps it. */
export function plainAddress(written: string): string {
  const bare = written.trim().replace(/^"|"$/g, '')
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(bare) ?? []
  const [, ported] = /^([\d.]+):\d+$/.exec(bare) ?? []
  const address = (bracketed ?? ported ?? bare).replace(/%.*$/, '').toLowerCase()
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address
}

/**
 * What requests without a credential are counted by. A network hands out IPv6 addresses by the /64,
 * so all of one count together.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::') as [string, string?]
  const groups = head ? head.split(':') : []
  const after = tail ? tail.split(':').length : 0
  const zeros = tail === undefined ? 0 : 8 - groups.length - after
  const all = [...groups, ...Array(Math.max(0, zeros)).fill('0'), ...(tail ? tail.split(':') : [])]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
