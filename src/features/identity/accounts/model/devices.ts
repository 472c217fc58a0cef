import { randomBytes } from 'node:crypto'
import type { SigningKey } from '../../credentials/model/index.ts'
import { cookieAttributes, parseCookies } from './cookies.ts'

const DEVICE = 'cork_device'
const MAX_AGE_S = 365 * 24 * 60 * 60
const MAX_PEOPLE = 8

/**
 * A browser in which people have signed in before. The cookie grants no access. It only gives the
 * browser a password throttle of its own, so that strangers at its address cannot lock people out.
 */
export interface Device {
  id: string
  /** The people who signed in, most recent first. */
  people: readonly number[]
}

/** Reads the device from a Cookie header. Returns undefined if this server did not sign it. */
export function readDeviceCookie(key: SigningKey, header: string | null): Device | undefined {
  if (!header?.includes(DEVICE)) return undefined
  const [id = '', people = '', seal = ''] = parseCookies(header).get(DEVICE)?.split('.') ?? []
  if (!key.sealed('device', `${id}.${people}`, seal)) return undefined
  return { id, people: people.split('-').map(Number) }
}

/** Returns the cookie for a browser in which a person has just signed in. */
export function deviceCookie(
  key: SigningKey,
  previous: Device | undefined,
  person: number,
  url: string,
): string {
  const id = previous?.id ?? randomBytes(12).toString('hex')
  const people = [person, ...(previous?.people ?? []).filter((id) => id !== person)]
  const text = `${id}.${people.slice(0, MAX_PEOPLE).join('-')}`
  return `${DEVICE}=${text}.${key.seal('device', text)}; ${cookieAttributes(MAX_AGE_S, url)}; HttpOnly`
}
