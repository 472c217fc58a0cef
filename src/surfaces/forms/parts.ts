import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { type Called, type Door, noteRetry, STATUS, type Visit } from '../door.ts'
import type { Invited } from './entry.ts'
import type { Entered } from './layout.ts'
import type { Mails } from './stopping.ts'

/** What is known of a browser before it is known who sits at it. */
export interface From {
  address: string
  network: string
  browser: string | null
  cookies: string | null
}

type Cookies = readonly string[]

/** What these pages ask of accounts; whoever comes in or leaves is answered with cookies. */
export interface Accounts {
  checkSetUp(token: string): Promise<void>
  setUp(
    founder: Record<'token' | 'name' | 'email' | 'password' | 'team', string>,
    from: From,
  ): Promise<Cookies>
  signIn(proof: Record<'email' | 'password', string>, from: From): Promise<Cookies>
  signOut(caller: Caller): Promise<Cookies>
  noCookies(): Cookies
  invitation(token: string): Promise<Invited>
  /** Answers the board to show first, where there is one. */
  accept(caller: Caller, token: string): Promise<number | undefined>
  acceptAsNewcomer(
    person: Record<'token' | 'name' | 'password', string>,
    from: From,
  ): Promise<Cookies>
  sessionEnd(caller: Caller): Promise<Date>
}

export interface Parts {
  accounts: Accounts
  mails: Mails
  door: Door
}

export type Handle = (visit: Visit, called: Called) => Promise<Response>

export type On = (method: 'GET' | 'POST', path: string, handle: Handle) => void

/** Does what a form asks; a refusal shows the form again, as it was filled in. */
export async function attempt(
  visit: Visit,
  form: string,
  values: URLSearchParams,
  job: () => Promise<Response>,
  again: (entered: Entered, status: number) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await job()
  } catch (refused) {
    if (!(refused instanceof Fault)) throw refused
    noteRetry(refused, visit)
    return again({ form, values, refused }, STATUS[refused.code])
  }
}

/** Named fields of a form; one that was not sent is empty. */
export const take = <K extends string>(values: URLSearchParams, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, values.get(name) ?? ''])) as Record<K, string>
