import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import { oidcBrowser } from '../support/oidc-browser.ts'
import {
  type Behaviour,
  type ScriptedIssuer,
  startScriptedIssuer,
} from '../support/scripted-issuer.ts'
import { world } from '../support/world.ts'

let issuer: ScriptedIssuer
let other: ScriptedIssuer

beforeAll(async () => {
  issuer = await startScriptedIssuer()
  other = await startScriptedIssuer()
})
afterAll(() => {
  issuer.stop()
  other.stop()
})
beforeEach(() => {
  issuer.behave({})
  other.behave({})
})

const SECRET = 'the client secret'

async function worldWithIssuers(env: Record<string, string> = {}) {
  const w = await world({
    env: {
      ...{ CORK_OIDC_ISSUER: issuer.url, CORK_OIDC_CLIENT_ID: 'board' },
      ...{ CORK_OIDC_CLIENT_SECRET: SECRET, CORK_OIDC_NAME: 'Harbour ID' },
      CORK_OIDC_NEW_PEOPLE: 'example.com',
      ...{ CORK_OIDC_2_ISSUER: other.url, CORK_OIDC_2_CLIENT_ID: 'board' },
      ...{ CORK_OIDC_2_NAME: 'Other ID', CORK_OIDC_2_NEW_PEOPLE: 'example.com' },
      ...env,
    },
  })
  w.clock.now = new Date()
  return { ...w, browser: oidcBrowser(w.app), log: () => JSON.stringify(w.logRecords) }
}

const isSignedIn = ({ board }: ReturnType<typeof oidcBrowser>) => board.cookies.has('cork_session')

test('a correct answer signs in', async () => {
  const { browser } = await worldWithIssuers()
  expect((await browser.open('/sign-in/1?next=/my')).url.pathname).toBe('/my')
  expect(isSignedIn(browser)).toBe(true)
})

interface Refusal {
  behaviour: Partial<Behaviour>
  status: number
  /** What the page says. */
  page: string
  /** What the log of the operator says. */
  log: string
}

const NOT_THIS_SIGN_IN = {
  status: 401,
  page: 'The answer of Harbour ID does not belong to this sign-in',
}

