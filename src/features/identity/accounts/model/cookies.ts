import { Fault } from '../../../../kernel/fault.ts'
import type { SigningKey } from '../../credentials/model/index.ts'
import type { Session } from './sessions.ts'

const SESSION_COOKIE = 'cork_session'
/** Tells scripts who is signed in. It is not signed, so it proves nothing. */
const USER_COOKIE = 'nookies_user'
/** Tells the app that a person signed in for the first time. */
const FIRST_SIGN_IN_COOKIE = 'cork_first'
const FIRST_SIGN_IN_MAX_AGE_S = 60 * 60

/** Returns the cookies that carry a session. `url` is the server's public address. */
export function sessionCookies(
  key: SigningKey,
  { user_id, secret, expires_at }: Session,
  now: Date,
  url: string,
): string[] {
  const text = `${user_id}.${secret}`
  const maxAge = Math.floor((expires_at.getTime() - now.getTime()) / 1000)
  return [
    `${SESSION_COOKIE}=${text}.${key.seal('session', text)}; ${cookieAttributes(maxAge, url)}; HttpOnly`,
    `${USER_COOKIE}=${user_id}; ${cookieAttributes(maxAge, url)}`,
  ]
}

export const firstSignInCookie = (url: string) =>
  `${FIRST_SIGN_IN_COOKIE}=yes; ${cookieAttributes(FIRST_SIGN_IN_MAX_AGE_S, url)}`

export const clearedCookies = (url: string): string[] => [
  `${SESSION_COOKIE}=; ${cookieAttributes(0, url)}; HttpOnly`,
  `${USER_COOKIE}=; ${cookieAttributes(0, url)}`,
  `${FIRST_SIGN_IN_COOKIE}=; ${cookieAttributes(0, url)}`,
]

export const cookieAttributes = (maxAge: number, url: string) =>
  `Path=/; Max-Age=${maxAge}; SameSite=Lax${url.startsWith('https:') ? '; Secure' : ''}`

/**
 * Reads the session from a Cookie header. Returns undefined if there is none, and throws if the
 * signature is missing or wrong, or if the two cookies name different people. A server below a path
 * also receives the cookies of a server at the root of the host, and ignores them.
 */
export function readCookies(
  key: SigningKey,
  header: string | null,
  isBelowPath = false,
): { user_id: number; secret: string } | undefined {
  const cookies = parseCookies(header ?? '')
  const claimed = cookies.get(USER_COOKIE)
  const signed = cookies.get(SESSION_COOKIE)
  if (!claimed && !signed) return undefined
  const [user_id = '', secret = '', seal = ''] = signed?.split('.') ?? []
  const isSealed = key.sealed('session', `${user_id}.${secret}`, seal)
  if (!isSealed && isBelowPath) return undefined
  if (!isSealed)
    throw unauthenticated('The session cookie is missing or was not signed by this server')
  if (claimed && claimed !== user_id)
    throw unauthenticated('The cookies belong to two different people')
  return { user_id: Number(user_id), secret }
}

const unauthenticated = (message: string) =>
  new Fault('unauthenticated', message, {}, 'Sign in again at /sign-in')

/**
 * If a name occurs twice, the first one counts, because browsers send the most specific one first.
 */
export function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim())
  }
  return cookies
}
