import { expect, test } from 'bun:test'
import { resetFactors } from '../../../../src/features/identity/accounts/model/index.ts'
import { createServer } from '../../../../src/server/app.ts'
import { authenticator } from '../../../support/authenticator.ts'
import {
  ACCOUNT,
  addApp,
  addPasskey,
  call,
  codeAt,
  createRecoveryCodes,
  factorsIn,
  isSignedIn,
  MINUTE_MS,
  PASSWORD,
  signIn,
  worldWithPasswords,
} from './people-in-browsers.ts'

const VERIFICATION = `${ACCOUNT}/verification`
const REFUSED = '403 Confirm that it is you before you do this {"verification":"required"}'
/** After this, a sign-in no longer counts as a recent proof. */
const LATER_MS = 10 * MINUTE_MS
type Options = Record<string, unknown>

test('a person without factors has an empty list, and one with all sees each', async () => {
  const w = await worldWithPasswords()
  const browser = await signIn(w)
  expect(await factorsIn(browser)).toEqual({
    ...{ passkeys: [], authenticator_app: null, recovery_codes: null, passkeys_available: true },
  })
  await addPasskey(browser)
  await addApp(w, browser)
  await createRecoveryCodes(browser)
  expect(await factorsIn(browser)).toMatchObject({
    passkeys: [{ name: 'Phone', last_used_at: null }],
    authenticator_app: { created_at: '2026-11-20T12:00:00.000Z' },
    recovery_codes: { left: 10 },
  })
})

test('a passkey can be renamed and removed by its owner only, and each change is audited', async () => {
  const w = await worldWithPasswords()
  const [ada, cleo] = [await signIn(w, 'ada'), await signIn(w, 'cleo')]
  await addPasskey(ada)
  const [passkey] = (await factorsIn(ada)).passkeys
  const path = `${ACCOUNT}/passkeys/${passkey!.passkey_id}`
  for (const [method, body] of [
    ['PATCH', { name: 'Mine' }],
    ['DELETE', {}],
  ] as const)
    expect(call(cleo, method, path, body)).rejects.toThrow('404 You have no passkey')
  await call(ada, 'PATCH', path, { name: '  Blue phone ' })
  expect((await factorsIn(ada)).passkeys).toMatchObject([{ name: 'Blue phone' }])
  await call(ada, 'DELETE', path)
  expect((await factorsIn(ada)).passkeys).toEqual([])
  const types = ['passkey.created', 'passkey.updated', 'passkey.deleted']
  expect((await w.changeTypes()).filter((type) => type.startsWith('passkey.'))).toEqual(types)
  const { body } = await w.http(w.ben, 'GET', `/api/v1/teams/${w.team_id}/audit?query=passkey.`)
  expect(body.data.map(({ type }: { type: string }) => type).toReversed()).toEqual(types)
})

test('a passkey is registered once, for the session that asked, and from this origin', async () => {
  const w = await worldWithPasswords()
  const [ada, cleo] = [await signIn(w, 'ada'), await signIn(w, 'cleo')]
  const device = authenticator()
  const { options } = await call<{ options: Options }>(ada, 'POST', `${ACCOUNT}/passkeys/options`)
  expect(options).toMatchObject({ rp: { id: 'localhost' }, attestation: 'none' })
  expect(JSON.stringify(options.user)).toContain('ada@example.com')
  const created = { name: 'Phone', ...device.create(options) }
  const path = `${ACCOUNT}/passkeys`
  expect(call(cleo, 'POST', path, created)).rejects.toThrow('403 This answer of a passkey belongs')
  const evil = { name: 'Phone', ...device.create(options, { origin: 'https://evil.example' }) }
  expect(call(ada, 'POST', path, evil)).rejects.toThrow('403 The passkey could not be verified')
  await call(ada, 'POST', path, created)
  expect(call(ada, 'POST', path, created)).rejects.toThrow('409 This passkey is already registered')
})

test('a person has at most twenty passkeys', async () => {
  const w = await worldWithPasswords()
  const browser = await signIn(w)
  for (let index = 0; index < 20; index++) await addPasskey(browser, `Key ${index}`)
  expect(addPasskey(browser)).rejects.toThrow('409 You already have 20 passkeys')
})