const refusals: Record<string, () => Refusal> = {
  'an ID token with another nonce': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { claims: { nonce: 'another' } },
    log: 'nonce',
  }),
  'an ID token without a nonce': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { claims: { nonce: undefined } },
    log: 'nonce',
  }),
  'an ID token for another client': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { claims: { aud: 'another client' } },
    log: 'aud',
  }),
  'an ID token of another issuer': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { claims: { iss: other.url } },
    log: 'iss',
  }),
  'an ID token without a subject': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { claims: { sub: undefined } },
    log: 'sub',
  }),
  'an ID token with a foreign signature': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { isForged: true },
    log: 'signature',
  }),
  'an answer that names another issuer': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { answer: { iss: other.url } },
    log: 'iss',
  }),
  'an answer without the issuer that it must name': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { answer: { iss: undefined } },
    log: 'iss',
  }),
  'userinfo about another person': () => ({
    ...NOT_THIS_SIGN_IN,
    behaviour: { claims: { name: undefined }, userinfo: { sub: 'eve-1', name: 'Eve' } },
    log: 'sub',
  }),
  'an expired ID token': () => ({
    behaviour: { clockOffset: -600 },
    status: 503,
    page: 'The clocks of this server and of Harbour ID differ by about',
    log: 'Synchronize both with NTP',
  }),
  'an ID token that is not valid yet': () => ({
    behaviour: { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } },
    status: 503,
    page: 'The clocks of this server and of Harbour ID differ',
    log: 'Synchronize both with NTP',
  }),
  'a person who cancelled': () => ({
    behaviour: { answer: { code: undefined, error: 'access_denied' } },
    status: 403,
    page: 'Harbour ID did not let you sign in',
    log: 'access_denied',
  }),
  'an issuer that is busy': () => ({
    behaviour: { answer: { code: undefined, error: 'temporarily_unavailable' } },
    status: 503,
    page: 'Try again in a moment',
    log: 'temporarily_unavailable',
  }),
  'a wrong client secret': () => ({
    behaviour: { token: () => Response.json({ error: 'invalid_client' }, { status: 401 }) },
    status: 503,
    page: 'The connection to Harbour ID is not set up correctly',
    log: 'Correct CORK_OIDC_CLIENT_ID and CORK_OIDC_CLIENT_SECRET',
  }),
  'a redirect URI that the issuer does not know': () => ({
    behaviour: { token: () => Response.json({ error: 'invalid_grant' }, { status: 400 }) },
    status: 401,
    page: 'Harbour ID did not accept this sign-in',
    log: 'allow the redirect URI http://localhost/sign-in/1/callback',
  }),
  'a token endpoint that fails': () => ({
    behaviour: { token: () => new Response('no', { status: 502 }) },
    status: 503,
    page: 'Harbour ID cannot be reached now',
    log: 'cannot be used',
  }),
  'a token endpoint that answers with a page': () => ({
    behaviour: { token: () => new Response('<html>', { status: 200 }) },
    status: 503,
    page: 'Harbour ID cannot be reached now',
    log: 'cannot be used',
  }),
  'an answer that never ends': () => ({
    behaviour: { token: () => new Response('x'.repeat(2_000_000)) },
    status: 503,
    page: 'Harbour ID cannot be reached now',
    log: 'sent more than 1 MB',
  }),
  'a token endpoint that does not answer': () => ({
    behaviour: { token: () => new Promise(() => {}) },
    status: 503,
    page: 'Harbour ID cannot be reached now',
    log: 'it took too long to respond',
  }),
  'a token endpoint that redirects': () => ({
    behaviour: { token: () => Response.redirect(`${other.url}/token`, 307) },
    status: 503,
    page: 'Harbour ID cannot be reached now',
    log: 'cannot be used',
  }),
  'metadata of another issuer': () => ({
    behaviour: { discovery: { issuer: other.url } },
    status: 503,
    page: 'The connection to Harbour ID is not set up correctly',
    log: 'to CORK_OIDC_ISSUER',
  }),
  'a person without an address': () => ({
    behaviour: { claims: { email: undefined } },
    status: 403,
    page: 'Harbour ID did not send an email address',
    log: 'check CORK_OIDC_SCOPES',
  }),
  'an address that is not verified': () => ({
    behaviour: { claims: { email_verified: false } },
    status: 403,
    page: 'Harbour ID has not verified the address zoe@example.com',
    log: 'CORK_OIDC_TRUST_EMAIL=yes',
  }),
  'an address of another domain': () => ({
    behaviour: { claims: { email: 'zoe@sub.example.com' } },
    status: 403,
    page: 'There is no account for zoe@sub.example.com on this server',
    log: 'CORK_OIDC_NEW_PEOPLE',
  }),
}

for (const [title, refusal] of Object.entries(refusals))
  test(`${title} is refused, explained and logged without secrets`, async () => {
    const { behaviour, ...expected } = refusal()
    const { browser, log, store } = await worldWithIssuers()
    issuer.behave(behaviour)
    const { status, text } = await browser.open('/sign-in/1')
    expect(text.replaceAll('&#39;', "'")).toContain(expected.page)
    expect(status).toBe(expected.status)
    expect(text).toContain('Try again')
    expect(log()).toContain(expected.log)
    for (const secret of [SECRET, 'secret-access', 'eyJ', 'code-'])
      expect(log()).not.toContain(secret)
    expect(isSignedIn(browser)).toBe(false)
    expect([...browser.board.cookies.keys()]).toEqual([])
    expect(store).toBeDefined()
  })

