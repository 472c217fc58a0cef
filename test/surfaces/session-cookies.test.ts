import { expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import pino from 'pino'
import { type Config, readConfig } from '../../src/config/index.ts'
import { sessionCookies } from '../../src/features/identity/accounts/model/index.ts'
import { openSession } from '../../src/features/identity/accounts/model/sessions.ts'
import { createApp } from '../../src/server/app.ts'
import { type BrowserClient, browserClient } from '../support/browser-client.ts'
import { type World, world } from '../support/world.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A browser of a second app on the same database, with other settings. */
function browserOf(
  { store, clock, key }: World,
  overrides: Partial<Config>,
  log = pino({ level: 'silent' }),
) {
  const config = {
    ...readConfig({}),
    url: 'http://localhost',
    rateBase: 0,
    rateAgent: 0,
    ...overrides,
  }
  return browserClient(createApp({ config, store, clock: clock.read, key, log }).app)
}

/** A browser in which this user is signed in. */
async function signIn(w: World, user_id: number, overrides: Partial<Config> = {}) {
  const browser = browserOf(w, overrides)
  const { clock, store, key } = w
  const session = await store.write((tx) =>
    openSession(tx, { user_id, name: 'Firefox', sign_in_id: null }, clock.now),
  )
  for (const cookie of sessionCookies(key, session, clock.now, 'http://localhost')) {
    const [name = '', value = ''] = cookie.split(';')[0]!.split('=')
    browser.cookies.set(name, value)
  }
  return browser
}

const verify = (browser: BrowserClient) => browser.get('/api/session/verify')
const bodyOf = ({ text }: { text: string }) => JSON.parse(text)

test('a valid session is verified with its user and expiry', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id)
  const response = await verify(browser)
  expect(response.status).toBe(200)
  expect(bodyOf(response)).toEqual({
    success: true,
    data: { user_id: 1, expires_at: '2026-12-20T12:00:00.000Z' },
  })
})

for (const [description, corrupt] of [
  ['a nookies_user cookie alone', (jar) => jar.delete('cork_session')],
  ['a nookies_user cookie of another user', (jar) => jar.set('nookies_user', '2')],
  [
    'a session cookie with the id of another user',
    (jar) => {
      jar.set('nookies_user', '2')
      jar.set('cork_session', jar.get('cork_session')!.replace(/^1\./, '2.'))
    },
  ],
  [
    'a session without its signature',
    (jar) => jar.set('cork_session', jar.get('cork_session')!.split('.').slice(0, 2).join('.')),
  ],
  [
    'a session with a truncated signature',
    (jar) => jar.set('cork_session', jar.get('cork_session')!.slice(0, -1)),
  ],
  ['an empty session', (jar) => jar.set('cork_session', '')],
  ['an undecodable session', (jar) => jar.set('cork_session', '%00.%E9.x')],
] as [string, (jar: Map<string, string>) => void][])
  test(`${description} is refused on every route that accepts cookies`, async () => {
    const w = await world()
    const browser = await signIn(w, w.ada.caller.actor_id)
    corrupt(browser.cookies)
    const cookies = new Map(browser.cookies)
    for (const path of ['/api/session/verify', '/api/v1/projects', '/api/v1/events', '/sign-in']) {
      for (const [name, value] of cookies) browser.cookies.set(name, value)
      expect([path, (await browser.get(path)).status]).toEqual([path, 401])
    }
    const write = await browser.json('POST', '/api/v1/api-keys', { name: 'Forged' })
    expect(write.status).toBe(401)
    expect(await w.changeTypes()).toEqual([])
  })

test('a bearer request is unaffected by forged cookies', async () => {
  const w = await world()
  const browser = browserOf(w, {})
  browser.cookies.set('nookies_user', '2')
  const bearer = { authorization: `Bearer ${w.ada.secret}`, 'sec-fetch-site': 'cross-site' }
  expect((await browser.get('/api/v1/projects', bearer)).status).toBe(200)
  expect((await browser.json('POST', '/api/v1/api-keys', { name: 'x' }, bearer)).status).toBe(201)
})

test('a session cookie is not accepted by MCP or under /api/mcp/', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id)
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const accept = { accept: 'application/json, text/event-stream' }
  expect((await browser.json('POST', '/mcp', ping, accept)).status).toBe(401)
  expect((await browser.get('/api/mcp/anything')).status).toBe(401)
  const bearer = { authorization: `Bearer ${w.ada.secret}` }
  expect((await browser.get('/api/mcp/anything', bearer)).status).toBe(404)
  expect((await browser.json('POST', '/mcp', ping, { ...accept, ...bearer })).status).toBe(200)
})

test('an API key is not accepted as a session, nor the secret of a session as a key', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id)
  const secret = browser.cookies.get('cork_session')!.split('.')[1]!
  browser.cookies.clear()
  const key = { authorization: `Bearer ${w.ada.secret}` }
  expect((await browser.get('/api/session/verify', key)).status).toBe(401)
  const session = { authorization: `Bearer ${secret}` }
  expect((await browser.get('/api/v1/projects', session)).status).toBe(401)
})

