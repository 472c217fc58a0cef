import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people } from '../../src/features/people/index.ts'
import { localPath } from '../../src/surfaces/forms/wire.ts'
import { type Visitor, visitor } from '../visitor.ts'
import { type World, world } from '../world.ts'

const PASSWORD = 'correct horse battery'
const NEW = 'paper lantern seven'

/** The usual people. Ada has a password, and a browser that is not signed in. */
async function lobby() {
  const played = await world()
  const password_hash = await Bun.password.hash(PASSWORD, {
    algorithm: 'argon2id',
    memoryCost: 8,
    timeCost: 1,
  })
  const isAda = eq(people.actor_id, played.ada.caller.actor_id)
  await played.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  return { ...played, browser: visitor(played.app) }
}

const signIn = (browser: Visitor, more: Record<string, string> = {}) =>
  browser.post('/sign-in', { email: 'ada@example.com', password: PASSWORD, ...more })

async function signedIn() {
  const played = await lobby()
  expect((await signIn(played.browser)).status).toBe(303)
  return played
}

const invite = async ({ ada, http, team_id }: World, email: string) => {
  const { body } = await http(ada, 'POST', `/api/v1/teams/${team_id}/invitations`, {
    email,
    role: 'member',
  })
  return new URL(body.data.link).pathname
}

test('pages forbid scripts, frames and caching, and stylesheets are cached with an etag', async () => {
  const { browser } = await lobby()
  for (const path of ['/sign-in', '/setup?token=x', '/invitations/x']) {
    const { headers, text } = await browser.get(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).not.toMatch(/<script|style=|\son\w+=/i)
  }
  for (const path of ['/look.css', '/forms.css']) {
    const { headers, text } = await browser.get(path)
    expect(headers.get('content-type')).toStartWith('text/css')
    expect(text).not.toContain('//')
    const again = await browser.get(path, { 'if-none-match': headers.get('etag')! })
    expect([again.status, again.text]).toEqual([304, ''])
  }
  expect((await browser.get('/icon.svg')).headers.get('content-type')).toBe('image/svg+xml')
})

