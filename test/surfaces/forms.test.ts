import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people } from '../../src/features/identity/people/model/index.ts'
import { localPath } from '../../src/surfaces/forms/wire.ts'
import { type BrowserClient, browserClient } from '../support/browser-client.ts'
import { type World, world } from '../support/world.ts'

const PASSWORD = 'correct horse battery'
const NEW_PASSWORD = 'paper lantern seven'

/** The world, in which Ada has a password, with a browser that is not signed in. */
async function worldWithPassword() {
  const w = await world()
  const password_hash = await Bun.password.hash(PASSWORD, {
    algorithm: 'argon2id',
    memoryCost: 8,
    timeCost: 1,
  })
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  return { ...w, browser: browserClient(w.app) }
}

const signIn = (browser: BrowserClient, overrides: Record<string, string> = {}) =>
  browser.post('/sign-in', { email: 'ada@example.com', password: PASSWORD, ...overrides })

async function worldSignedIn() {
  const w = await worldWithPassword()
  expect((await signIn(w.browser)).status).toBe(303)
  return w
}

const invite = async ({ ada, http, team_id }: World, email: string) => {
  const { body } = await http(ada, 'POST', `/api/v1/teams/${team_id}/invitations`, {
    email,
    role: 'member',
  })
  return new URL(body.data.link).pathname
}

test('pages forbid inline scripts, frames and caching, and stylesheets are cached with an etag', async () => {
  const { browser } = await worldWithPassword()
  for (const path of ['/sign-in', '/setup?token=x', '/invitations/x']) {
    const { headers, text } = await browser.get(path)
    const policy =
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    const scripts = path === '/sign-in' ? "; script-src 'self'; connect-src 'self'" : ''
    expect(headers.get('content-security-policy')).toBe(policy + scripts)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text.match(/<script[^>]*>/g) ?? []).toEqual(
      scripts ? ['<script src="/passkeys.js" type="module">'] : [],
    )
    expect(text).not.toMatch(/style=|\son\w+=/i)
  }
  for (const path of ['/look.css', '/forms.css']) {
    const { headers, text } = await browser.get(path)
    expect(headers.get('content-type')).toStartWith('text/css')
    expect(text).not.toContain('//')
    const secondVisit = await browser.get(path, { 'if-none-match': headers.get('etag')! })
    expect([secondVisit.status, secondVisit.text]).toEqual([304, ''])
  }
  expect((await browser.get('/icon.svg')).headers.get('content-type')).toBe('image/svg+xml')
})

