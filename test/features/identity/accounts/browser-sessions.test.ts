import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  parseSessionName,
  sessionName,
} from '../../../../src/features/identity/accounts/model/browsers.ts'
import { people } from '../../../../src/features/identity/people/model/index.ts'
import { type BrowserClient, browserClient } from '../../../support/browser-client.ts'
import { world } from '../../../support/world.ts'

const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'paper lantern seven'
const SESSIONS = '/api/v1/user/sessions'
const DAY_MS = 24 * 60 * 60 * 1000

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const signIn = (browser: BrowserClient, userAgent: string, password = PASSWORD) =>
  browser.post('/sign-in', { email: 'ada@example.com', password }, { 'user-agent': userAgent })

interface ListedSession {
  session_id: number
  browser: string
  current: boolean
}

const listSessions = async (browser: BrowserClient): Promise<ListedSession[]> =>
  JSON.parse((await browser.get(SESSIONS)).text).data.sessions

const isSignedIn = async (browser: BrowserClient) =>
  (await browser.get('/api/session/verify')).status === 200

const changePassword = (browser: BrowserClient, old_password: string, new_password: string) =>
  browser.json('PUT', '/api/v1/user/password', { old_password, new_password })

/** Returns the world with Ada, who has a password, signed in on a computer and a phone. */
async function signInAda() {
  const w = await world()
  const options = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
  const password_hash = await Bun.password.hash(PASSWORD, options)
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  const [computer, phone] = [browserClient(w.app), browserClient(w.app)]
  await signIn(phone, SAFARI)
  await signIn(computer, FIREFOX)
  return { ...w, computer, phone }
}

test('sessions are listed with a readable browser name, the current one first and marked', async () => {
  const { computer } = await signInAda()
  expect(await listSessions(computer)).toMatchObject([
    { browser: 'Firefox on Windows', address: null, current: true },
    { browser: 'Safari on an iPhone', address: null, current: false },
  ])
})

