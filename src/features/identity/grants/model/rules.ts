import { MAX_NAME_LENGTH, MAX_URI_LENGTH } from './schema.ts'

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Schemes that never belong to an app of its own. Browsers or other programs handle them. */
const FORBIDDEN_SCHEMES = [
  'about',
  'blob',
  'chrome',
  'chrome-extension',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'javascript',
  'jar',
  'mailto',
  'moz-extension',
  'ms-appinstaller',
  'resource',
  'search-ms',
  'shell',
  'sms',
  'ssh',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
]

const VISIBLE_ASCII = /^[\x21-\x7e]+$/
const SCHEME = /^[a-z][a-z0-9+.-]*$/

export type RedirectKind = 'https' | 'loopback' | 'app'

/** The kind of a redirect URI; undefined if no client may use it. */
export function redirectKind(uri: string): RedirectKind | undefined {
  if (uri.length > MAX_URI_LENGTH || !VISIBLE_ASCII.test(uri) || /[#\\"<>^`{|}]/.test(uri))
    return undefined
  const url = URL.parse(uri)
  if (!url || url.username || url.password || /^\w+:\/\/[^/?]*@/.test(uri)) return undefined
  const scheme = url.protocol.slice(0, -1)
  // A normalized address would be another text than the one that is compared.
  if (!uri.startsWith(url.protocol)) return undefined
  if (scheme === 'https') return hasPlainHost(uri, url) ? 'https' : undefined
  if (scheme === 'http')
    return LOOPBACK_HOSTS.includes(url.hostname) && hasPlainHost(uri, url) ? 'loopback' : undefined
  return SCHEME.test(scheme) && !FORBIDDEN_SCHEMES.includes(scheme) ? 'app' : undefined
}

/** Whether the host is written as the browser reads it, without dot segments after it. */
const hasPlainHost = (uri: string, url: URL): boolean =>
  uri.toLowerCase().startsWith(`${url.protocol}//${url.hostname}`) &&
  !/\/\.{1,2}(\/|$|\?)/.test(uri) &&
  !/%2e|%2f|%5c/i.test(uri.split('?')[0]!)

/**
 * Whether a request may redirect to this address: it must equal a registered one. Only the port of
 * an address on the own machine is free, because programs listen where they find one (RFC 8252).
 */
export function matchesRedirect(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true
  if (redirectKind(requested) !== 'loopback') return false
  return registered.some(
    (uri) => redirectKind(uri) === 'loopback' && withoutPort(uri) === withoutPort(requested),
  )
}

const withoutPort = (uri: string) => uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d+/, '$1')

/** The host that a redirect leads to; undefined for an app or program on the own machine. */
export const redirectHost = (uri: string): string | undefined =>
  redirectKind(uri) === 'https' ? new URL(uri).host : undefined

/** The source that a content security policy must allow, so that a form may redirect there. */
export function formActionSource(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri)
  // Policies have no syntax for addresses of IPv6.
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol
}

/** Adds parameters to an address, and leaves the rest of its text as it is. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>) {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  )
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}

/** A name as people see it: without characters that hide or reorder text. */
export const cleanClientName = (name: unknown): string =>
  typeof name === 'string'
    ? name
        .normalize('NFKC')
        .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, MAX_NAME_LENGTH)
    : ''

const CONSONANTS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8

/** Without vowels a code cannot be a word, and without digits nothing is mistaken for a letter. */
export function newUserCode(random: (max: number) => number): string {
  const characters = Array.from(
    { length: CODE_LENGTH },
    () => CONSONANTS[random(CONSONANTS.length)],
  )
  return characters.join('')
}

/** A code as it is shown, in two groups. */
export const showUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

/** A typed code, whatever its case and separators; undefined if it cannot be one. */
export function parseUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '')
  return code.length === CODE_LENGTH &&
    [...code].every((character) => CONSONANTS.includes(character))
    ? code
    : undefined
}

export const CODE_CHALLENGE = /^[\w-]{43}$/
const CODE_VERIFIER = /^[\w.~-]{43,128}$/

/** Whether the verifier is the one that the challenge was made of (PKCE, method S256). */
export const verifiesChallenge = (
  verifier: string,
  challenge: string,
  hash: (text: string) => string,
) => CODE_VERIFIER.test(verifier) && hash(verifier) === challenge
