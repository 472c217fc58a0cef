import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys } from '../../../../src/features/identity/factors/model/index.ts'
import { signIns } from '../../../../src/features/identity/sign_ins/model/index.ts'
import { browserClient } from '../../../support/browser-client.ts'
import type { World } from '../../../support/world.ts'
import {
  addApp,
  addPasskey,
  createRecoveryCodes,
  factorsIn,
  isSignedIn,
  MINUTE_MS,
  PASSWORD,
  signIn,
  worldWithPasswords,
} from './people-in-browsers.ts'

const VERIFY = '/sign-in/verify'
const lastSignIn = async ({ store }: World) =>
  (await store.read((tx) => tx.select().from(signIns))).at(-1)!
const optionsAt = async (browser: ReturnType<typeof browserClient>, path: string) =>
  JSON.parse((await browser.get(path)).text).options as Record<string, unknown>

test('a password alone opens no session for a person with an authenticator app', async () => {
  const w = await worldWithPasswords()
  const app = await addApp(w, await signIn(w))
  const browser = browserClient(w.app)
  const fields = { email: 'ada@example.com', password: PASSWORD, next: '/my' }
  const first = await browser.post('/sign-in', fields)
  expect([first.status, first.headers.get('location')]).toEqual([303, `${VERIFY}?next=%2Fmy`])
  expect([...browser.cookies.keys()]).toEqual(['cork_pending'])
  expect(await isSignedIn(browser)).toBe(false)
  const page = await browser.get(`${VERIFY}?next=/my`)
  expect(page.text).toContain('autocomplete="one-time-code"')
  expect(page.headers.get('content-security-policy')).not.toContain('script-src')
  const wrong = await browser.post(VERIFY, { code: '000000', next: '/my' })
  expect([wrong.status, await isSignedIn(browser)]).toEqual([400, false])
  expect(wrong.text).toContain('This code is wrong, or was used before')
  const right = await browser.post(VERIFY, { code: app.code(), next: '/my' })
  expect([right.status, right.headers.get('location')]).toEqual([303, '/my'])
  expect(await isSignedIn(browser)).toBe(true)
  expect(browser.cookies.has('cork_pending')).toBe(false)
  expect(await lastSignIn(w)).toMatchObject({ method: 'password', second_factor: 'app' })
})

test('a code of the app opens one session only', async () => {
  const w = await worldWithPasswords()
  const app = await addApp(w, await signIn(w))
  const [one, other] = [await signIn(w), await signIn(w)]
  const code = app.code()
  expect((await one.post(VERIFY, { code })).status).toBe(303)
  expect((await other.post(VERIFY, { code })).status).toBe(400)
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([true, false])
})

test('of concurrent sign-ins with the same code, one succeeds', async () => {
  const w = await worldWithPasswords()
  const app = await addApp(w, await signIn(w))
  const browsers = await Promise.all(Array.from({ length: 4 }, () => signIn(w)))
  const code = app.code()
  const answers = await Promise.all(browsers.map((browser) => browser.post(VERIFY, { code })))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
})

test('a recovery code works once, in capitals and without its dashes', async () => {
  const w = await worldWithPasswords()
  const home = await signIn(w)
  await addApp(w, home)
  const [first, second] = await createRecoveryCodes(home)
  const browser = await signIn(w)
  const typed = first!.toUpperCase().replaceAll('-', ' ')
  expect((await browser.post(VERIFY, { code: typed })).status).toBe(303)
  expect(await lastSignIn(w)).toMatchObject({ second_factor: 'recovery code' })
  const again = await signIn(w)
  expect((await again.post(VERIFY, { code: first! })).status).toBe(400)
  expect((await again.post(VERIFY, { code: second! })).status).toBe(303)
  expect((await factorsIn(again)).recovery_codes).toMatchObject({ left: 8 })
  expect(await w.changeTypes()).toContain('recovery_codes.used')
})

