import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import type { AuthorizationService } from '../authorization-service.ts'
import { networkOf } from '../client-address.ts'
import {
  type Gateway,
  type IncomingRequest,
  type RequestContext,
  STATUS,
  setRetryAfter,
} from '../gateway.ts'
import { redirect, type Submitted } from './layout.ts'
import type { Invitation } from './pages.ts'
import type { EmailSubscriptions } from './unsubscribe.ts'

/** What is known about a browser before somebody has signed in. */
export interface BrowserInfo {
  address: string
  network: string
  browser: string | null
  cookies: string | null
}

type Cookies = readonly string[]

/** The result of a sign-in. */
export interface SignedIn {
  cookies: Cookies
  /** The page that must come first, such as the one that asks for a second factor. */
  next?: string
}

/** What the authenticator of a passkey answers. All fields are base64url. */
export interface Assertion {
  webauthn_id: string
  client_data: string
  authenticator_data: string
  signature: string
  user_handle?: string
}

type Options = Record<string, unknown>

/** What these pages need from accounts. Signing in and out returns the cookies to set. */
export interface Accounts {
  checkSetUp(token: string): Promise<void>
  setUp(
    founder: Record<'token' | 'name' | 'email' | 'password' | 'team', string>,
    browser: BrowserInfo,
  ): Promise<Cookies>
  signIn(credentials: Record<'email' | 'password', string>, browser: BrowserInfo): Promise<SignedIn>
  /** Signing in with a passkey alone. */
  passkey: {
    isAvailable(): boolean
    options(browser: BrowserInfo): { options: Options; cookie: string }
    signIn(assertion: Assertion, browser: BrowserInfo): Promise<SignedIn>
  }
  /** Second factors, for a browser whose person has given the first one. */
  secondFactor: {
    /** Undefined if the browser has no pending sign-in. */
    ways(
      browser: BrowserInfo,
    ): Promise<{ app: boolean; recoveryCode: boolean; passkey: boolean } | undefined>
    passkeyOptions(browser: BrowserInfo): Promise<Options>
    verifyPasskey(assertion: Assertion, browser: BrowserInfo): Promise<SignedIn>
    verifyCode(code: string, browser: BrowserInfo): Promise<SignedIn>
  }
  signOut(caller: Caller): Promise<Cookies>
  noCookies(): Cookies
  invitation(token: string): Promise<Invitation>
  /** Returns the id of the board to show first, if there is one. */
  accept(caller: Caller, token: string): Promise<number | undefined>
  acceptAsNewcomer(
    person: Record<'token' | 'name' | 'password', string>,
    browser: BrowserInfo,
  ): Promise<Cookies>
  sessionEnd(caller: Caller): Promise<Date>
  links: EmailLinks
}

type LinkKind = 'sign-in' | 'password'
/** The result of a sign-in, and the page that the person wanted to see. */
type SignedInFor = SignedIn & { page: string }

/** What these pages need from links in emails. */
export interface EmailLinks {
  /** Whether this server emails links. Links of the operator work anyway. */
  readonly isAvailable: boolean
  /** Returns before the account is looked up. */
  request(
    request: { kind: LinkKind; email: string; next: string },
    browser: Pick<BrowserInfo, 'network'>,
  ): void
  /** Throws if the link does not work. Changes nothing. */
  check(kind: LinkKind, token: string): Promise<{ isRecovery: boolean }>
  signIn(token: string, browser: BrowserInfo): Promise<SignedInFor>
  setPassword(
    values: Record<'token' | 'password', string>,
    browser: BrowserInfo,
  ): Promise<SignedInFor>
}

export interface Parts {
  accounts: Accounts
  authorization: AuthorizationService
  mails: EmailSubscriptions
  gateway: Gateway
}

export type Handle = (context: RequestContext, incoming: IncomingRequest) => Promise<Response>

export type AddRoute = (method: 'GET' | 'POST', path: string, handle: Handle) => void

/** Handles a submitted form. On a fault, the form is shown again with its values and the error. */
export async function submit(
  context: RequestContext,
  form: string,
  values: URLSearchParams,
  action: () => Promise<Response>,
  renderForm: (submitted: Submitted, status: number) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    setRetryAfter(error, context)
    return renderForm({ form, values, fault: error }, STATUS[error.code])
  }
}

/** What is known about the browser of a request. */
export const browserOf = (
  { address }: RequestContext,
  { request }: IncomingRequest,
): BrowserInfo => ({
  address,
  network: networkOf(address),
  browser: request.headers.get('user-agent'),
  cookies: request.headers.get('cookie'),
})

/** Ends a sign-in: a session that the browser had before is closed, and `next` is shown. */
export async function enter(
  accounts: Pick<Accounts, 'signOut'>,
  context: RequestContext,
  { cookies, next: first }: SignedIn,
  next: string,
): Promise<Response> {
  const ended = context.caller ? await accounts.signOut(context.caller) : []
  // A sign-in that waits for a second factor sets no new session that replaces the old cookies.
  context.cookies = first ? [...ended, ...cookies] : cookies
  return redirect(first ? `${first}?next=${encodeURIComponent(next)}` : next)
}

/** Picks fields of a form. Missing ones are empty. */
export const pick = <K extends string>(values: URLSearchParams, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, values.get(name) ?? ''])) as Record<K, string>
