import { eq } from 'drizzle-orm'
import type { Caller } from '../../kernel/caller.ts'
import { invitationByToken } from '../invitations/index.ts'
import { people } from '../people/index.ts'
import { Attempts } from './attempts.ts'
import { noCookies, sessionCookies } from './cookies.ts'
import type { House } from './house.ts'
import { type Session, sessionEnd } from './sessions.ts'
import { checkSetUp, type Founder, setUp } from './setup.ts'
import {
  accept,
  acceptAsNewcomer,
  changePassword,
  type Newcomer,
  type NewPassword,
  signIn,
  signOut,
} from './signin.ts'

/** Everything about accounts that a browser asks for; who comes in is answered with cookies. */
export function frontDesk(house: House) {
  const attempts = new Attempts()
  const { store, clock, server, key } = house
  const cookies = (session: Session) => sessionCookies(key, session, clock(), server.url)
  return {
    checkSetUp: (token: string) => checkSetUp(house, token),
    setUp: async (founder: Required<Founder> & { token: string }) =>
      cookies(await setUp(house, founder)),
    signIn: async (proof: { email: string; password: string }, address: string) =>
      cookies(await signIn(house, attempts, proof, address)),
    async signOut(caller: Caller) {
      await signOut(house, caller)
      return noCookies(server.url)
    },
    noCookies: () => noCookies(server.url),
    changePassword: async (caller: Caller, passwords: NewPassword) =>
      cookies(await changePassword(house, attempts, caller, passwords)),
    invitation: (token: string) => store.read((tx) => invitationByToken(tx, token, clock())),
    accept: (caller: Caller, token: string) => accept(house, caller, token),
    acceptAsNewcomer: async (person: Newcomer) => cookies(await acceptAsNewcomer(house, person)),
    async emailOf({ actor_id }: Caller) {
      const own = eq(people.actor_id, actor_id)
      const [row] = await store.read((tx) => tx.select().from(people).where(own))
      return row!.email
    },
    sessionEnd: (caller: Caller) => store.read((tx) => sessionEnd(tx, caller)),
  }
}
