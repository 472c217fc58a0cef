import { randomBytes } from 'node:crypto'
import type { SigningKey } from '../credentials/index.ts'
import { attributes, parseCookies } from './cookies.ts'

const DEVICE = 'cork_device'
const LASTS_S = 365 * 24 * 60 * 60
const MOST_PEOPLE = 8

/**
 * A browser in which people have signed in. The cookie opens nothing: it only gives the browser
 * allowances of its own, so that strangers at its address cannot use them up.
 */
export interface Device {
  id: string
  /** Who signed in, the last one first. */
  people: readonly number[]
}

/** The device that a Cookie header shows; nothing where this server did not sign it. */
export function deviceIn(key: SigningKey, header: string | null): Device | undefined {
  if (!header?.includes(DEVICE)) return undefined
  const [id = '', people = '', seal = ''] = parseCookies(header).get(DEVICE)?.split('.') ?? []
  if (!key.sealed('device', `${id}.${people}`, seal)) return undefined
  return { id, people: people.split('-').map(Number) }
}

/** The cookie of a browser in which a person has just signed in. */
export function deviceCookie(
  key: SigningKey,
  before: Device | undefined,
  person: number,
  url: string,
): string {
  const id = before?.id ?? randomBytes(12).toString('hex')
  const people = [person, ...(before?.people ?? []).filter((one) => one !== person)]
  const text = `${id}.${people.slice(0, MOST_PEOPLE).join('-')}`
  return `${DEVICE}=${text}.${key.seal('device', text)}; ${attributes(LASTS_S, url)}; HttpOnly`
}