for (const [agent, browserName] of [
  [FIREFOX, 'Firefox on Windows'],
  [SAFARI, 'Safari on an iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge on Linux'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18 Safari/605', 'Safari on a Mac'],
  ['something else', 'Browser'],
  [null, 'Browser'],
] as const)
  test(`the user agent ${agent} is shown as ${browserName}`, () => {
    expect(parseSessionName(sessionName(agent, '192.0.2.7'))).toEqual({
      browser: browserName,
      address: '192.0.2.7',
    })
    for (const localAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1', 'local'])
      expect(parseSessionName(sessionName(agent, localAddress))).toEqual({
        browser: browserName,
        address: null,
      })
  })

test('a person can end one of their other sessions, but not the current one or those of others', async () => {
  const { computer, phone, app, cleo, store, changeTypes } = await signInAda()
  const [current, other] = await listSessions(computer)
  const end = (id: number) => computer.json('DELETE', `${SESSIONS}/${id}`, {})
  expect((await end(current!.session_id)).status).toBe(404)
  const hash = await Bun.password.hash(PASSWORD, {
    ...{ algorithm: 'argon2id', memoryCost: 8, timeCost: 1 },
  })
  const isCleo = eq(people.actor_id, cleo.caller.actor_id)
  await store.write((tx) => tx.update(people).set({ password_hash: hash }).where(isCleo))
  const cleoBrowser = browserClient(app)
  await cleoBrowser.post('/sign-in', { email: 'cleo@example.com', password: PASSWORD })
  const [foreign] = await listSessions(cleoBrowser)
  expect((await end(foreign!.session_id)).status).toBe(404)
  expect((await end(other!.session_id)).status).toBe(200)
  expect([
    await isSignedIn(computer),
    await isSignedIn(phone),
    await isSignedIn(cleoBrowser),
  ]).toEqual([true, false, true])
  expect((await end(other!.session_id)).status).toBe(404)
  expect(await changeTypes()).toContain('session.closed')
})

test('all other sessions can be ended in one request', async () => {
  const { computer, phone, app } = await signInAda()
  const third = browserClient(app)
  await signIn(third, FIREFOX)
  const { text } = await computer.json('DELETE', SESSIONS, {})
  expect(JSON.parse(text).data).toEqual({ ended: 2 })
  expect([await isSignedIn(computer), await isSignedIn(phone), await isSignedIn(third)]).toEqual([
    true,
    false,
    false,
  ])
  expect(await listSessions(computer)).toHaveLength(1)
})

test('a session with a renewed secret stays the same entry in the list', async () => {
  const { computer, phone, clock } = await signInAda()
  clock.advance(DAY_MS + 1000)
  expect(await isSignedIn(computer)).toBe(true)
  expect(await listSessions(computer)).toMatchObject([
    { browser: 'Firefox on Windows', current: true },
    { browser: 'Safari on an iPhone', current: false },
  ])
  expect(await isSignedIn(phone)).toBe(true)
})

test('changing the password ends other sessions and renews the secret of the current one', async () => {
  const { computer, phone, app, clock, changeTypes } = await signInAda()
  const before = new Map(computer.cookies)
  const { status, text } = await changePassword(computer, PASSWORD, NEW_PASSWORD)
  expect([status, JSON.parse(text).data]).toEqual([200, { ended: 1, revoked: 0 }])
  expect(computer.cookies.get('cork_session')).not.toBe(before.get('cork_session'))
  expect([await isSignedIn(computer), await isSignedIn(phone)]).toEqual([true, false])
  expect((await listSessions(computer)).map(({ browser }) => browser)).toEqual([
    'Firefox on Windows',
  ])
  clock.advance(6000)
  const attacker = browserClient(app)
  for (const [name, value] of before) attacker.cookies.set(name, value)
  expect(await isSignedIn(attacker)).toBe(false)
  expect((await signIn(browserClient(app), FIREFOX)).status).toBe(401)
  expect((await signIn(browserClient(app), FIREFOX, NEW_PASSWORD)).status).toBe(303)
  expect(await changeTypes()).toContain('password.changed')
})

for (const [field, old_password, new_password, status] of [
  ['old_password', 'wrong one', NEW_PASSWORD, 400],
  ['new_password', PASSWORD, 'short', 400],
  ['new_password', PASSWORD, 'x'.repeat(201), 400],
] as const)
  test(`a password change with an invalid ${field} is refused: ${new_password.length} characters`, async () => {
    const { computer, phone, app } = await signInAda()
    const before = computer.cookies.get('cork_session')
    const response = await changePassword(computer, old_password, new_password)
    expect([response.status, JSON.parse(response.text).details.field]).toEqual([status, field])
    expect(response.text).not.toContain(new_password)
    expect(computer.cookies.get('cork_session')).toBe(before)
    expect(await isSignedIn(phone)).toBe(true)
    expect((await signIn(browserClient(app), FIREFOX)).status).toBe(303)
  })

test('wrong passwords in one session delay password changes there, not in other sessions', async () => {
  const { computer, phone, clock } = await signInAda()
  for (let i = 0; i < 5; i++)
    expect((await changePassword(computer, 'wrong', NEW_PASSWORD)).status).toBe(400)
  const response = await changePassword(computer, PASSWORD, NEW_PASSWORD)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5'])
  expect(JSON.parse(response.text).hint).toBe('Try again in 5 s')
  expect((await changePassword(phone, 'wrong', NEW_PASSWORD)).status).toBe(400)
  clock.advance(5000)
  expect((await changePassword(computer, PASSWORD, NEW_PASSWORD)).status).toBe(200)
})

test('an API key cannot list or end sessions or change the password', async () => {
  const { ada, http, phone } = await signInAda()
  const requests = [
    ['GET', SESSIONS],
    ['DELETE', SESSIONS],
    ['DELETE', `${SESSIONS}/1`],
    ['PUT', '/api/v1/user/password', { old_password: PASSWORD, new_password: NEW_PASSWORD }],
  ] as const
  for (const [method, path, body] of requests) {
    const { status, body: response } = await http(ada, method, path, body)
    expect([path, status]).toEqual([path, 403])
    expect(response.message).toContain('requires a browser session')
  }
  expect(await isSignedIn(phone)).toBe(true)
})

test('cross-site requests cannot change the password or end sessions', async () => {
  const { computer, phone } = await signInAda()
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  const passwords = { old_password: PASSWORD, new_password: NEW_PASSWORD }
  const changed = await computer.json('PUT', '/api/v1/user/password', passwords, crossSite)
  expect(changed.status).toBe(403)
  expect((await computer.json('DELETE', SESSIONS, {}, crossSite)).status).toBe(403)
  expect(await isSignedIn(phone)).toBe(true)
})

test('a later sign-in does not set the cookie of the first sign-in', async () => {
  const { app } = await signInAda()
  const newBrowser = browserClient(app)
  await signIn(newBrowser, FIREFOX)
  expect(newBrowser.cookies.has('cork_first')).toBe(false)
})

test('a password change revokes keys, tokens, feeds and agent tokens only on request', async () => {
  const { computer, ada, app, team_id, http, changeTypes } = await signInAda()
  const postAs = async (path: string, body: unknown) =>
    JSON.parse((await computer.json('POST', path, body)).text).data
  const { key } = await postAs('/api/v1/api-keys', { name: 'laptop' })
  const { token } = await postAs('/api/v1/access-tokens', { name: 'editor' })
  const agent = await postAs('/api/v1/agents', { name: 'Scout', team_id })
  const { url } = await postAs('/api/v1/calendar/feeds', {})
  const isAccepted = async (secret: string) =>
    (await http({ secret }, 'GET', '/api/v1/user/hello')).status === 200
  const secrets = [key, token, agent.token, ada.secret]
  const changeWith = (old_password: string, new_password: string, options: object) =>
    computer.json('PUT', '/api/v1/user/password', { old_password, new_password, ...options })
  expect((await changeWith(PASSWORD, NEW_PASSWORD, {})).status).toBe(200)
  for (const secret of secrets) expect(await isAccepted(secret)).toBe(true)
  const { text } = await changeWith(NEW_PASSWORD, PASSWORD, { revoke_others: true })
  expect(JSON.parse(text).data).toMatchObject({ revoked: 5 })
  for (const secret of secrets) expect(await isAccepted(secret)).toBe(false)
  const feed = await app.handle(new Request(`http://localhost${new URL(url).pathname}`))
  expect(feed.status).toBe(404)
  expect(await isSignedIn(computer)).toBe(true)
  expect(await changeTypes()).toContain('agent.deactivated')
})
