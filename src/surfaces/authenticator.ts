import type { Caller } from '../kernel/caller.ts'
import type { ProtectedResource } from './challenge.ts'
import type { Client } from './client-address.ts'
import type { CountedRequest } from './rate-limits.ts'

/**
 * The credentials that a route accepts. A `page` is for people: it accepts a session or nothing,
 * and no cross-origin forms. A `sign-in` is a page that takes a password. An `open` route takes no
 * credential and is not counted: static files, and routes that find their caller themselves and
 * then call `Gateway.count`.
 */
export type AuthMode = 'bearer' | 'bearer or cookie' | 'page' | 'sign-in' | 'anyone' | 'open'

/** The rate limit that a request counts against. Each tier has its own. */
export type Tier =
  | 'base'
  | 'agent'
  | 'web'
  | 'page'
  | 'sign-in'
  | 'receiver'
  | 'feed'
  | 'bulk'
  | 'code'

/** The tier of requests without a credential. */
export const ANONYMOUS = {
  bearer: 'base',
  'bearer or cookie': 'base',
  page: 'page',
  anyone: 'page',
  'sign-in': 'sign-in',
} as const satisfies Record<Exclude<AuthMode, 'open'>, Tier>

export interface Identity {
  caller: Caller
  tier: 'base' | 'agent' | 'web'
  /** The new cookies of a session whose secret was just rotated. */
  cookies?: readonly string[]
}

/** What the gateway needs from the rest of the server. */
export interface Authenticator {
  /** Whether reads may go to replicas of the database. */
  hasReplicas(): boolean
  /** The public base address. */
  url(): string
  /**
   * Resolves the credential. Returns undefined if there is none, throws a fault if it is invalid.
   */
  identify(request: Request, entry: AuthMode): Promise<Identity | undefined>
  /** The protected resource that a path belongs to. */
  resourceAt(path: string): ProtectedResource
  /** Counts a request of `key` against the limit of a tier. */
  count(tier: Tier, key: string): CountedRequest
  clientOf(headers: Headers, peer: string): Client
  /**
   * The id of a browser in which somebody has signed in before, even if nobody is signed in now.
   */
  deviceOf(request: Request): string | undefined
  /** Refuses a long body before it is read, if the credential has used up its text budget. */
  checkBody(request: Request, credential: string): void
  onServed(event: ServedRequest): void
  /** Logs an internal error that a surface reported inside a successful response. */
  onFailure(requestId: string, error: unknown): void
}

/** An answered request, for the log and the metrics. */
export interface ServedRequest {
  requestId: string
  method: string
  path: string
  route: string
  status: number
  ms: number
  who: string
  error?: unknown
}