test('a passkey signs in without a password and without another factor', async () => {
  const w = await worldWithPasswords()
  const home = await signIn(w)
  const device = await addPasskey(home)
  await addApp(w, home)
  const browser = browserClient(w.app)
  expect((await browser.get('/sign-in')).text).toContain('Sign in with a passkey')
  const options = await optionsAt(browser, '/sign-in/passkey')
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect(options).not.toHaveProperty('allowCredentials')
  w.clock.advance(1000)
  const fields = { ...device.get(options), next: '/my' }
  const answer = await browser.post('/sign-in/passkey', fields)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/my'])
  expect(await isSignedIn(browser)).toBe(true)
  expect(await lastSignIn(w)).toMatchObject({ method: 'passkey', second_factor: null })
  const [passkey] = (await factorsIn(browser)).passkeys
  expect(passkey).toMatchObject({ name: 'Phone', last_used_at: w.clock.now.toISOString() })
})

test('a passkey is the second factor after a password', async () => {
  const w = await worldWithPasswords()
  const device = await addPasskey(await signIn(w))
  const browser = await signIn(w)
  expect((await browser.get(VERIFY)).headers.get('content-security-policy')).toContain(
    "script-src 'self'",
  )
  const options = await optionsAt(browser, `${VERIFY}/passkey`)
  expect(options.allowCredentials).toMatchObject([{ id: device.id }])
  const assertion = device.get(options, { isVerified: false })
  expect((await browser.post(`${VERIFY}/passkey`, assertion)).status).toBe(303)
  expect(await lastSignIn(w)).toMatchObject({ method: 'password', second_factor: 'passkey' })
})

test('a passkey without a check of the person does not replace a password', async () => {
  const w = await worldWithPasswords()
  const device = await addPasskey(await signIn(w))
  const browser = browserClient(w.app)
  const options = await optionsAt(browser, '/sign-in/passkey')
  const answer = await browser.post('/sign-in/passkey', device.get(options, { isVerified: false }))
  expect([answer.status, await isSignedIn(browser)]).toEqual([403, false])
})

for (const [attack, behaviour] of [
  ['of another origin', { origin: 'https://evil.example' }],
  ['for another host', { rpId: 'evil.example' }],
  ['with a counter that goes back', { counter: 1 }],
] as const)
  test(`an answer of a passkey ${attack} is refused`, async () => {
    const w = await worldWithPasswords()
    const device = await addPasskey(await signIn(w))
    const raised = { counter: 7 }
    await w.store.write((tx) =>
      tx.update(passkeys).set(raised).where(eq(passkeys.webauthn_id, device.id)),
    )
    const browser = browserClient(w.app)
    const options = await optionsAt(browser, '/sign-in/passkey')
    const refused = await browser.post('/sign-in/passkey', {
      ...device.get(options, { counter: 8, ...behaviour }),
    })
    expect([refused.status, await isSignedIn(browser)]).toEqual([403, false])
    expect(refused.text).toContain('The passkey could not be verified')
    const allowed = await browser.post('/sign-in/passkey', device.get(options, { counter: 8 }))
    expect(allowed.status).toBe(303)
  })

test('a challenge is answered once, within five minutes, and in the browser that asked', async () => {
  const w = await worldWithPasswords()
  const device = await addPasskey(await signIn(w))
  const browser = browserClient(w.app)
  const path = '/sign-in/passkey'
  const options = await optionsAt(browser, path)
  // A synchronized passkey has no counter that would show a copy.
  const synced = { counter: 0 }
  await w.store.write((tx) => tx.update(passkeys).set(synced))
  w.clock.advance(1000)
  const assertion = device.get(options, synced)
  const thief = browserClient(w.app)
  await optionsAt(thief, path)
  expect((await thief.post(path, assertion)).status).toBe(403)
  expect((await browser.post(path, assertion)).status).toBe(303)
  const replay = await browser.post(path, assertion)
  expect([replay.status, replay.text]).toEqual([403, expect.stringContaining('used before')])
  w.clock.advance(1000)
  const old = await optionsAt(browser, path)
  w.clock.advance(5 * MINUTE_MS)
  const late = await browser.post(path, device.get(old, synced))
  expect([late.status, late.text]).toEqual([403, expect.stringContaining('expired')])
})

