import type { Caller, Clock } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { type Called, type Door, STATUS, type Visit } from '../door.ts'
import type { Invited } from './entry.ts'
import type { Entered } from './layout.ts'
import type { Mails } from './stopping.ts'

/** Runs one operation of the catalogue by its name and answers its data. */
export type Act = (caller: Caller, name: string, input: unknown) => Promise<unknown>

type Cookies = readonly string[]

/** What these pages ask of accounts; whoever comes in or leaves is answered with cookies. */
export interface Accounts {
  checkSetUp(token: string): Promise<void>
  setUp(founder: Record<'token' | 'name' | 'email' | 'password' | 'team', string>): Promise<Cookies>
  signIn(proof: Record<'email' | 'password', string>, address: string): Promise<Cookies>
  signOut(caller: Caller): Promise<Cookies>
  noCookies(): Cookies
  changePassword(
    caller: Caller,
    passwords: Record<'old_password' | 'new_password', string>,
  ): Promise<Cookies>
  invitation(token: string): Promise<Invited>
  /** Answers the board to show first, where there is one. */
  accept(caller: Caller, token: string): Promise<number | undefined>
  acceptAsNewcomer(person: Record<'token' | 'name' | 'password', string>): Promise<Cookies>
  emailOf(caller: Caller): Promise<string>
  sessionEnd(caller: Caller): Promise<Date>
}

export interface Parts {
  accounts: Accounts
  mails: Mails
  door: Door
  act: Act
  clock: Clock
}

export type Handle = (visit: Visit, called: Called) => Promise<Response>

export type On = (method: 'GET' | 'POST', path: string, handle: Handle) => void

/** Does what a form asks; a refusal shows the form again, as it was filled in. */
export async function attempt(
  form: string,
  values: URLSearchParams,
  job: () => Promise<Response>,
  again: (entered: Entered, status: number) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await job()
  } catch (refused) {
    if (!(refused instanceof Fault)) throw refused
    return again({ form, values, refused }, STATUS[refused.code])
  }
}

/** Named fields of a form; one that was not sent is empty. */
export const take = <K extends string>(values: URLSearchParams, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, values.get(name) ?? ''])) as Record<K, string>
