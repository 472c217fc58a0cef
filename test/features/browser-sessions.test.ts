import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { parseSessionName, sessionName } from '../../src/features/accounts/browsers.ts'
import { people } from '../../src/features/people/index.ts'
import { type Visitor, visitor } from '../visitor.ts'
import { world } from '../world.ts'

const PASSWORD = 'correct horse battery'
const NEW = 'paper lantern seven'
const SESSIONS = '/api/v1/user/sessions'
const DAY_MS = 24 * 60 * 60 * 1000

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const signIn = (browser: Visitor, agent: string, password = PASSWORD) =>
  browser.post('/sign-in', { email: 'ada@example.com', password }, { 'user-agent': agent })

interface Told {
  session_id: number
  browser: string
  current: boolean
}

const listed = async (browser: Visitor): Promise<Told[]> =>
  JSON.parse((await browser.get(SESSIONS)).text).data.sessions

const isIn = async (browser: Visitor) => (await browser.get('/api/session/verify')).status === 200

const change = (browser: Visitor, old_password: string, new_password: string) =>
  browser.json('PUT', '/api/v1/user/password', { old_password, new_password })

/** Returns the world with Ada, who has a password, signed in on a computer and a phone. */
async function lobby() {
  const played = await world()
  const options = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
  const password_hash = await Bun.password.hash(PASSWORD, options)
  const isAda = eq(people.actor_id, played.ada.caller.actor_id)
  await played.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  const [desk, phone] = [visitor(played.app), visitor(played.app)]
  await signIn(phone, SAFARI)
  await signIn(desk, FIREFOX)
  return { ...played, desk, phone }
}

test('sessions are listed with a readable browser name, the current one first and marked', async () => {
  const { desk } = await lobby()
  expect(await listed(desk)).toMatchObject([
    { browser: 'Firefox on Windows', address: null, current: true },
    { browser: 'Safari on an iPhone', address: null, current: false },
  ])
})

