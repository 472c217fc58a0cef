import type { Caller } from '../../../../kernel/caller.ts'
import { invitationByToken } from '../../invitations/model/index.ts'
import { completeSignIn, cookiesOf, signedInCookies } from './complete.ts'
import { clearedCookies } from './cookies.ts'
import { requireOwnWays } from './own-ways.ts'
import { passkeySignIn } from './passkey-sign-in.ts'
import { secondFactorOf } from './second-factor-sign-in.ts'
import type { AccountServices } from './services.ts'
import { renewSession, sessionEnd } from './sessions.ts'
import { checkSetUp, type Founder, setUp } from './setup.ts'
import {
  accept,
  acceptAsNewcomer,
  type ClientInfo,
  checkSignIn,
  type Newcomer,
  signOut,
} from './signin.ts'
import { PasswordThrottle } from './throttle.ts'

/** The account functions of the web app. Signing in returns the cookies to set. */
export function browserAccounts(services: AccountServices) {
  const { store, clock, server } = services
  const throttle = new PasswordThrottle(() => server.elapsed())
  const complete = completeSignIn(services)
  return {
    checkSetUp: (token: string) => checkSetUp(services, token),
    setUp: async (founder: Required<Founder> & { token: string }, client: ClientInfo) =>
      signedInCookies(services, await setUp(services, founder, client), client),
    async signIn(password: { email: string; password: string }, client: ClientInfo) {
      requireOwnWays(server)
      const actor_id = await checkSignIn(services, throttle, password, client)
      return complete({ actor_id, method: 'password' }, client)
    },
    complete,
    /** Checks a password without signing in, and returns the person. */
    checkPassword: (password: { email: string; password: string }, client: ClientInfo) =>
      checkSignIn(services, throttle, password, client),
    passkey: passkeySignIn(services, complete),
    secondFactor: secondFactorOf(services, complete),
    async signOut(caller: Caller) {
      await signOut(services, caller)
      return clearedCookies(server.url)
    },
    noCookies: () => clearedCookies(server.url),
    /** Rotates the caller's session. Returns no cookies if a concurrent request already did. */
    async renew(caller: Caller) {
      const session = await store.write((tx) => renewSession(tx, caller, clock()))
      return session ? cookiesOf(services, session) : []
    },
    invitation: (token: string) => store.read((tx) => invitationByToken(tx, token, clock())),
    accept: (caller: Caller, token: string) => accept(services, caller, token),
    async acceptAsNewcomer(person: Newcomer, client: ClientInfo) {
      requireOwnWays(server)
      return signedInCookies(services, await acceptAsNewcomer(services, person, client), client)
    },
    sessionEnd: (caller: Caller) => store.read((tx) => sessionEnd(tx, caller)),
  }
}
