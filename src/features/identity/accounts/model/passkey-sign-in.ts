import { randomBytes } from 'node:crypto'
import {
  type Assertion,
  allowsPasskeys,
  type ChallengeFor,
  checkAssertion,
  passkeyByWebauthnId,
  requestOptions,
  usePasskey,
} from '../../factors/model/index.ts'
import type { Complete } from './complete.ts'
import { cookieAttributes, parseCookies } from './cookies.ts'
import { requireOwnWays } from './own-ways.ts'
import type { AccountServices } from './services.ts'
import type { ClientInfo, Proof } from './signin.ts'

type Cookies = Pick<ClientInfo, 'cookies'>

/** Signing in with a passkey alone. It stands for the device and for the person who unlocks it. */
export function passkeySignIn(services: AccountServices, complete: Complete) {
  const { clock, server } = services
  return {
    isAvailable: () => server.sign_in.passwords && allowsPasskeys(server.url),
    /** Options for any passkey of this server, and the cookie that binds them to the browser. */
    options({ cookies }: Cookies) {
      const browser = browserIn(cookies) ?? randomBytes(16).toString('base64url')
      const cookie = `${COOKIE}=${browser}; ${cookieAttributes(MAX_AGE_S, server.url)}; HttpOnly`
      return { options: requestOptions(server, undefined, signIn(browser), clock()), cookie }
    },
    async signIn(assertion: Assertion, client: ClientInfo) {
      requireOwnWays(server)
      const used = await checkPasskey(services, assertion, signIn(browserIn(client.cookies) ?? ''))
      const proof: Proof = { actor_id: used.actor_id, method: 'passkey' }
      return complete(proof, client, (tx, now) => usePasskey(tx, used, now))
    },
  }
}

const COOKIE = 'cork_passkey'
const MAX_AGE_S = 60 * 60

/** Tells browsers apart, so that a challenge for one is of no use in another. */
const browserIn = (cookies: string | null) => {
  const browser = parseCookies(cookies ?? '').get(COOKIE)
  return browser && /^[\w-]{22}$/.test(browser) ? browser : undefined
}

const signIn = (holder: string): ChallengeFor => ({ ceremony: 'sign in', holder })

export async function checkPasskey(
  { store, server, clock }: AccountServices,
  assertion: Assertion,
  challenge: ChallengeFor,
) {
  const passkey = await store.read((tx) => passkeyByWebauthnId(tx, assertion.webauthn_id))
  return checkAssertion(server, assertion, passkey, challenge, clock())
}