for (const [agent, words] of [
  [FIREFOX, 'Firefox on Windows'],
  [SAFARI, 'Safari on an iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge on Linux'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18 Safari/605', 'Safari on a Mac'],
  ['something else', 'Browser'],
  [null, 'Browser'],
] as const)
  test(`the user agent ${agent} is shown as ${words}`, () => {
    expect(parseSessionName(sessionName(agent, '192.0.2.7'))).toEqual({
      browser: words,
      address: '192.0.2.7',
    })
    for (const near of ['127.0.0.1', '::1', '::ffff:127.0.0.1', 'local'])
      expect(parseSessionName(sessionName(agent, near))).toEqual({ browser: words, address: null })
  })

test('a person can end one of their other sessions, but not the current one or those of others', async () => {
  const { desk, phone, app, cleo, store, emitted } = await lobby()
  const [own, other] = await listed(desk)
  const end = (id: number) => desk.json('DELETE', `${SESSIONS}/${id}`, {})
  expect((await end(own!.session_id)).status).toBe(404)
  const hash = await Bun.password.hash(PASSWORD, {
    ...{ algorithm: 'argon2id', memoryCost: 8, timeCost: 1 },
  })
  const isCleo = eq(people.actor_id, cleo.caller.actor_id)
  await store.write((tx) => tx.update(people).set({ password_hash: hash }).where(isCleo))
  const theirs = visitor(app)
  await theirs.post('/sign-in', { email: 'cleo@example.com', password: PASSWORD })
  const [foreign] = await listed(theirs)
  expect((await end(foreign!.session_id)).status).toBe(404)
  expect((await end(other!.session_id)).status).toBe(200)
  expect([await isIn(desk), await isIn(phone), await isIn(theirs)]).toEqual([true, false, true])
  expect((await end(other!.session_id)).status).toBe(404)
  expect(await emitted()).toContain('session.closed')
})

test('all other sessions can be ended in one request', async () => {
  const { desk, phone, app } = await lobby()
  const third = visitor(app)
  await signIn(third, FIREFOX)
  const { text } = await desk.json('DELETE', SESSIONS, {})
  expect(JSON.parse(text).data).toEqual({ ended: 2 })
  expect([await isIn(desk), await isIn(phone), await isIn(third)]).toEqual([true, false, false])
  expect(await listed(desk)).toHaveLength(1)
})

test('a session with a renewed secret stays the same entry in the list', async () => {
  const { desk, phone, clock } = await lobby()
  clock.pass(DAY_MS + 1000)
  expect(await isIn(desk)).toBe(true)
  expect(await listed(desk)).toMatchObject([
    { browser: 'Firefox on Windows', current: true },
    { browser: 'Safari on an iPhone', current: false },
  ])
  expect(await isIn(phone)).toBe(true)
})

test('changing the password ends other sessions and renews the secret of the current one', async () => {
  const { desk, phone, app, clock, emitted } = await lobby()
  const before = new Map(desk.jar)
  const { status, text } = await change(desk, PASSWORD, NEW)
  expect([status, JSON.parse(text).data]).toEqual([200, { ended: 1, revoked: 0 }])
  expect(desk.jar.get('cork_session')).not.toBe(before.get('cork_session'))
  expect([await isIn(desk), await isIn(phone)]).toEqual([true, false])
  expect((await listed(desk)).map(({ browser }) => browser)).toEqual(['Firefox on Windows'])
  clock.pass(6000)
  const thief = visitor(app)
  for (const [name, value] of before) thief.jar.set(name, value)
  expect(await isIn(thief)).toBe(false)
  expect((await signIn(visitor(app), FIREFOX)).status).toBe(401)
  expect((await signIn(visitor(app), FIREFOX, NEW)).status).toBe(303)
  expect(await emitted()).toContain('password.changed')
})

for (const [field, old_password, new_password, status] of [
  ['old_password', 'wrong one', NEW, 400],
  ['new_password', PASSWORD, 'short', 400],
  ['new_password', PASSWORD, 'x'.repeat(201), 400],
] as const)
  test(`a password change with an invalid ${field} is refused: ${new_password.length} characters`, async () => {
    const { desk, phone, app } = await lobby()
    const before = desk.jar.get('cork_session')
    const answer = await change(desk, old_password, new_password)
    expect([answer.status, JSON.parse(answer.text).details.field]).toEqual([status, field])
    expect(answer.text).not.toContain(new_password)
    expect(desk.jar.get('cork_session')).toBe(before)
    expect(await isIn(phone)).toBe(true)
    expect((await signIn(visitor(app), FIREFOX)).status).toBe(303)
  })

test('wrong passwords in one session delay password changes there, not in other sessions', async () => {
  const { desk, phone, clock } = await lobby()
  for (let i = 0; i < 5; i++) expect((await change(desk, 'wrong', NEW)).status).toBe(400)
  const refused = await change(desk, PASSWORD, NEW)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(JSON.parse(refused.text).hint).toBe('Try again in 5 s')
  expect((await change(phone, 'wrong', NEW)).status).toBe(400)
  clock.pass(5000)
  expect((await change(desk, PASSWORD, NEW)).status).toBe(200)
})

test('an API key cannot list or end sessions or change the password', async () => {
  const { ada, http, phone } = await lobby()
  const asks = [
    ['GET', SESSIONS],
    ['DELETE', SESSIONS],
    ['DELETE', `${SESSIONS}/1`],
    ['PUT', '/api/v1/user/password', { old_password: PASSWORD, new_password: NEW }],
  ] as const
  for (const [method, path, body] of asks) {
    const { status, body: said } = await http(ada, method, path, body)
    expect([path, status]).toEqual([path, 403])
    expect(said.message).toContain('requires a browser session')
  }
  expect(await isIn(phone)).toBe(true)
})

test('cross-site requests cannot change the password or end sessions', async () => {
  const { desk, phone } = await lobby()
  const elsewhere = { 'sec-fetch-site': 'cross-site' }
  const passwords = { old_password: PASSWORD, new_password: NEW }
  const asked = await desk.json('PUT', '/api/v1/user/password', passwords, elsewhere)
  expect(asked.status).toBe(403)
  expect((await desk.json('DELETE', SESSIONS, {}, elsewhere)).status).toBe(403)
  expect(await isIn(phone)).toBe(true)
})

test('a later sign-in does not set the cookie of the first sign-in', async () => {
  const { app } = await lobby()
  const again = visitor(app)
  await signIn(again, FIREFOX)
  expect(again.jar.has('cork_first')).toBe(false)
})

test('a password change revokes keys, tokens, feeds and agent tokens only on request', async () => {
  const { desk, ada, app, team_id, http, emitted } = await lobby()
  const over = async (path: string, body: unknown) =>
    JSON.parse((await desk.json('POST', path, body)).text).data
  const { key } = await over('/api/v1/api-keys', { name: 'laptop' })
  const { token } = await over('/api/v1/access-tokens', { name: 'editor' })
  const agent = await over('/api/v1/agents', { name: 'Scout', team_id })
  const { url } = await over('/api/v1/calendar/feeds', {})
  const isOpen = async (secret: string) =>
    (await http({ secret }, 'GET', '/api/v1/user/hello')).status === 200
  const all = [key, token, agent.token, ada.secret]
  const put = (old_password: string, new_password: string, more: object) =>
    desk.json('PUT', '/api/v1/user/password', { old_password, new_password, ...more })
  expect((await put(PASSWORD, NEW, {})).status).toBe(200)
  for (const secret of all) expect(await isOpen(secret)).toBe(true)
  const { text } = await put(NEW, PASSWORD, { revoke_others: true })
  expect(JSON.parse(text).data).toMatchObject({ revoked: 5 })
  for (const secret of all) expect(await isOpen(secret)).toBe(false)
  const feed = await app.handle(new Request(`http://localhost${new URL(url).pathname}`))
  expect(feed.status).toBe(404)
  expect(await isIn(desk)).toBe(true)
  expect(await emitted()).toContain('agent.deactivated')
})