/** Begins a sign-in and returns the address to which the issuer sends the person back. */
async function begin(browser: ReturnType<typeof oidcBrowser>, number = 1) {
  const { headers } = await browser.board.get(`/sign-in/${number}`)
  const answer = await fetch(headers.get('location')!, { redirect: 'manual' })
  const { pathname, search } = new URL(answer.headers.get('location')!)
  return { path: pathname + search, search }
}

const NOT_STARTED = 'This sign-in was not started in this browser'

test('an answer is refused in another browser, and after the browser has used it', async () => {
  const { browser, app } = await worldWithIssuers()
  const { path } = await begin(browser)
  const stranger = oidcBrowser(app)
  expect((await stranger.board.get(path)).text).toContain(NOT_STARTED)
  const cookies = new Map(browser.board.cookies)
  expect((await browser.board.get(path)).status).toBe(303)
  expect((await browser.board.get(path)).text).toContain(NOT_STARTED)
  // Somebody who kept the cookie cannot use the code again either.
  const replayed = oidcBrowser(app)
  for (const [name, value] of cookies) replayed.board.cookies.set(name, value)
  expect((await replayed.board.get(path)).status).toBe(401)
  expect(isSignedIn(replayed)).toBe(false)
})

test('an answer with another state, a forged cookie or after 10 minutes is refused', async () => {
  const { browser, clock } = await worldWithIssuers()
  const { path } = await begin(browser)
  const state = new URLSearchParams(path.split('?')[1]).get('state')!
  const changed = path.replace(state, `${state.slice(0, 12)}${'x'.repeat(31)}`)
  expect((await browser.board.get(changed)).text).toContain(NOT_STARTED)
  const forged = await begin(browser)
  for (const name of browser.board.cookies.keys()) browser.board.cookies.set(name, 'forged')
  expect((await browser.board.get(forged.path)).text).toContain(NOT_STARTED)
  const late = await begin(browser)
  clock.advance(11 * 60_000)
  expect((await browser.board.get(late.path)).text).toContain(NOT_STARTED)
  expect(isSignedIn(browser)).toBe(false)
})

test('the answer of one issuer is refused at the address of another', async () => {
  const { browser } = await worldWithIssuers()
  const { search } = await begin(browser, 2)
  const { status, text } = await browser.board.get(`/sign-in/1/callback${search}`)
  expect(status).toBe(403)
  expect(text).toContain(NOT_STARTED)
})

test('several tabs sign in at the same time, and abandoned sign-ins leave few cookies', async () => {
  const { browser } = await worldWithIssuers()
  const first = await begin(browser)
  const second = await begin(browser)
  expect((await browser.board.get(first.path)).status).toBe(303)
  expect((await browser.board.get(second.path)).status).toBe(303)
  for (let tab = 0; tab < 20; tab++) await browser.board.get('/sign-in/1')
  const started = [...browser.board.cookies.keys()].filter((name) => name.startsWith('cork_issuer'))
  expect(started.length).toBeLessThanOrEqual(5)
})

test('while the issuer is down, its button says so, and passwords and sessions keep working', async () => {
  const { browser, log } = await worldWithIssuers({
    CORK_OIDC_3_ISSUER: 'http://127.0.0.1:9',
    CORK_OIDC_3_CLIENT_ID: 'board',
    CORK_OIDC_3_NAME: 'Sunken ID',
  })
  await browser.open('/sign-in/1')
  const { status, text } = await browser.board.get('/sign-in/3')
  expect(status).toBe(503)
  expect(text).toContain('Sunken ID cannot be reached now')
  expect(text).toContain('Sign in another way')
  expect(log()).toContain('Sunken ID (http://127.0.0.1:9) cannot be used')
  expect((await browser.board.get('/api/session/verify')).status).toBe(200)
})

test('next leads only to pages of this server', async () => {
  const { browser } = await worldWithIssuers()
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example'])
    expect((await browser.open(`/sign-in/1?next=${encodeURIComponent(next)}`)).url.host).toBe(
      'localhost',
    )
})