test('a session can write only from pages of this server, but read from elsewhere', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id)
  const createKey = (headers: Record<string, string>) =>
    browser.json('POST', '/api/v1/api-keys', { name: 'x' }, headers)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost' },
    { 'sec-fetch-site': '', origin: 'http://localhost.evil.example' },
    { 'sec-fetch-site': '', origin: 'null' },
    { 'sec-fetch-site': '' },
  ] as Record<string, string>[])
    expect((await createKey(headers)).status).toBe(403)
  expect(await w.changeTypes()).toEqual([])
  expect((await createKey({ 'sec-fetch-site': '', origin: 'http://localhost' })).status).toBe(201)
  expect((await createKey({ 'sec-fetch-site': 'none' })).status).toBe(201)
  const reading = await browser.get('/api/v1/projects', { 'sec-fetch-site': 'cross-site' })
  expect(reading.status).toBe(200)
})

test('a session rotates on a read after one day, and its old secret expires within a minute', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id)
  const oldCookies = new Map(browser.cookies)
  w.clock.advance(DAY_MS - 1)
  await verify(browser)
  expect(browser.cookies.get('cork_session')).toBe(oldCookies.get('cork_session')!)
  w.clock.advance(1)
  await browser.json('POST', '/api/v1/api-keys', { name: 'Writes do not rotate' })
  expect(browser.cookies.get('cork_session')).toBe(oldCookies.get('cork_session')!)
  const response = await verify(browser)
  expect(browser.cookies.get('cork_session')).not.toBe(oldCookies.get('cork_session')!)
  expect(bodyOf(response).data.expires_at).toBe('2026-12-21T12:00:00.000Z')
  expect((await verify(browser)).headers.getSetCookie()).toEqual([])
  const lateBrowser = browserOf(w, {})
  for (const [name, value] of oldCookies) lateBrowser.cookies.set(name, value)
  const graceResponse = await verify(lateBrowser)
  expect(graceResponse.status).toBe(200)
  expect(graceResponse.headers.getSetCookie()).toEqual([])
  w.clock.advance(60_000)
  expect((await verify(lateBrowser)).status).toBe(401)
  expect((await verify(browser)).status).toBe(200)
})

test('concurrent requests rotate a session once', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id)
  w.clock.advance(DAY_MS)
  const responses = await Promise.all(Array.from({ length: 8 }, () => verify(browser)))
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(responses.filter(({ headers }) => headers.getSetCookie().length)).toHaveLength(1)
  expect((await verify(browser)).status).toBe(200)
})

test('an unused session expires after 30 days', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id)
  w.clock.advance(30 * DAY_MS)
  const response = await verify(browser)
  expect(response.status).toBe(401)
  expect(bodyOf(response).message).toBe('This credential has expired')
})

test('cookies are Secure if the server has an HTTPS address', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id, {
    url: 'https://cork.example',
  })
  w.clock.advance(DAY_MS)
  const cookies = (await verify(browser)).headers.getSetCookie()
  expect(cookies).toHaveLength(2)
  for (const cookie of cookies) expect(cookie).toContain('; Secure')
})

for (const [header, message] of [
  [undefined, 'This request needs a credential'],
  ['', 'must be "Bearer <key>"'],
  ['Bearer', 'must be "Bearer <key>"'],
  ['Bearer a b', 'must be "Bearer <key>"'],
  ['Bearer  cork_x', 'must be "Bearer <key>"'],
  ['Basic YWRhOnB3', 'must be "Bearer <key>"'],
  ['Bearer cork_unknown', 'This credential is not known'],
  ['Bearer a.b.c', 'was not signed by this server'],
] as const)
  test(`Authorization ${JSON.stringify(header)} is refused with 401 and the reason`, async () => {
    const w = await world()
    const browser = browserOf(w, {})
    const response = await browser.get(
      '/api/v1/projects',
      header === undefined ? {} : { authorization: header },
    )
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toStartWith(
      header === undefined ? 'Bearer resource_metadata="' : 'Bearer error="invalid_token", ',
    )
    expect(bodyOf(response)).toMatchObject({ success: false, error: 'Authentication failed' })
    expect(bodyOf(response).message).toContain(message)
    expect(bodyOf(response).hint).toBeString()
  })

test('a request without a credential is refused with a hint about llms.txt', async () => {
  const browser = browserOf(await world(), { url: 'https://cork.example' })
  const { hint } = bodyOf(await browser.get('/api/v1/projects'))
  expect(hint).toContain('https://cork.example/llms.txt')
})