test('pages use the theme chosen in the app, and ignore an invalid one', async () => {
  const { browser } = await lobby()
  const drawn = async (cookie: string) => {
    const { headers, text } = await browser.get('/look.css', { cookie })
    expect(headers.get('vary')).toBe('cookie')
    return text.split('\n').filter((line) => /^:root \{ color-scheme/.test(line))
  }
  expect(await drawn('a=b; theme=dark')).toEqual([':root { color-scheme: dark; }'])
  expect(await drawn('theme=light')).toEqual([':root { color-scheme: light; }'])
  for (const none of ['', 'theme=', 'other_theme=dark', 'theme=darker', 'theme=}*{display:none'])
    expect(await drawn(none)).toEqual([])
})

test('the root redirects to sign-in, and shows the app once signed in', async () => {
  const { browser } = await lobby()
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
  const { browser, emitted } = await lobby()
  const { status, headers } = await signIn(browser, { next: '/projects/1?view=2#top' })
  expect(status).toBe(303)
  expect(headers.get('location')).toBe('/projects/1?view=2#top')
  const [signed, companion] = headers.getSetCookie()
  expect(signed).toMatch(
    /^cork_session=1\.[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=2592000; SameSite=Lax; HttpOnly$/,
  )
  expect(companion).toBe('nookies_user=1; Path=/; Max-Age=2592000; SameSite=Lax')
  expect(await emitted()).toEqual(['session.opened'])
})

test('a wrong password keeps the email in the form, but not the password, and sets no cookie', async () => {
  const { browser } = await lobby()
  const { status, text, headers } = await signIn(browser, { password: 'not "this" one' })
  expect(status).toBe(401)
  expect(text).toContain('value="ada@example.com"')
  expect(text).toContain('Wrong email or password.')
  expect(text).not.toContain('not &quot;this')
  expect(headers.getSetCookie()).toEqual([])
})

test('entered text is escaped when it is shown again', async () => {
  const { browser } = await lobby()
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
  const { browser, emitted } = await lobby()
  const elsewhere = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
    { 'sec-fetch-site': '', origin: 'null' },
    { 'sec-fetch-site': '' },
  ] as Record<string, string>[]
  const proof = { email: 'ada@example.com', password: PASSWORD }
  for (const headers of elsewhere)
    expect((await browser.post('/sign-in', proof, headers)).status).toBe(403)
  await signIn(browser)
  for (const headers of elsewhere)
    expect((await browser.post('/sign-out', {}, headers)).status).toBe(403)
  expect(await emitted()).toEqual(['session.opened'])
  const local = { 'sec-fetch-site': '', origin: 'http://localhost' }
  expect((await browser.post('/sign-out', {}, local)).status).toBe(303)
})

test('signing out ends the session, not only its cookies', async () => {
  const { browser } = await signedIn()
  const kept = new Map(browser.jar)
  expect((await browser.post('/sign-out', {})).headers.get('location')).toBe('/sign-in')
  expect([...browser.jar.keys()]).toEqual(['cork_device'])
  for (const [name, value] of kept) browser.jar.set(name, value)
  expect((await browser.get('/api/session/verify')).status).toBe(401)
})

test('expired cookies are removed, with a link or a redirect to sign in again', async () => {
  const { browser, clock } = await signedIn()
  clock.pass(31 * 24 * 60 * 60 * 1000)
  const kept = new Map(browser.jar)
  const { status, text } = await browser.get('/sign-in?next=/my')
  expect(status).toBe(401)
  expect(text).toContain('<a href="/sign-in?next=/my">Continue</a>')
  expect([...browser.jar.keys()]).toEqual(['cork_device'])
  expect((await browser.get('/sign-in?next=/my')).status).toBe(200)
  for (const [name, value] of kept) browser.jar.set(name, value)
  const app = await browser.get('/my')
  expect([app.status, app.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fmy'])
  expect([...browser.jar.keys()]).toEqual(['cork_device'])
})

test('an invited newcomer creates an account and is signed in, and the link works once', async () => {
  const played = await lobby()
  const path = await invite(played, 'nia@example.com')
  const shown = await played.browser.get(path)
  expect(shown.text).toContain(
    '<strong>Ada</strong> invites you to the team <strong>Harbour</strong>',
  )
  expect(shown.text).toContain('nia@example.com')
  const short = await played.browser.post(path, { name: 'Nia', password: 'short' })
  expect(short.status).toBe(400)
  expect(short.text).toContain('value="Nia"')
  const joined = await played.browser.post(path, { name: 'Nia', password: NEW })
  expect(joined.status).toBe(303)
  expect((await played.browser.get('/api/v1/user/context')).text).toContain('nia@example.com')
  expect(await played.emitted()).toContain('invitation.accepted')
  const again = await visitor(played.app).post(path, { name: 'Eve', password: NEW })
  expect(again.status).toBe(404)
  expect(again.text).toContain('has already been used')
})

test('a signed-in user accepts an invitation with one click', async () => {
  const played = await signedIn()
  const { body } = await played.http(
    played.otto,
    'POST',
    `/api/v1/teams/${played.elsewhere}/invitations`,
    { email: 'ada@example.com', role: 'guest' },
  )
  const path = new URL(body.data.link).pathname
  expect((await played.browser.get(path)).text).toContain(
    'You are signed in as <strong>Ada</strong>',
  )
  const joined = await played.browser.post(path, {})
  expect([joined.status, joined.headers.get('location')]).toEqual([303, '/'])
  const teams = await played.http(played.ada, 'GET', '/api/v1/teams')
  expect(teams.text).toContain('Elsewhere')
})

test('a user who joins another team is redirected to its first board', async () => {
  const played = await signedIn()
  const open = async () => {
    const board = { team_id: played.elsewhere, title: 'Docks', sections: [{ title: 'Doing' }] }
    return (await played.http(played.otto, 'POST', '/api/v1/projects', board)).body.data.project_id
  }
  const first = await open()
  await open()
  const { body } = await played.http(
    played.otto,
    'POST',
    `/api/v1/teams/${played.elsewhere}/invitations`,
    { email: 'ada@example.com', role: 'member' },
  )
  const { headers } = await played.browser.post(new URL(body.data.link).pathname, {})
  expect(headers.get('location')).toBe(`/projects/${first}`)
})

test('an invitation creates no second account for an email', async () => {
  const played = await lobby()
  const path = await invite(played, 'gil@example.com')
  await played.member(played.elsewhere, 'Gil', 'member')
  const { status, text } = await played.browser.post(path, { name: 'Gil', password: NEW })
  expect(status).toBe(409)
  expect(text).toContain('gil@example.com already has an account')
})

test('a form is refused if it is JSON, too large or contains a null character', async () => {
  const { browser } = await lobby()
  expect((await browser.json('POST', '/sign-in', { email: 'x' })).status).toBe(415)
  const large = await browser.post('/sign-in', { email: 'x'.repeat(70_000) })
  expect(large.status).toBe(413)
  expect((await browser.post('/sign-in', { email: 'a\0b' })).status).toBe(400)
})
