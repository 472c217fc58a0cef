import type { PendingLink } from '../features/identity/accounts/model/index.ts'
import { cookieAttributes, parseCookies } from '../features/identity/accounts/model/index.ts'
import type { SigningKey } from '../features/identity/credentials/model/index.ts'
import type { Clock } from '../kernel/caller.ts'
import type { Challenge } from '../oidc/index.ts'

const LIFETIME_S = 10 * 60
const LINK_COOKIE = 'cork_issuer_link'
/** Each sign-in has a cookie of its own, so that several tabs can sign in at the same time. */
const START_PREFIX = 'cork_issuer_'
const MAX_STARTED = 5

/** A sign-in that waits for the answer of its issuer. */
export interface StartedSignIn extends Challenge {
  number: number
  next: string
  /** The person to whose account the identity is linked. */
  link?: number
}

/** A link that the person has to confirm. */
export interface Pending {
  number: number
  link: PendingLink
  isWaiting: boolean
  next: string
  /** The person is signed in to the account, so their second factor was asked for before. */
  isOwn?: true
}

interface Parts {
  key: SigningKey
  clock: Clock
  url(): string
}

/**
 * The cookies of sign-ins in progress. They are encrypted, so browsers can neither read nor change
 * what they carry, and they bind the answer of an issuer to the browser in which it was requested.
 */
export class IssuerCookies {
  constructor(private readonly parts: Parts) {}

  start(started: StartedSignIn, header: string | null): string[] {
    const names = [...parseCookies(header ?? '').keys()].filter(
      (name) => name.startsWith(START_PREFIX) && name !== LINK_COOKIE,
    )
    const surplus = names.length >= MAX_STARTED ? names.map((name) => this.cleared(name)) : []
    return [...surplus, this.cookie(nameOf(started.state), 'issuer sign-in', started)]
  }

  started(state: string, header: string | null): StartedSignIn | undefined {
    const started = this.read<StartedSignIn>(header, nameOf(state), 'issuer sign-in')
    return started?.state === state ? started : undefined
  }

  end = (state: string): string[] => (state ? [this.cleared(nameOf(state))] : [])

  link = (pending: Pending): string[] => [this.cookie(LINK_COOKIE, 'issuer link', pending)]

  pending = (header: string | null) => this.read<Pending>(header, LINK_COOKIE, 'issuer link')

  endLink = (): string[] => [this.cleared(LINK_COOKIE)]

  private cookie(name: string, purpose: string, value: object): string {
    const until = this.parts.clock().getTime() + LIFETIME_S * 1000
    const text = this.parts.key.encrypt(purpose, JSON.stringify({ ...value, until }))
    return `${name}=${text}; ${cookieAttributes(LIFETIME_S, this.parts.url())}; HttpOnly`
  }

  private cleared = (name: string) => `${name}=; ${cookieAttributes(0, this.parts.url())}; HttpOnly`

  private read<T>(header: string | null, name: string, purpose: string): T | undefined {
    const text = parseCookies(header ?? '').get(name)
    if (!text) return undefined
    try {
      const { until, ...value } = JSON.parse(this.parts.key.decrypt(purpose, text))
      return until > this.parts.clock().getTime() ? value : undefined
    } catch {
      return undefined
    }
  }
}

/** The state comes from the address, so only characters of cookie names are used. */
const nameOf = (state: string) => `${START_PREFIX}${state.slice(0, 12).replace(/[^\w-]/g, '_')}`
