import type { Caller } from '../../kernel/caller.ts'
import { invitationByToken } from '../invitations/index.ts'
import { Attempts } from './attempts.ts'
import { firstCookie, noCookies, sessionCookies } from './cookies.ts'
import type { House } from './house.ts'
import { renewSession, type Session, sessionEnd } from './sessions.ts'
import { checkSetUp, type Founder, setUp } from './setup.ts'
import { accept, acceptAsNewcomer, type From, type Newcomer, signIn, signOut } from './signin.ts'

/** Everything about accounts that a browser asks for; who comes in is answered with cookies. */
export function frontDesk(house: House) {
  const attempts = new Attempts()
  const { store, clock, server, key } = house
  const cookies = (session: Session) => [
    ...sessionCookies(key, session, clock(), server.url),
    ...(session.isFirst ? [firstCookie(server.url)] : []),
  ]
  return {
    checkSetUp: (token: string) => checkSetUp(house, token),
    setUp: async (founder: Required<Founder> & { token: string }, from: From) =>
      cookies(await setUp(house, founder, from)),
    signIn: async (proof: { email: string; password: string }, from: From) =>
      cookies(await signIn(house, attempts, proof, from)),
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
      cookies(await acceptAsNewcomer(house, person, from)),
    sessionEnd: (caller: Caller) => store.read((tx) => sessionEnd(tx, caller)),
  }
}
