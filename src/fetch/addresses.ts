import { BlockList, isIP } from 'node:net'

/** Networks of IPv4 that are private, local or reserved. */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Networks within the public range of IPv6 that are not public: tunnels, examples, experiments. */
const PRIVATE_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const PUBLIC_IPV6 = ['2000::/3']

function blockListOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string]
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const privateIpv4 = blockListOf(PRIVATE_IPV4, 'ipv4')
const privateIpv6 = blockListOf(PRIVATE_IPV6, 'ipv6')
const publicIpv6 = blockListOf(PUBLIC_IPV6, 'ipv6')

/** Whether an IP address is on the public internet; false for anything that is not known to be. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !privateIpv4.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  return publicIpv6.check(address, 'ipv6') && !privateIpv6.check(address, 'ipv6')
}
