import { EMAIL_ADDRESS_PATTERN } from '../kernel/services.ts'

/** The mail server of CORK_SMTP_URL. */
export interface Relay {
  host: string
  port: number
  /** Whether the connection starts with TLS. */
  secure: boolean
  /** STARTTLS for plain connections: mandatory, if the server supports it, or never. */
  tls: 'required' | 'offered' | 'off'
  login?: { user: string; password: string }
  from?: Sender
}

export interface Sender {
  name: string
  address: string
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 }
const PARAMETERS = ['from', 'tls']
const TLS = ['required', 'offered', 'off'] as const
const ADDRESS = new RegExp(EMAIL_ADDRESS_PATTERN)

export const isAddress = (text: string) => text.length <= 254 && ADDRESS.test(text)

/** Errors continue a sentence that begins with the setting's name, and never quote the password. */
export function parseRelayUrl(text: string): Relay {
  const url = URL.parse(text)
  if (!url?.hostname || !(url.protocol in PORTS) || url.hash || !/^\/?$/.test(url.pathname))
    throw new Error(
      'must be an address like smtp://user:password@mail.example.com:587 or smtps://…:465; write characters such as @ and / in a password as %40 and %2F',
    )
  const unknownParameter = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknownParameter !== undefined)
    throw new Error(
      `has an unknown parameter ${unknownParameter}; allowed after the ? are ${PARAMETERS.join(' and ')}`,
    )
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const login = parseLogin(url)
  return {
    host,
    port: Number(url.port) || PORTS[url.protocol as keyof typeof PORTS],
    secure,
    tls: parseTls(url, login !== undefined && !isLoopback(host)),
    ...(login && { login }),
    ...parseSender(url, login?.user),
  }
}

function parseLogin({ username, password }: URL): Relay['login'] {
  if (!username && !password) return undefined
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    throw new Error('has a % in its user or password that encodes no character: write it as %25')
  }
}

/** A password is sent over a network without TLS only if the operator allowed it. */
function parseTls({ searchParams }: URL, hasPassword: boolean): Relay['tls'] {
  const value = searchParams.get('tls')
  if (value === null) return hasPassword ? 'required' : 'offered'
  const found = TLS.find((option) => option === value)
  if (!found) throw new Error(`takes tls=${TLS.join(', tls=')} only`)
  return found
}

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)

function parseSender({ searchParams }: URL, user = ''): Pick<Relay, 'from'> {
  const value = searchParams.get('from')
  if (value === null) return isAddress(user) ? { from: senderFor(user) } : {}
  const [, name = '', address = value.trim()] = /^([^<>]*)<([^<>]*)>\s*$/.exec(value) ?? []
  if (!isAddress(address))
    throw new Error('must have from=cork@example.com or from=Corkboard%20<cork@example.com>')
  return { from: senderFor(address, name.trim()) }
}

export const senderFor = (address: string, name = ''): Sender => ({
  address,
  name: name || 'Corkboard',
})
