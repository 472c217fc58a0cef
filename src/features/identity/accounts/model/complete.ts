import type { Tx } from '../../../../kernel/caller.ts'
import { firstSignInCookie, sessionCookies } from './cookies.ts'
import { deviceCookie, readDeviceCookie } from './devices.ts'
import { noticeNewDevice } from './new-device.ts'
import { clearedPendingCookie, pendingCookie } from './pending-sign-in.ts'
import { needsSecondFactor } from './second-factor.ts'
import type { AccountServices } from './services.ts'
import type { Session } from './sessions.ts'
import { type ClientInfo, openRecordedSession, type Proof, refuseDeactivated } from './signin.ts'

/** The result of a sign-in. */
export interface SignedIn {
  cookies: readonly string[]
  /** The page that must come first, such as the one that asks for a second factor. */
  next?: string
}

/** Uses up what proves who a person is, in the transaction that opens their session. */
export type Use = (tx: Tx, now: Date) => Promise<unknown>
export type Complete = (proof: Proof, client: ClientInfo, use?: Use) => Promise<SignedIn>

export const cookiesOf = ({ key, clock, server }: AccountServices, session: Session): string[] => [
  ...sessionCookies(key, session, clock(), server.url),
  ...(session.isFirst ? [firstSignInCookie(server.url)] : []),
]

/** Session cookies and the device cookie, which marks the browser as known for this person. */
export const signedInCookies = (
  services: AccountServices,
  session: Session,
  { cookies }: ClientInfo,
): string[] => {
  const { key, server } = services
  const device = readDeviceCookie(key, cookies)
  return [...cookiesOf(services, session), deviceCookie(key, device, session.user_id, server.url)]
}

/**
 * Signs in a person who has proved who they are, by whatever method. Every method ends here, so
 * that none passes by a rule. If a second factor is missing, the browser gets a cookie for the page
 * that asks for it, and no session.
 */
export const completeSignIn =
  (services: AccountServices): Complete =>
  async (proof, client, use) => {
    const { store, clock, server, key } = services
    const now = clock()
    const { session, pending } = await store.write(async (tx) => {
      await refuseDeactivated(tx, proof.actor_id)
      await use?.(tx, now)
      if (await needsSecondFactor(tx, proof))
        return { pending: await pendingCookie(tx, key, proof, now, server.url) }
      const session = await openRecordedSession(store, tx, proof, now, client)
      await noticeNewDevice(services, tx, session, client, now)
      return { session }
    })
    if (!session) return { cookies: [pending], next: '/sign-in/verify' }
    const cleared = proof.second_factor ? [clearedPendingCookie(server.url)] : []
    return { cookies: [...signedInCookies(services, session, client), ...cleared] }
  }