test('each credential has its own rate limit, and agents have a higher one', async () => {
  const w = await world()
  const browser = browserOf(w, { rateBase: 2, rateAgent: 4 })
  const request = (secret: string) =>
    browser.get('/api/v1/projects', { authorization: `Bearer ${secret}` })
  const statusesOf = async (count: number, secret: string) => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) statuses.push((await request(secret)).status)
    return statuses
  }
  expect(await statusesOf(3, w.ada.secret)).toEqual([200, 200, 429])
  expect(await statusesOf(2, w.ben.secret)).toEqual([200, 200])
  expect(await statusesOf(5, w.bot.secret)).toEqual([200, 200, 200, 200, 429])
  const { headers, text } = await request(w.ada.secret)
  expect(headers.get('ratelimit-limit')).toBe('2')
  expect(headers.get('ratelimit-remaining')).toBe('0')
  expect(Number(headers.get('ratelimit-reset'))).toBeWithin(1, 61)
  expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'))
  expect(JSON.parse(text).error).toBe('Too many requests')
})

test('invalid credentials count against the limit of the address, and a valid one does not', async () => {
  const w = await world()
  const browser = browserOf(w, { rateBase: 3 })
  const statuses: number[] = []
  for (const secret of ['cork_a', 'cork_b', 'a.b.c', 'cork_d'])
    statuses.push(
      (await browser.get('/api/v1/projects', { authorization: `Bearer ${secret}` })).status,
    )
  expect(statuses).toEqual([401, 401, 401, 429])
  const validResponse = await browser.get('/api/v1/projects', {
    authorization: `Bearer ${w.ada.secret}`,
  })
  expect(validResponse.status).toBe(200)
})

test('only requests from pages of this server have the rate limit of the web app', async () => {
  const w = await world()
  const browser = await signIn(w, w.ada.caller.actor_id, { rateBase: 7, rateAgent: 9 })
  const limit = async (headers: Record<string, string>) =>
    (await browser.get('/api/v1/projects', headers)).headers.get('ratelimit-limit')
  expect(await limit({})).toBe('1200')
  expect(await limit({ 'sec-fetch-site': 'cross-site' })).toBe('7')
  expect(await limit({ 'sec-fetch-site': '' })).toBe('7')
  expect(await limit({ authorization: `Bearer ${w.ada.secret}` })).toBe('7')
  expect(await limit({ authorization: `Bearer ${w.bot.secret}` })).toBe('9')
})

async function logOf(ask: (browser: BrowserClient) => Promise<unknown>) {
  let text = ''
  const sink = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  await ask(browserOf(await world(), {}, pino({ level: 'trace' }, sink)))
  return text
}

test('secrets in paths, headers and forms are not logged', async () => {
  const text = await logOf(async (browser) => {
    await browser.get('/invitations/my-secret-token')
    await browser.get('/calendar/my-secret-token.ics')
    await browser.get('/setup?token=my-secret-token')
    for (const kind of ['email', 'password']) {
      await browser.get(`/sign-in/${kind}/my-secret-token`)
      await browser.post(`/sign-in/${kind}/my-secret-token`, { password: 'my-secret-token' })
    }
    await browser.get('/api/v1/projects', { authorization: 'Bearer my-secret-token' })
    await browser.post('/sign-in', { email: 'my-secret-token', password: 'my-secret-token' })
  })
  expect(text).toContain('/invitations/:token')
  expect(text).toContain('/calendar/:token')
  expect(text).toContain('/sign-in/email/:token')
  expect(text).toContain('/sign-in/password/:token')
  expect(text).not.toContain('my-secret-token')
})

const SECRET_PREFIXES = [
  ...['/calendar', '/invitations', '/mail/unsubscribe'],
  ...['/sign-in/email', '/sign-in/password'],
]

test('secrets in paths that match no route are not logged', async () => {
  for (const prefix of SECRET_PREFIXES) {
    const text = await logOf(async (browser) => {
      for (const method of ['OPTIONS', 'PUT', 'PATCH', 'DELETE'])
        await browser.json(method, `${prefix}/my-secret-token.ics`, {})
      const encodedPrefix = `%${prefix.charCodeAt(1).toString(16)}${prefix.slice(2)}`
      for (const path of [
        ...[
          `${prefix}/my-secret-token/x`,
          `${prefix}//my-secret-token`,
          `/${prefix}/my-secret-token`,
        ],
        ...[`${prefix.toUpperCase()}/my-secret-token`, `${prefix}/my-secret-token/`],
        ...[
          `/${encodedPrefix}/my-secret-token`,
          `${prefix}%2Fmy-secret-token`,
          `${prefix}/my-secret-token%`,
        ],
        ...[`/api/v1${prefix}/my-secret-token`, `/cork${prefix}/my-secret-token`],
        ...[`/api/..${prefix}/my-secret-token`, `/calendar${prefix}/my-secret-token`],
      ])
        await browser.get(path)
    })
    expect(text).toContain(':token')
    expect(text).not.toContain('my-secret-token')
  }
})

test('paths without a secret are logged', async () => {
  const text = await logOf(async (browser) => {
    await browser.get('/api/v1/calendar/feeds')
    await browser.get('/api/v1/invitations/7/unknown')
    await browser.get('/calendar')
    await browser.get('/nowhere/to/be/found')
  })
  for (const path of ['/api/v1/calendar/feeds', '/calendar', '/nowhere/to/be/found'])
    expect(text).toContain(`"path":"${path}"`)
})
