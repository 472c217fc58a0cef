import { BlockList, isIP } from 'node:net'

/** Names that `CORK_TRUSTED_PROXIES` accepts instead of ranges. */
const NAMED_RANGES: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** The peers whose `Forwarded` and `X-Forwarded-*` headers are trusted. */
export interface TrustedProxies {
  /** As the operator wrote them. */
  names: readonly string[]
  has(address: string): boolean
}

/** Parses addresses, CIDR ranges, `loopback` and `private`, separated by commas. */
export function trustedProxies(text: string): TrustedProxies {
  const names = text.split(',').flatMap((name) => name.trim().toLowerCase() || [])
  const list = new BlockList()
  for (const range of names.flatMap((name) => NAMED_RANGES[name] ?? name)) {
    const [addressText = '', bits, ...rest] = range.split('/')
    const address = plainAddress(addressText)
    const family = isIP(address)
    const maxLength = family === 4 ? 32 : 128
    const prefixLength =
      bits === undefined ? maxLength : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (!family || rest.length || !(prefixLength <= maxLength)) throw new Error(range)
    list.addSubnet(address, prefixLength, family === 4 ? 'ipv4' : 'ipv6')
  }
  return { names, has: (address) => isListed(list, address) }
}

function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** The sender of a request. */
export interface Client {
  address: string
  /** Whether the client's own connection, in front of the proxies, is encrypted. */
  isHttps: boolean
  /** Whether forwarding headers were ignored because the peer is not trusted. */
  isUntrustedProxy: boolean
}

/**
 * Finds the client of a request. It is the rightmost address that is no trusted proxy, because the
 * client itself can write anything to the left of it. If both headers are present and disagree,
 * a proxy passed one of them on unchecked, so both are ignored.
 */
export function clientOf(headers: Headers, peer: string, trusted: TrustedProxies): Client {
  const chains = [forwardedFor(headers), forwardedHeader(headers)].filter(
    (chain) => chain !== undefined,
  )
  const peerAddress = plainAddress(peer)
  if (!chains.length) return { address: peerAddress, isHttps: false, isUntrustedProxy: false }
  if (!trusted.has(peerAddress))
    return { address: peerAddress, isHttps: false, isUntrustedProxy: true }
  const [address, ...others] = chains.map((chain) =>
    rightmostClient([...chain, peerAddress], trusted),
  )
  const isAgreed = others.every((other) => other === address)
  return {
    address: isAgreed ? address! : peerAddress,
    isHttps: protocolOf(headers) === 'https',
    isUntrustedProxy: false,
  }
}

/**
 * Reads the chain from the right. A hop without an address ends it: the hop before is the client.
 */
function rightmostClient(chain: readonly string[], trusted: TrustedProxies): string {
  let client = chain.at(-1)!
  for (const hop of chain.toReversed()) {
    if (!isIP(hop)) return client
    client = hop
    if (!trusted.has(hop)) return client
  }
  return client
}

const forwardedFor = (headers: Headers) =>
  headers.get('x-forwarded-for')?.split(',').map(plainAddress)

/** Splitting at commas inside quotes does no harm: addresses contain no comma. */
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

/** Removes quotes, brackets, port and zone from an address, and unwraps IPv4-mapped IPv6. */
export function plainAddress(text: string): string {
  const bare = text.trim().replace(/^"|"$/g, '')
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(bare) ?? []
  const [, ported] = /^([\d.]+):\d+$/.exec(bare) ?? []
  const address = (bracketed ?? ported ?? bare).replace(/%.*$/, '').toLowerCase()
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address
}

/**
 * The key that requests without a credential are counted by. Networks hand out IPv6 addresses by
 * the /64, so a whole /64 counts as one client.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::') as [string, string?]
  const groups = head ? head.split(':') : []
  const after = tail ? tail.split(':').length : 0
  const zeros = tail === undefined ? 0 : 8 - groups.length - after
  const allGroups = [
    ...groups,
    ...Array(Math.max(0, zeros)).fill('0'),
    ...(tail ? tail.split(':') : []),
  ]
  return `${allGroups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
