import { Secret, TOTP } from 'otpauth'
import { people } from '../../../../src/features/identity/people/model/index.ts'
import { type Authenticator, authenticator } from '../../../support/authenticator.ts'
import { type BrowserClient, browserClient } from '../../../support/browser-client.ts'
import { type World, world } from '../../../support/world.ts'

export const PASSWORD = 'correct horse battery'
export const MINUTE_MS = 60_000

/** A cheap hash, so that tests do not wait for it. */
const hash = Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

/** A world in which Ada and Cleo have a password. */
export async function worldWithPasswords(options?: Parameters<typeof world>[0]): Promise<World> {
  const w = await world(options)
  const password_hash = await hash
  await w.store.write((tx) => tx.update(people).set({ password_hash }))
  return w
}

export async function signIn(
  w: Pick<World, 'app'>,
  name = 'ada',
  browser = browserClient(w.app),
): Promise<BrowserClient> {
  await browser.post('/sign-in', { email: `${name}@example.com`, password: PASSWORD })
  return browser
}

/** Calls an operation of the account over REST; throws what it answers if it is refused. */
export async function call<T = Record<string, unknown>>(
  browser: BrowserClient,
  method: string,
  path: string,
  body: object = {},
): Promise<T> {
  const request = method === 'GET' ? browser.get(path) : browser.json(method, path, body)
  const { status, text } = await request
  const answer = JSON.parse(text)
  if (status < 300) return answer.data
  const { message, details } = answer
  throw new Error(`${status} ${message} ${JSON.stringify(details)}`)
}

export const ACCOUNT = '/api/v1/user'

export interface Factors {
  passkeys: { passkey_id: number; name: string; last_used_at: string | null }[]
  authenticator_app: { last_used_at: string | null } | null
  recovery_codes: { left: number } | null
  passkeys_available: boolean
}

export const factorsIn = (browser: BrowserClient) =>
  call<Factors>(browser, 'GET', `${ACCOUNT}/factors`)

/** Adds a passkey to the account of a signed-in person. */
export async function addPasskey(browser: BrowserClient, name = 'Phone'): Promise<Authenticator> {
  const device = authenticator()
  const { options } = await call<{ options: Record<string, unknown> }>(
    browser,
    'POST',
    `${ACCOUNT}/passkeys/options`,
  )
  await call(browser, 'POST', `${ACCOUNT}/passkeys`, { name, ...device.create(options) })
  return device
}

export const codeAt = (secret: string, now: Date) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })

/** Adds an authenticator app, and moves the clock so that its next code is another one. */
export async function addApp({ clock }: Pick<World, 'clock'>, browser: BrowserClient) {
  const { secret } = await call<{ secret: string }>(browser, 'POST', `${ACCOUNT}/authenticator-app`)
  const code = codeAt(secret, clock.now)
  await call(browser, 'POST', `${ACCOUNT}/authenticator-app/confirm`, { code })
  clock.advance(MINUTE_MS)
  return { secret, code: () => codeAt(secret, clock.now) }
}

export const createRecoveryCodes = async (browser: BrowserClient) =>
  (await call<{ codes: string[] }>(browser, 'POST', `${ACCOUNT}/recovery-codes`)).codes

export const isSignedIn = async (browser: BrowserClient) =>
  (await browser.get('/api/session/verify')).status === 200
