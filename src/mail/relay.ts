import { ADDRESS } from '../kernel/outside.ts'

/** The mail server that everything goes through, as CORK_SMTP_URL names it. */
export interface Relay {
  host: string
  port: number
  /** TLS from the first byte on. */
  secure: boolean
  /** Whether a connection that begins in plain must turn to TLS; else it does where it can. */
  tls: 'required' | 'offered' | 'off'
  login?: { user: string; password: string }
  from?: Sender
}

export interface Sender {
  name: string
  address: string
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 }
const KNOWN = ['from', 'tls']
const TLS = ['required', 'offered', 'off'] as const
const WRITTEN = new RegExp(ADDRESS)

export const isAddress = (text: string) => text.length <= 254 && WRITTEN.test(text)

/** Refuses, in words that go on after the name of the setting and quote no password. */
export function relayIn(text: string): Relay {
  const url = URL.parse(text)
  if (!url?.hostname || !(url.protocol in PORTS) || url.hash || !/^\/?$/.test(url.pathname))
    throw new Error(
      'must be an address like smtp://user:password@mail.example.com:587 or smtps://…:465; signs such as @ and / in a password are written %40 and %2F',
    )
  const strange = [...url.searchParams.keys()].find((name) => !KNOWN.includes(name))
  if (strange !== undefined)
    throw new Error(`knows no ${strange}; after the ? stand ${KNOWN.join(' and ')}`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const login = loginIn(url)
  return {
    host,
    port: Number(url.port) || PORTS[url.protocol as keyof typeof PORTS],
    secure,
    tls: tlsIn(url, login !== undefined && !isNear(host)),
    ...(login && { login }),
    ...senderOf(url, login?.user),
  }
}

function loginIn({ username, password }: URL): Relay['login'] {
  if (!username && !password) return undefined
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    throw new Error('has a % in its user or password that encodes no character: write it %25')
  }
}

/** A password goes over no network in the clear unless somebody said that it may. */
function tlsIn({ searchParams }: URL, isSecret: boolean): Relay['tls'] {
  const said = searchParams.get('tls')
  if (said === null) return isSecret ? 'required' : 'offered'
  const found = TLS.find((one) => one === said)
  if (!found) throw new Error(`takes tls=${TLS.join(', tls=')} only`)
  return found
}

const isNear = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)

function senderOf({ searchParams }: URL, user = ''): Pick<Relay, 'from'> {
  const said = searchParams.get('from')
  if (said === null) return isAddress(user) ? { from: named(user) } : {}
  const [, name = '', address = said.trim()] = /^([^<>]*)<([^<>]*)>\s*$/.exec(said) ?? []
  if (!isAddress(address))
    throw new Error('must say from=cork@example.com or from=Corkboard%20<cork@example.com>')
  return { from: named(address, name.trim()) }
}

export const named = (address: string, name = ''): Sender => ({
  address,
  name: name || 'Corkboard',
})