test('a challenge for a second factor signs nobody in, and a forged one is refused', async () => {
  const w = await worldWithPasswords()
  const device = await addPasskey(await signIn(w))
  const browser = await signIn(w)
  const options = await optionsAt(browser, `${VERIFY}/passkey`)
  expect((await browser.post('/sign-in/passkey', device.get(options))).status).toBe(403)
  const forged = { ...options, challenge: Buffer.from('sign in').toString('base64url') }
  expect((await browser.post(`${VERIFY}/passkey`, device.get(forged))).status).toBe(403)
  expect(await isSignedIn(browser)).toBe(false)
})

test("a person's passkey does not finish the sign-in of somebody else", async () => {
  const w = await worldWithPasswords()
  await addPasskey(await signIn(w, 'ada'))
  const foreign = await addPasskey(await signIn(w, 'cleo'))
  const browser = await signIn(w, 'ada')
  const options = await optionsAt(browser, `${VERIFY}/passkey`)
  const { user_handle: _, ...assertion } = foreign.get(options)
  const answer = await browser.post(`${VERIFY}/passkey`, assertion)
  expect([answer.status, await isSignedIn(browser)]).toEqual([403, false])
  expect(answer.text).toContain('belongs to another account')
})

test('a forged, changed or expired pending cookie asks for the password again', async () => {
  const w = await worldWithPasswords()
  const app = await addApp(w, await signIn(w, 'ada'))
  await addApp(w, await signIn(w, 'cleo'))
  const browser = await signIn(w, 'cleo')
  const cookie = browser.cookies.get('cork_pending')!
  const [, ...rest] = cookie.split('.')
  const { actor_id } = w.ada.caller
  for (const forged of [[actor_id, ...rest].join('.'), `${cookie}x`, 'x', '']) {
    browser.cookies.set('cork_pending', forged)
    const answer = await browser.post(VERIFY, { code: app.code() })
    expect(answer.headers.get('location')).toBe('/sign-in?next=%2F')
    expect((await browser.get(`${VERIFY}/passkey`)).status).toBe(401)
  }
  browser.cookies.set('cork_pending', cookie)
  expect((await browser.get(VERIFY)).status).toBe(200)
  w.clock.advance(10 * MINUTE_MS)
  expect((await browser.get(VERIFY)).headers.get('location')).toBe('/sign-in?next=%2F')
})

test('a changed password ends the pending sign-ins with the old one', async () => {
  const w = await worldWithPasswords()
  const home = await signIn(w)
  await addApp(w, home)
  const browser = await signIn(w)
  const change = { old_password: PASSWORD, new_password: 'paper lantern seven' }
  expect((await home.json('PUT', '/api/v1/user/password', change)).status).toBe(200)
  expect((await browser.get(VERIFY)).status).toBe(303)
})

test('wrong codes are slowed down and audited, and do not lock a known browser out', async () => {
  const w = await worldWithPasswords()
  const home = await signIn(w)
  const app = await addApp(w, home)
  const thief = await signIn(w)
  const statuses: number[] = []
  for (let index = 0; index < 8; index++)
    statuses.push((await thief.post(VERIFY, { code: '000000' })).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
  const other = await signIn(w)
  expect((await other.post(VERIFY, { code: app.code() })).status).toBe(429)
  await home.post('/sign-out', {})
  await signIn(w, 'ada', home)
  expect((await home.post(VERIFY, { code: app.code() })).status).toBe(303)
  const { text } = await home.get(`/api/v1/teams/${w.team_id}/audit?query=session.refused`)
  expect(JSON.parse(text).data[0].details).toMatchObject({ attempts: 5 })
})

test('a person who is signed in and begins to sign in as another is signed out', async () => {
  const w = await worldWithPasswords()
  await addApp(w, await signIn(w, 'ada'))
  const browser = await signIn(w, 'cleo')
  await signIn(w, 'ada', browser)
  expect(await isSignedIn(browser)).toBe(false)
  expect((await browser.get(VERIFY)).status).toBe(200)
})

test('a setup or an invitation needs no second factor', async () => {
  const w = await worldWithPasswords()
  const { body } = await w.http(w.ada, 'POST', `/api/v1/teams/${w.team_id}/invitations`, {
    email: 'new@example.com',
    role: 'member',
  })
  const browser = browserClient(w.app)
  await browser.post(new URL(body.data.link).pathname, { name: 'New', password: PASSWORD })
  expect(await isSignedIn(browser)).toBe(true)
})
