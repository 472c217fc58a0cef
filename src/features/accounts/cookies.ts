import { Fault } from '../../kernel/fault.ts'
import type { SigningKey } from '../credentials/index.ts'
import type { Session } from './sessions.ts'

const SIGNED = 'cork_session'
/** Tells scripts who is signed in. Anybody can write it, so it proves nothing. */
const COMPANION = 'nookies_user'
/** Tells the app that somebody is here for the first time, until it has seen to them. */
const FIRST = 'cork_first'
const FIRST_S = 60 * 60

/** The cookies that carry a session; `url` is the server's public address. */
export function sessionCookies(
  key: SigningKey,
  { user_id, secret, expires_at }: Session,
  now: Date,
  url: string,
): string[] {
  const text = `${user_id}.${secret}`
  const age = Math.floor((expires_at.getTime() - now.getTime()) / 1000)
  return [
    `${SIGNED}=${text}.${key.seal('session', text)}; ${attributes(age, url)}; HttpOnly`,
    `${COMPANION}=${user_id}; ${attributes(age, url)}`,
  ]
}

export const firstCookie = (url: string) => `${FIRST}=yes; ${attributes(FIRST_S, url)}`

export const noCookies = (url: string): string[] => [
  `${SIGNED}=; ${attributes(0, url)}; HttpOnly`,
  `${COMPANION}=; ${attributes(0, url)}`,
  `${FIRST}=; ${attributes(0, url)}`,
]

export const attributes = (age: number, url: string) =>
  `Path=/; Max-Age=${age}; SameSite=Lax${url.startsWith('https:') ? '; Secure' : ''}`

/**
 * The session that a Cookie header shows, or nothing where it shows none. Whoever claims to be
 * somebody without the signed proof of it is refused.
 */
export function readCookies(
  key: SigningKey,
  header: string | null,
): { user_id: number; secret: string } | undefined {
  const cookies = parseCookies(header ?? '')
  const claimed = cookies.get(COMPANION)
  const signed = cookies.get(SIGNED)
  if (!claimed && !signed) return undefined
  const [user_id = '', secret = '', seal = ''] = signed?.split('.') ?? []
  if (!key.sealed('session', `${user_id}.${secret}`, seal))
    throw unproven('The session cookie is missing or was not signed by this server')
  if (claimed && claimed !== user_id) throw unproven('The cookies name two different people')
  return { user_id: Number(user_id), secret }
}

const unproven = (message: string) =>
  new Fault('unauthenticated', message, {}, 'Sign in again at /sign-in')

/** Of a name given twice the first one counts, as browsers send the most specific one first. */
export function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim())
  }
  return cookies
}
