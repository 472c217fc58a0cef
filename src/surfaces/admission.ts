import type { Caller } from '../kernel/caller.ts'
import type { Client } from './client-address.ts'
import type { Counted } from './limits.ts'

/**
 * Ways in that differ in which credentials they take. A page is for people: it takes a session or
 * nothing, and nobody may send it a form from elsewhere. A sign-in is a page that takes a password.
 * What is open takes no credential and is not counted: static files, and routes that find their
 * caller by themselves and then call `Door.count`.
 */
export type Entry = 'bearer' | 'bearer or cookie' | 'page' | 'sign-in' | 'anyone' | 'open'

/** What a request is counted as; each kind has its own allowance. */
export type Tier = 'base' | 'agent' | 'web' | 'page' | 'sign-in' | 'receiver' | 'feed'

/** How requests without a credential are counted. */
export const ANONYMOUS = {
  bearer: 'base',
  'bearer or cookie': 'base',
  page: 'page',
  anyone: 'page',
  'sign-in': 'sign-in',
} as const satisfies Record<Exclude<Entry, 'open'>, Tier>

export interface Identity {
  caller: Caller
  tier: 'base' | 'agent' | 'web'
  /** A session's cookies when its secret was just changed. */
  cookies?: readonly string[]
}

/** What the door asks of the rest of the house. */
export interface Doorkeeper {
  /** The public base address. */
  url(): string
  /** Resolves credentials; nothing when none were shown; a fault when they are no good. */
  identify(request: Request, entry: Entry): Promise<Identity | undefined>
  /** Counts a request against the allowance that `key` has in a tier. */
  count(tier: Tier, key: string): Counted
  clientOf(headers: Headers, peer: string): Client
  /** Names a browser in which somebody has signed in before, even if nobody is now. */
  deviceOf(request: Request): string | undefined
  /** Refuses a long body before it is read, of a credential that used up its processor time. */
  checkBody(request: Request, credential: string): void
  heard(event: Served): void
  /** What a surface answered as internal although the response itself is no failure. */
  broke(requestId: string, error: unknown): void
}

/** For the log and the metrics. */
export interface Served {
  requestId: string
  method: string
  path: string
  route: string
  status: number
  ms: number
  who: string
  error?: unknown
}
