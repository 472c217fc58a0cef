import { BlockList, isIP } from 'node:net'

/** Networks that lead back here, to neighbours, or to nobody. */
const CLOSED_4 = [
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
/** Within what the world may use of IPv6: tunnels to IPv4, examples, experiments. */
const CLOSED_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const OPEN_6 = ['2000::/3']

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string]
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const closed4 = listOf(CLOSED_4, 'ipv4')
const closed6 = listOf(CLOSED_6, 'ipv6')
const open6 = listOf(OPEN_6, 'ipv6')

/** Whether an address is one of the public internet; what is not known to be is not. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed4.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}