test('an authenticator app counts only after its first right code', async () => {
  const w = await worldWithPasswords()
  const browser = await signIn(w)
  const path = `${ACCOUNT}/authenticator-app`
  expect(call(browser, 'POST', `${path}/confirm`, { code: '123456' })).rejects.toThrow(
    '409 There is no authenticator app to confirm',
  )
  const first = await call<{ secret: string; url: string; qr_svg: string }>(browser, 'POST', path)
  expect(first.url).toStartWith('otpauth://totp/Corkboard')
  expect(first.url).toContain(first.secret)
  expect(first.qr_svg).toStartWith('<svg')
  const { secret } = await call<{ secret: string }>(browser, 'POST', path)
  for (const code of ['000000', codeAt(first.secret, w.clock.now), 'abc'])
    expect(call(browser, 'POST', `${path}/confirm`, { code })).rejects.toThrow('400 This is not')
  expect((await factorsIn(browser)).authenticator_app).toBeNull()
  await call(browser, 'POST', `${path}/confirm`, { code: codeAt(secret, w.clock.now) })
  expect((await factorsIn(browser)).authenticator_app).not.toBeNull()
  expect(call(browser, 'POST', path)).rejects.toThrow('409 You already have an authenticator app')
  await call(browser, 'DELETE', path)
  expect((await factorsIn(browser)).authenticator_app).toBeNull()
  expect(call(browser, 'DELETE', path)).rejects.toThrow('409 You have no authenticator app')
})

test('recovery codes need a factor, and new ones replace the earlier ones', async () => {
  const w = await worldWithPasswords()
  const browser = await signIn(w)
  expect(createRecoveryCodes(browser)).rejects.toThrow('409 Recovery codes replace a second factor')
  await addPasskey(browser)
  const first = await createRecoveryCodes(browser)
  const second = await createRecoveryCodes(browser)
  expect(new Set([...first, ...second]).size).toBe(20)
  expect(first[0]).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/)
  const pending = await signIn(w)
  expect((await pending.post('/sign-in/verify', { code: first[0]! })).status).toBe(400)
  expect((await pending.post('/sign-in/verify', { code: second[0]! })).status).toBe(303)
  const stored = JSON.stringify(await w.changes())
  for (const code of [...first, ...second]) expect(stored).not.toContain(code)
})

test('secrets are neither stored in plain text nor part of a change', async () => {
  const w = await worldWithPasswords()
  const browser = await signIn(w)
  const { secret } = await addApp(w, browser)
  const { authenticatorApps } = await import(
    '../../../../src/features/identity/factors/model/index.ts'
  )
  const rows = await w.store.read((tx) => tx.select().from(authenticatorApps))
  expect(JSON.stringify([rows, await w.changes()])).not.toContain(secret)
})

const PROTECTED = [
  ['POST', `${ACCOUNT}/passkeys/options`],
  ['DELETE', `${ACCOUNT}/passkeys/1`],
  ['POST', `${ACCOUNT}/authenticator-app`],
  ['DELETE', `${ACCOUNT}/authenticator-app`],
  ['POST', `${ACCOUNT}/recovery-codes`],
] as const

test('ten minutes after a sign-in, changing factors needs another proof of identity', async () => {
  const w = await worldWithPasswords()
  const browser = await signIn(w)
  await addPasskey(browser)
  const app = await addApp(w, browser)
  const [recoveryCode] = await createRecoveryCodes(browser)
  const isOpen = () => call(browser, 'POST', `${ACCOUNT}/passkeys/options`)
  w.clock.advance(LATER_MS)
  for (const [method, path] of PROTECTED)
    expect(call(browser, method, path)).rejects.toThrow(REFUSED)
  expect(await call(browser, 'POST', `${VERIFICATION}/options`)).toMatchObject({
    ...{ password: true, code: true, passkey: { rpId: 'localhost' } },
  })
  const proofs = [() => ({ password: PASSWORD }), () => ({ code: app.code() }), () => recovery]
  const recovery = { code: recoveryCode }
  for (const proof of proofs) {
    const input = proof()
    await call(browser, 'POST', VERIFICATION, input)
    await isOpen()
    if ('code' in input)
      expect(call(browser, 'POST', VERIFICATION, input)).rejects.toThrow('400 This code is wrong')
    w.clock.advance(LATER_MS)
    expect(isOpen()).rejects.toThrow(REFUSED)
  }
  expect(await w.changeTypes()).toContain('session.verified')
})