test('pages use the theme chosen in the app, and ignore an invalid one', async () => {
  const { browser } = await worldWithPassword()
  const colourSchemes = async (cookie: string) => {
    const { headers, text } = await browser.get('/look.css', { cookie })
    expect(headers.get('vary')).toBe('cookie')
    return text.split('\n').filter((line) => /^:root \{ color-scheme/.test(line))
  }
  expect(await colourSchemes('a=b; theme=dark')).toEqual([':root { color-scheme: dark; }'])
  expect(await colourSchemes('theme=light')).toEqual([':root { color-scheme: light; }'])
  for (const cookie of ['', 'theme=', 'other_theme=dark', 'theme=darker', 'theme=}*{display:none'])
    expect(await colourSchemes(cookie)).toEqual([])
})

test('the root redirects to sign-in, and shows the app once signed in', async () => {
  const { browser } = await worldWithPassword()
  expect((await browser.get('/')).headers.get('location')).toBe('/sign-in')
  expect((await browser.get('/settings/mcp')).headers.get('location')).toBe(
    '/sign-in?next=%2Fsettings%2Fmcp',
  )
  await signIn(browser)
  const app = await browser.get('/')
  expect(app.headers.get('location')).toBe(null)
  expect(app.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect((await browser.get('/sign-in?next=/settings')).headers.get('location')).toBe('/settings')
})

test('signing in sets a signed HttpOnly cookie and its companion, and redirects to next', async () => {
  const { browser, changeTypes } = await worldWithPassword()
  const { status, headers } = await signIn(browser, { next: '/projects/1?view=2#top' })
  expect(status).toBe(303)
  expect(headers.get('location')).toBe('/projects/1?view=2#top')
  const [signed, companion] = headers.getSetCookie()
  expect(signed).toMatch(
    /^cork_session=1\.[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=2592000; SameSite=Lax; HttpOnly$/,
  )
  expect(companion).toBe('nookies_user=1; Path=/; Max-Age=2592000; SameSite=Lax')
  expect(await changeTypes()).toEqual(['session.opened'])
})

test('a wrong password keeps the email in the form, but not the password, and sets no cookie', async () => {
  const { browser } = await worldWithPassword()
  const { status, text, headers } = await signIn(browser, { password: 'not "this" one' })
  expect(status).toBe(401)
  expect(text).toContain('value="ada@example.com"')
  expect(text).toContain('Wrong email or password.')
  expect(text).not.toContain('not &quot;this')
  expect(headers.getSetCookie()).toEqual([])
})

test('entered text is escaped when it is shown again', async () => {
  const { browser } = await worldWithPassword()
  const { text } = await signIn(browser, { email: '"><img src=x>', password: 'x' })
  expect(text).toContain('value="&quot;&gt;&lt;img src=x&gt;"')
  expect(text).not.toContain('<img')
})

for (const next of [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  '',
])
  test(`signing in never redirects to ${JSON.stringify(next)}`, () => {
    expect(localPath(next)).toBe('/')
  })

test('a form from another site is refused, signed in or not', async () => {
  const { browser, changeTypes } = await worldWithPassword()
  const foreignHeaders = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
    { 'sec-fetch-site': '', origin: 'null' },
    { 'sec-fetch-site': '' },
  ] as Record<string, string>[]
  const form = { email: 'ada@example.com', password: PASSWORD }
  for (const headers of foreignHeaders)
    expect((await browser.post('/sign-in', form, headers)).status).toBe(403)
  await signIn(browser)
  for (const headers of foreignHeaders)
    expect((await browser.post('/sign-out', {}, headers)).status).toBe(403)
  expect(await changeTypes()).toEqual(['session.opened'])
  const local = { 'sec-fetch-site': '', origin: 'http://localhost' }
  expect((await browser.post('/sign-out', {}, local)).status).toBe(303)
})

test('signing out ends the session, not only its cookies', async () => {
  const { browser } = await worldSignedIn()
  const cookies = new Map(browser.cookies)
  expect((await browser.post('/sign-out', {})).headers.get('location')).toBe('/sign-in')
  expect([...browser.cookies.keys()]).toEqual(['cork_device'])
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect((await browser.get('/api/session/verify')).status).toBe(401)
})

test('expired cookies are removed, with a link or a redirect to sign in again', async () => {
  const { browser, clock } = await worldSignedIn()
  clock.advance(31 * 24 * 60 * 60 * 1000)
  const cookies = new Map(browser.cookies)
  const { status, text } = await browser.get('/sign-in?next=/my')
  expect(status).toBe(401)
  expect(text).toContain('<a href="/sign-in?next=/my">Continue</a>')
  expect([...browser.cookies.keys()]).toEqual(['cork_device'])
  expect((await browser.get('/sign-in?next=/my')).status).toBe(200)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  const app = await browser.get('/my')
  expect([app.status, app.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fmy'])
  expect([...browser.cookies.keys()]).toEqual(['cork_device'])
})

test('an invited newcomer creates an account and is signed in, and the link works once', async () => {
  const w = await worldWithPassword()
  const path = await invite(w, 'nia@example.com')
  const page = await w.browser.get(path)
  expect(page.text).toContain(
    '<strong>Ada</strong> invites you to the team <strong>Harbour</strong>',
  )
  expect(page.text).toContain('nia@example.com')
  const short = await w.browser.post(path, { name: 'Nia', password: 'short' })
  expect(short.status).toBe(400)
  expect(short.text).toContain('value="Nia"')
  const joined = await w.browser.post(path, { name: 'Nia', password: NEW_PASSWORD })
  expect(joined.status).toBe(303)
  expect((await w.browser.get('/api/v1/user/context')).text).toContain('nia@example.com')
  expect(await w.changeTypes()).toContain('invitation.accepted')
  const secondVisit = await browserClient(w.app).post(path, { name: 'Eve', password: NEW_PASSWORD })
  expect(secondVisit.status).toBe(404)
  expect(secondVisit.text).toContain('has already been used')
})

test('a signed-in user accepts an invitation with one click', async () => {
  const w = await worldSignedIn()
  const { body } = await w.http(w.otto, 'POST', `/api/v1/teams/${w.otherTeamId}/invitations`, {
    email: 'ada@example.com',
    role: 'guest',
  })
  const path = new URL(body.data.link).pathname
  expect((await w.browser.get(path)).text).toContain('You are signed in as <strong>Ada</strong>')
  const joined = await w.browser.post(path, {})
  expect([joined.status, joined.headers.get('location')]).toEqual([303, '/'])
  const teams = await w.http(w.ada, 'GET', '/api/v1/teams')
  expect(teams.text).toContain('Elsewhere')
})

test('a user who joins another team is redirected to its first board', async () => {
  const w = await worldSignedIn()
  const createBoard = async () => {
    const board = { team_id: w.otherTeamId, title: 'Docks', sections: [{ title: 'Doing' }] }
    return (await w.http(w.otto, 'POST', '/api/v1/projects', board)).body.data.project_id
  }
  const first = await createBoard()
  await createBoard()
  const { body } = await w.http(w.otto, 'POST', `/api/v1/teams/${w.otherTeamId}/invitations`, {
    email: 'ada@example.com',
    role: 'member',
  })
  const { headers } = await w.browser.post(new URL(body.data.link).pathname, {})
  expect(headers.get('location')).toBe(`/projects/${first}`)
})

test('an invitation creates no second account for an email', async () => {
  const w = await worldWithPassword()
  const path = await invite(w, 'gil@example.com')
  await w.addMember(w.otherTeamId, 'Gil', 'member')
  const { status, text } = await w.browser.post(path, { name: 'Gil', password: NEW_PASSWORD })
  expect(status).toBe(409)
  expect(text).toContain('gil@example.com already has an account')
})

test('a form is refused if it is JSON, too large or contains a null character', async () => {
  const { browser } = await worldWithPassword()
  expect((await browser.json('POST', '/sign-in', { email: 'x' })).status).toBe(415)
  const large = await browser.post('/sign-in', { email: 'x'.repeat(70_000) })
  expect(large.status).toBe(413)
  expect((await browser.post('/sign-in', { email: 'a\0b' })).status).toBe(400)
})

test('a page before sign-in is in the language of the browser', async () => {
  const w = await world()
  const headers = { 'accept-language': 'ar-EG,en;q=0.5' }
  const { text } = await w.http(undefined, 'GET', '/sign-in', undefined, headers)
  expect(text).toContain('<html lang="ar" dir="rtl">')
})
