import type { Caller } from '../../kernel/caller.ts'
import { invitationByToken } from '../invitations/index.ts'
import { firstCookie, noCookies, sessionCookies } from './cookies.ts'
import { deviceCookie, deviceIn } from './devices.ts'
import type { House } from './house.ts'
import { renewSession, type Session, sessionEnd } from './sessions.ts'
import { checkSetUp, type Founder, setUp } from './setup.ts'
import { accept, acceptAsNewcomer, type From, type Newcomer, signIn, signOut } from './signin.ts'
import { PasswordThrottle } from './throttle.ts'

/** Everything about accounts that a browser asks for; who comes in is answered with cookies. */
export function frontDesk(house: House) {
  const { store, clock, server, key } = house
  const throttle = new PasswordThrottle(() => server.elapsed())
  const cookies = (session: Session) => [
    ...sessionCookies(key, session, clock(), server.url),
    ...(session.isFirst ? [firstCookie(server.url)] : []),
  ]
  /** Somebody came in by a form, so the browser is known from now on. */
  const entered = (session: Session, from: From) => [
    ...cookies(session),
    deviceCookie(key, deviceIn(key, from.cookies), session.user_id, server.url),
  ]
  return {
    checkSetUp: (token: string) => checkSetUp(house, token),
    setUp: async (founder: Required<Founder> & { token: string }, from: From) =>
      entered(await setUp(house, founder, from), from),
    signIn: async (proof: { email: string; password: string }, from: From) =>
      entered(await signIn(house, throttle, proof, from), from),
    async signOut(caller: Caller) {
      await signOut(house, caller)
      return noCookies(server.url)
    },
    noCookies: () => noCookies(server.url),
    /** Another secret for the caller's session; none where a request beside this one was first. */
    async renew(caller: Caller) {
      const session = await store.write((tx) => renewSession(tx, caller, clock()))
      return session ? cookies(session) : []
    },
    invitation: (token: string) => store.read((tx) => invitationByToken(tx, token, clock())),
    accept: (caller: Caller, token: string) => accept(house, caller, token),
    acceptAsNewcomer: async (person: Newcomer, from: From) =>
      entered(await acceptAsNewcomer(house, person, from), from),
    sessionEnd: (caller: Caller) => store.read((tx) => sessionEnd(tx, caller)),
  }
}
