import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import {
  type Gateway,
  type IncomingRequest,
  type RequestContext,
  STATUS,
  setRetryAfter,
} from '../gateway.ts'
import type { Submitted } from './layout.ts'
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

/** What these pages need from accounts. Signing in and out returns the cookies to set. */
export interface Accounts {
  checkSetUp(token: string): Promise<void>
  setUp(
    founder: Record<'token' | 'name' | 'email' | 'password' | 'team', string>,
    browser: BrowserInfo,
  ): Promise<Cookies>
  signIn(credentials: Record<'email' | 'password', string>, browser: BrowserInfo): Promise<Cookies>
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
}

export interface Parts {
  accounts: Accounts
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

/** Picks fields of a form. Missing ones are empty. */
export const pick = <K extends string>(values: URLSearchParams, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, values.get(name) ?? ''])) as Record<K, string>