test('a next page whose address is too long for a cookie is left out', async () => {
  const { browser } = await worldWithIssuers()
  const { url } = await browser.open(`/sign-in/1?next=/search?q=${'x'.repeat(5000)}`)
  expect(url.pathname + url.search).toBe('/')
  expect(isSignedIn(browser)).toBe(true)
})

test('an unknown issuer is not found', async () => {
  const { browser } = await worldWithIssuers()
  for (const path of ['/sign-in/7', '/sign-in/x/callback', '/sign-in/7/link'])
    expect((await browser.board.get(path)).status).toBe(404)
})

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

const logoutClaims = (changes: Record<string, unknown> = {}) => {
  const iat = Math.floor(Date.now() / 1000)
  const jti = crypto.randomUUID()
  return { iss: issuer.url, aud: 'board', sub: 'zoe-1', iat, jti, events: EVENTS, ...changes }
}

const sendLogout = async (
  { board }: ReturnType<typeof oidcBrowser>,
  logout_token: string,
  number = 1,
) => {
  const { cookies } = board
  const own = new Map(cookies)
  cookies.clear()
  const headers = { 'sec-fetch-site': 'cross-site' }
  const answer = await board.post(`/oidc/backchannel-logout/${number}`, { logout_token }, headers)
  for (const [name, value] of own) cookies.set(name, value)
  return answer
}

test('a logout token ends the sessions of its subject, and only once', async () => {
  const { browser } = await worldWithIssuers()
  await browser.open('/sign-in/1')
  const token = await issuer.sign(logoutClaims())
  const { status, headers } = await sendLogout(browser, token)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await browser.board.get('/api/session/verify')).status).toBe(401)
  expect((await sendLogout(browser, token)).text).toContain('it was used before')
})

test('a logout token with a session ends only that one', async () => {
  const { browser, app } = await worldWithIssuers()
  issuer.behave({ claims: { sid: 'one' } })
  await browser.open('/sign-in/1')
  issuer.behave({ claims: { sid: 'two' } })
  const phone = oidcBrowser(app)
  await phone.open('/sign-in/1')
  expect((await sendLogout(browser, await issuer.sign(logoutClaims({ sid: 'one' })))).status).toBe(
    200,
  )
  expect((await browser.board.get('/api/session/verify')).status).toBe(401)
  expect((await phone.board.get('/api/session/verify')).status).toBe(200)
})

const badLogouts: Record<string, Record<string, unknown>> = {
  'of another issuer': { iss: 'https://elsewhere.example.com' },
  'for another client': { aud: 'another client' },
  'without an id': { jti: undefined },
  'without a time': { iat: undefined },
  'that is an hour old': { iat: Math.floor(Date.now() / 1000) - 3600 },
  'without the logout event': { events: { 'https://example.com/other': {} } },
  'with a nonce': { nonce: 'n' },
  'without a session and a subject': { sub: undefined },
}

for (const [title, claims] of Object.entries(badLogouts))
  test(`a logout token ${title} ends nothing`, async () => {
    const { browser } = await worldWithIssuers()
    await browser.open('/sign-in/1')
    const { status, text } = await sendLogout(browser, await issuer.sign(logoutClaims(claims)))
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_request' })
    expect((await browser.board.get('/api/session/verify')).status).toBe(200)
  })

test('a logout token with a foreign signature, or signed with the client secret, ends nothing', async () => {
  const { browser } = await worldWithIssuers()
  await browser.open('/sign-in/1')
  issuer.behave({ isForged: true })
  const forged = await issuer.sign(logoutClaims())
  const shared = await new SignJWT(logoutClaims())
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET))
  for (const token of [forged, shared, 'no token', ''])
    expect((await sendLogout(browser, token)).status).toBe(400)
  expect((await sendLogout(browser, forged, 7)).status).toBe(404)
  expect((await browser.board.get('/api/session/verify')).status).toBe(200)
})