test('a passkey confirms who somebody is, once for each challenge and only of that person', async () => {
  const w = await worldWithPasswords()
  const [ada, cleo] = [await signIn(w, 'ada'), await signIn(w, 'cleo')]
  const [device, foreign] = [await addPasskey(ada), await addPasskey(cleo)]
  w.clock.advance(LATER_MS)
  const begin = async () =>
    (await call<{ passkey: Options }>(ada, 'POST', `${VERIFICATION}/options`)).passkey
  const options = await begin()
  const verify = (passkey: object) => call(ada, 'POST', VERIFICATION, { passkey })
  const { user_handle: _, ...foreignAnswer } = foreign.get(options)
  expect(verify(foreignAnswer)).rejects.toThrow('403 This passkey belongs to another account')
  w.clock.advance(1000)
  const answer = device.get(options, { counter: 5 })
  await verify(answer)
  expect(verify(answer)).rejects.toThrow('403 The passkey could not be verified')
  expect(verify(device.get(options, { counter: 6 }))).rejects.toThrow(
    '403 This answer of a passkey',
  )
  await call(ada, 'POST', `${ACCOUNT}/passkeys/options`)
  const signInOptions = JSON.parse((await ada.get('/sign-in/passkey')).text).options
  expect(verify(device.get(signInOptions))).rejects.toThrow('403 This answer of a passkey belongs')
})

test('a proof needs exactly one way, and wrong passwords are slowed down', async () => {
  const w = await worldWithPasswords()
  const browser = await signIn(w)
  for (const proof of [{}, { password: PASSWORD, code: '123456' }])
    expect(call(browser, 'POST', VERIFICATION, proof)).rejects.toThrow('400 Give either')
  const statuses: string[] = []
  for (let index = 0; index < 7; index++)
    await call(browser, 'POST', VERIFICATION, { password: 'wrong' }).catch(({ message }) =>
      statuses.push(message.slice(0, 3)),
    )
  expect(statuses).toEqual(['400', '400', '400', '400', '400', '429', '429'])
})

test('keys and agents cannot manage factors', async () => {
  const w = await worldWithPasswords()
  for (const actor of [w.ada, w.bot])
    for (const [method, path] of [...PROTECTED, ['GET', `${ACCOUNT}/factors`]] as const)
      expect((await w.http(actor, method, path, method === 'GET' ? undefined : {})).status).toBe(
        403,
      )
})

test('a server without a host name offers no passkeys and says why', async () => {
  const w = await worldWithPasswords()
  const browser = await signIn(w)
  w.config.url = 'http://192.0.2.7:3210'
  expect((await factorsIn(browser)).passkeys_available).toBe(false)
  expect(call(browser, 'POST', `${ACCOUNT}/passkeys/options`)).rejects.toThrow(
    '409 Passkeys need a server with a host name and HTTPS',
  )
  expect((await browser.get('/sign-in')).text).not.toContain('passkey')
})

test('the operator removes all factors of a person, who then signs in with a password', async () => {
  const w = await worldWithPasswords()
  const home = await signIn(w)
  await addPasskey(home)
  await addApp(w, home)
  const [code] = await createRecoveryCodes(home)
  const server = createServer(w)
  const services = { ...w, clock: w.clock.read, server }
  expect(await resetFactors(services, 'ada@example.com')).toMatchObject({
    ...{ passkeys: 1, authenticator_app: true, sessions: 1 },
  })
  expect(await isSignedIn(home)).toBe(false)
  const browser = await signIn(w)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await factorsIn(browser)).toMatchObject({ passkeys: [], recovery_codes: null })
  await addPasskey(browser)
  const pending = await signIn(w)
  expect((await pending.post('/sign-in/verify', { code: code! })).status).toBe(400)
  expect(await w.changeTypes()).toContain('authenticator_app.deleted')
})
