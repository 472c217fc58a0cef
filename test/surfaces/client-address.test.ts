import { expect, test } from 'bun:test'
import { BadConfig, readConfig } from '../../src/config/index.ts'
import { clientOf, networkOf, trustedProxies } from '../../src/surfaces/client-address.ts'

const trusted = trustedProxies('loopback, private, 198.51.100.7, 2001:db8:1::/48')
const clientFrom = (peer: string, headers: Record<string, string>) =>
  clientOf(new Headers(headers), peer, trusted)

const CHAINS: [headers: Record<string, string>, address: string][] = [
  [{}, '127.0.0.1'],
  [{ 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
  // The client sent the first address itself.
  [{ 'x-forwarded-for': '203.0.113.66, 203.0.113.9' }, '203.0.113.9'],
  [{ 'x-forwarded-for': '203.0.113.9, 10.0.0.5, 198.51.100.7' }, '203.0.113.9'],
  [{ 'x-forwarded-for': '10.0.0.9, 10.0.0.5' }, '10.0.0.9'],
  [{ 'x-forwarded-for': '203.0.113.9:4711' }, '203.0.113.9'],
  [{ 'x-forwarded-for': '[2001:db8:2::9]:4711' }, '2001:db8:2::9'],
  [{ 'x-forwarded-for': '2001:db8:2::9, 2001:db8:1::1' }, '2001:db8:2::9'],
  [{ 'x-forwarded-for': '::ffff:203.0.113.9' }, '203.0.113.9'],
  [{ 'x-forwarded-for': '' }, '127.0.0.1'],
  [{ 'x-forwarded-for': 'unknown' }, '127.0.0.1'],
  [{ 'x-forwarded-for': '203.0.113.9, unknown, 10.0.0.5' }, '10.0.0.5'],
  [{ forwarded: 'for=203.0.113.9' }, '203.0.113.9'],
  [{ forwarded: 'for=203.0.113.66, for=203.0.113.9;proto=https;by=10.0.0.5' }, '203.0.113.9'],
  [{ forwarded: 'proto=http;For="[2001:db8:2::9]:4711"' }, '2001:db8:2::9'],
  [{ forwarded: 'for=_hidden' }, '127.0.0.1'],
  [{ forwarded: 'for="203.0.113.66, for=203.0.113.9' }, '203.0.113.9'],
  [{ forwarded: 'for=203.0.113.9', 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
  // A proxy that sets one of the headers passes the other on as the client sent it.
  [{ forwarded: 'for=203.0.113.66', 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1'],
]

for (const [headers, address] of CHAINS)
  test(`the client of a trusted proxy that sends ${JSON.stringify(headers)} is ${address}`, () => {
    expect(clientFrom('::ffff:127.0.0.1', headers)).toMatchObject({
      address,
      isUntrustedProxy: false,
    })
  })

test('headers of an untrusted peer are ignored, and the peer is reported', () => {
  const https = { 'x-forwarded-proto': 'https' }
  const chains = [
    ['x-forwarded-for', '10.0.0.9'],
    ['forwarded', 'for=10.0.0.9'],
  ] as const
  for (const [name, chain] of chains)
    expect(clientFrom('203.0.113.1', { [name]: chain, ...https })).toEqual({
      address: '203.0.113.1',
      isHttps: false,
      isUntrustedProxy: true,
    })
})

test('a trusted proxy reports HTTPS, unless its header also lists HTTP', () => {
  const chain = { 'x-forwarded-for': '203.0.113.9' }
  expect(clientFrom('10.0.0.5', chain).isHttps).toBe(false)
  expect(clientFrom('10.0.0.5', { ...chain, 'x-forwarded-proto': 'https' }).isHttps).toBe(true)
  expect(clientFrom('10.0.0.5', { ...chain, 'x-forwarded-proto': 'https, http' }).isHttps).toBe(
    false,
  )
  expect(clientFrom('10.0.0.5', { forwarded: 'for=203.0.113.9;proto="https"' }).isHttps).toBe(true)
})

test('an IPv6 address counts by its network, an IPv4 address by itself', () => {
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:DB8:0:0:9:8:7:6'))
  expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'))
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
})

test('CORK_TRUSTED_PROXIES takes addresses, ranges and names, and is empty by default', () => {
  const { trustedProxies: defaults } = readConfig({})
  expect([defaults.names, defaults.has('127.0.0.1')]).toEqual([[], false])
  const { trustedProxies: configured } = readConfig({
    CORK_TRUSTED_PROXIES: '10.1.0.0/16, ::1 ,Loopback',
  })
  expect(['10.1.2.3', '10.2.0.1', '127.9.9.9', '::1'].map((one) => configured.has(one))).toEqual([
    true,
    false,
    true,
    true,
  ])
})

for (const invalid of ['10.0.0.0/33', '10.0.0', 'proxy.example.com', 'fd00::/129', '10.0.0.0/8/8'])
  test(`CORK_TRUSTED_PROXIES=${invalid} is refused with the values it takes`, () => {
    const read = () => readConfig({ CORK_TRUSTED_PROXIES: `127.0.0.1,${invalid}` })
    expect(read).toThrow(BadConfig)
    expect(read).toThrow(`or "private", separated by commas, not "${invalid}"`)
  })
