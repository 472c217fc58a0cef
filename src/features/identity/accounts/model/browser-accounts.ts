import type { Caller } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { invitationByToken } from '../../invitations/model/index.ts'
import { clearedCookies, firstSignInCookie, sessionCookies } from './cookies.ts'
import { deviceCookie, readDeviceCookie } from './devices.ts'
import { noticeNewDevice } from './new-device.ts'
import type { AccountServices } from './services.ts'
import { renewSession, type Session, sessionEnd } from './sessions.ts'
import { checkSetUp, type Founder, setUp } from './setup.ts'
import {
  accept,
  acceptAsNewcomer,
  type ClientInfo,
  checkSignIn,
  type Newcomer,
  openRecordedSession,
  type Proof,
  refuseDeactivated,
  signOut,
} from './signin.ts'
import { PasswordThrottle } from './throttle.ts'

/** The result of a sign-in. */
export interface SignedIn {
  cookies: readonly string[]
  /** The page that must come first, such as the one that asks for a second factor. */
  next?: string
}

function requirePasswords({ sign_in }: AccountServices['server']): void {
  if (sign_in.passwords) return
  const names = sign_in.issuers.map(({ name }) => name).join(' or ')
  throw fault.forbidden('Passwords are turned off on this server', `Sign in with ${names}`)
}

/** The account functions of the web app. Signing in returns the cookies to set. */
export function browserAccounts(services: AccountServices) {
  const { store, clock, server, key } = services
  const throttle = new PasswordThrottle(() => server.elapsed())
  const cookiesOf = (session: Session) => [
    ...sessionCookies(key, session, clock(), server.url),
    ...(session.isFirst ? [firstSignInCookie(server.url)] : []),
  ]
  /** Session cookies and the device cookie, which marks the browser as known for this person. */
  const signedInCookies = (session: Session, client: ClientInfo) => [
    ...cookiesOf(session),
    deviceCookie(key, readDeviceCookie(key, client.cookies), session.user_id, server.url),
  ]
  /**
   * Signs in a person who has proved who they are, by whatever method. Every method ends here, so
   * that none passes by a rule.
   */
  const complete = async (proof: Proof, client: ClientInfo): Promise<SignedIn> => {
    const session = await store.write(async (tx) => {
      await refuseDeactivated(tx, proof.actor_id)
      const opened = await openRecordedSession(store, tx, proof, clock(), client)
      await noticeNewDevice(services, tx, opened, client, clock())
      return opened
    })
    return { cookies: signedInCookies(session, client) }
  }
  return {
    checkSetUp: (token: string) => checkSetUp(services, token),
    setUp: async (founder: Required<Founder> & { token: string }, client: ClientInfo) =>
      signedInCookies(await setUp(services, founder, client), client),
    async signIn(password: { email: string; password: string }, client: ClientInfo) {
      requirePasswords(server)
      const actor_id = await checkSignIn(services, throttle, password, client)
      return complete({ actor_id, method: 'password' }, client)
    },
    complete,
    /** Checks a password without signing in, and returns the person. */
    checkPassword: (password: { email: string; password: string }, client: ClientInfo) =>
      checkSignIn(services, throttle, password, client),
    async signOut(caller: Caller) {
      await signOut(services, caller)
      return clearedCookies(server.url)
    },
    noCookies: () => clearedCookies(server.url),
    /** Rotates the caller's session. Returns no cookies if a concurrent request already did. */
    async renew(caller: Caller) {
      const session = await store.write((tx) => renewSession(tx, caller, clock()))
      return session ? cookiesOf(session) : []
    },
    invitation: (token: string) => store.read((tx) => invitationByToken(tx, token, clock())),
    accept: (caller: Caller, token: string) => accept(services, caller, token),
    async acceptAsNewcomer(person: Newcomer, client: ClientInfo) {
      requirePasswords(server)
      return signedInCookies(await acceptAsNewcomer(services, person, client), client)
    },
    sessionEnd: (caller: Caller) => store.read((tx) => sessionEnd(tx, caller)),
  }
}
