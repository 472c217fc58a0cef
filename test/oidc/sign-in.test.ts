import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys } from '../../src/features/identity/factors/model/index.ts'
import { linkedIdentities } from '../../src/features/identity/linked_identities/model/index.ts'
import { people } from '../../src/features/identity/people/model/index.ts'
import { signIns } from '../../src/features/identity/sign_ins/model/index.ts'
import { roleOf } from '../../src/features/identity/teams/model/index.ts'
import { type OidcBrowser, oidcBrowser } from '../support/oidc-browser.ts'
import { CLIENT, type RealIssuer, startRealIssuer } from '../support/real-issuer.ts'
import { type World, world } from '../support/world.ts'

const BOARD = 'http://localhost'
const PASSWORD = 'correct horse battery'
let issuer: RealIssuer

beforeAll(async () => {
  issuer = await startRealIssuer(BOARD)
})
afterAll(async () => {
  issuer.closeConnections()
  await issuer.stop()
})
beforeEach(() => issuer.accounts.clear())

/** A world whose clock is that of the issuer, and in which Ada has a password. */
async function worldWithIssuer(env: Record<string, string> = {}) {
  const w = await world({
    env: {
      CORK_OIDC_ISSUER: issuer.url,
      CORK_OIDC_CLIENT_ID: CLIENT.id,
      CORK_OIDC_CLIENT_SECRET: CLIENT.secret,
      CORK_OIDC_NAME: 'Harbour ID',
      ...env,
    },
  })
  w.clock.now = new Date()
  const password_hash = await Bun.password.hash(PASSWORD, {
    ...{ algorithm: 'argon2id', memoryCost: 8, timeCost: 1 },
  })
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  return { ...w, browser: oidcBrowser(w.app) }
}

const ADA = { sub: 'ada-1', email: 'ada@example.com', email_verified: true, name: 'Ada' }
const CLEO = { sub: 'cleo-1', email: 'cleo@example.com', email_verified: true, name: 'Cleo' }
const ZOE = { sub: 'zoe-1', email: 'zoe@example.com', email_verified: true, name: 'Zoe' }

const userIdOf = async ({ board }: OidcBrowser) =>
  JSON.parse((await board.get('/api/session/verify')).text).data?.user_id

const identities = (w: World) => w.store.read((tx) => tx.select().from(linkedIdentities))

test('the sign-in page has a button for each issuer, which leads to it and back to the page', async () => {
  const { browser } = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com' })
  issuer.add(ZOE)
  const { text } = await browser.board.get('/sign-in?next=/my')
  expect(text).toContain('href="/sign-in/1?next=%2Fmy">Sign in with Harbour ID</a>')
  expect(text).toContain('name="password"')
  const { url, visited } = await browser.open('/sign-in/1?next=/my')
  expect(url.pathname).toBe('/my')
  const authorization = new URL(visited[1]!)
  expect(authorization.origin).toBe(issuer.url)
  expect(authorization.searchParams.get('code_challenge_method')).toBe('S256')
  expect(authorization.searchParams.get('nonce')).not.toBeNull()
  expect([...browser.board.cookies.keys()].toSorted()).toEqual([
    'cork_device',
    'cork_first',
    'cork_session',
    'nookies_user',
  ])
})

test('an existing account is linked with its password and then signs in without a question', async () => {
  const w = await worldWithIssuer()
  const { browser } = w
  issuer.add(ADA)
  const first = await browser.open('/sign-in/1?next=/my')
  expect(first.url.pathname).toBe('/sign-in/1/link')
  expect(first.text).toContain('ada@example.com')
  const wrong = await browser.board.post('/sign-in/1/link', { password: 'not the password' })
  expect(wrong.status).toBe(401)
  expect(wrong.text).toContain('This is not the password of the account.')
  expect(await identities(w)).toEqual([])
  const linked = await browser.board.post('/sign-in/1/link', { password: PASSWORD })
  expect(linked.headers.get('refresh')).toBe('0; url=/sign-in/1?next=%2Fmy')
  const { url } = await browser.open('/sign-in/1?next=/my')
  expect(url.pathname).toBe('/my')
  expect(await userIdOf(browser)).toBe(w.ada.caller.actor_id)
  const [row] = await w.store.read((tx) => tx.select().from(signIns))
  expect(row).toMatchObject({ method: 'issuer', issuer: issuer.url, subject: 'ada-1' })
  expect(row!.id_token).not.toContain('.')
})

test('an account with a second factor is not linked with its password alone', async () => {
  const w = await worldWithIssuer()
  issuer.add(ADA)
  const factor = { name: 'Phone', webauthn_id: 'w', public_key: 'p', counter: 0, transports: [] }
  const passkey = { ...factor, actor_id: w.ada.caller.actor_id, synced: false }
  await w.store.write((tx) => tx.insert(passkeys).values({ ...passkey, created_at: w.clock.now }))
  const { text } = await w.browser.open('/sign-in/1?next=/my')
  expect(text).toContain('This account has a second factor.')
  expect(text).not.toContain('name="password"')
  const tried = await w.browser.board.post('/sign-in/1/link', { password: PASSWORD })
  expect(tried.status).toBe(403)
  expect(await identities(w)).toEqual([])
})

test('groups give roles, and a change of groups changes them at the next sign-in', async () => {
  const w = await worldWithIssuer({
    CORK_OIDC_ROLES: 'cork-admins=Harbour:admin, staff=Harbour:member',
    CORK_OIDC_NEW_PEOPLE: 'groups',
  })
  issuer.add({ ...ZOE, groups: ['staff'] })
  await w.browser.open('/sign-in/1')
  const actor_id = await userIdOf(w.browser)
  const role = () => w.store.read((tx) => roleOf(tx, w.team_id, actor_id))
  expect(await role()).toBe('member')
  issuer.add({ ...ZOE, groups: ['staff', 'cork-admins'] })
  await w.browser.open('/sign-in/1')
  expect(await role()).toBe('admin')
  issuer.add({ ...ZOE, groups: [] })
  await w.browser.open('/sign-in/1')
  expect(await role()).toBeUndefined()
  expect(await w.changeTypes()).toContain('member.removed')
})

test('a person without an account is refused with what to do, unless their domain is allowed', async () => {
  const w = await worldWithIssuer()
  issuer.add(ZOE)
  const { status, text } = await w.browser.open('/sign-in/1')
  expect(status).toBe(403)
  expect(text).toContain('There is no account for zoe@example.com on this server')
  expect(JSON.stringify(w.logRecords)).toContain('CORK_OIDC_NEW_PEOPLE')
  const open = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com=Harbour:member' })
  const { url } = await open.browser.open('/sign-in/1')
  expect(url.pathname).toBe('/')
  expect(await open.changeTypes()).toEqual([
    'person.created',
    'member.added',
    'identity.linked',
    'session.opened',
  ])
})

test('an invited person gets an account and the role of the invitation', async () => {
  const w = await worldWithIssuer()
  const invited = await w.ada['invitations.create']({
    team_id: w.team_id,
    email: ZOE.email,
    role: 'admin',
  })
  issuer.add(ZOE)
  const path = new URL(invited.link!).pathname
  expect((await w.browser.board.get(path)).text).toContain('Sign in with Harbour ID')
  const { url } = await w.browser.open(`/sign-in/1?next=${path}`)
  expect(url.pathname).toBe('/')
  const actor_id = await userIdOf(w.browser)
  expect(await w.store.read((tx) => roleOf(tx, w.team_id, actor_id))).toBe('admin')
})

test('an unverified address is refused', async () => {
  const w = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com' })
  issuer.add({ ...ZOE, email_verified: false })
  const { status, text } = await w.browser.open('/sign-in/1')
  expect(status).toBe(403)
  expect(text).toContain('Harbour ID has not verified the address zoe@example.com')
})

test('signing out also ends the session at the issuer', async () => {
  const { browser } = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com' })
  issuer.add(ZOE)
  await browser.open('/sign-in/1')
  const { text, headers } = await browser.board.post('/sign-out', {})
  expect(text).toContain('Continue')
  const location = headers.get('refresh')!.replace('0; url=', '')
  expect(location).toStartWith(`${issuer.url}/session/end?`)
  const page = await browser.open(location)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Do you want to sign-out')
})

test('keys that the issuer has just replaced are found', async () => {
  const { browser } = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com' })
  issuer.add(ZOE)
  await browser.open('/sign-in/1')
  await issuer.rotateKeys()
  browser.cookies.clear()
  const { url } = await browser.open('/sign-in/1?next=/my')
  expect(url.pathname).toBe('/my')
})

test('an account without a password needs the approval of an admin', async () => {
  const w = await worldWithIssuer()
  issuer.add(CLEO)
  const question = await w.browser.open('/sign-in/1')
  expect(question.text).not.toContain('type="password"')
  const requested = await w.browser.board.post('/sign-in/1/link', { ask: 'admin' })
  expect(requested.text).toContain('Waiting for approval')
  expect(await identities(w)).toMatchObject([{ subject: 'cleo-1', approved_at: null }])
  const waiting = await w.browser.open('/sign-in/1')
  expect(waiting.text).toContain('An admin of your team has to approve the link')
})

const signInWithPassword = ({ board }: OidcBrowser) =>
  board.post('/sign-in', { email: 'ada@example.com', password: PASSWORD })

const LINK = '/sign-in/1?link=yes&next=/settings/security'

test('a person who has just signed in links an identity with another address at once', async () => {
  const w = await worldWithIssuer()
  await signInWithPassword(w.browser)
  issuer.add({ ...ZOE, email_verified: false })
  const { url } = await w.browser.open(LINK)
  expect(url.pathname).toBe('/settings/security')
  expect(await identities(w)).toMatchObject([
    { actor_id: w.ada.caller.actor_id, subject: 'zoe-1', email: 'zoe@example.com' },
  ])
  expect((await w.changeTypes()).at(-1)).toBe('identity.linked')
})

test('after ten minutes, linking takes the password', async () => {
  const w = await worldWithIssuer()
  await signInWithPassword(w.browser)
  w.clock.advance(11 * 60_000)
  issuer.add(ZOE)
  const { url } = await w.browser.open(LINK)
  expect(url.pathname).toBe('/sign-in/1/link')
  expect(await identities(w)).toEqual([])
  await w.browser.board.post('/sign-in/1/link', { password: PASSWORD })
  expect(await identities(w)).toMatchObject([{ actor_id: w.ada.caller.actor_id }])
})

test('an identity of another person cannot be linked', async () => {
  const w = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com' })
  issuer.add(ZOE)
  await w.browser.open('/sign-in/1')
  const ada = oidcBrowser(w.app)
  await signInWithPassword(ada)
  const { status, text } = await ada.open(LINK)
  expect(status).toBe(409)
  expect(text).toContain('already linked to another account')
  expect(await userIdOf(ada)).toBe(w.ada.caller.actor_id)
})

test('a deactivated person cannot sign in', async () => {
  const w = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com' })
  issuer.add(ZOE)
  await w.browser.open('/sign-in/1')
  const isZoe = eq(people.actor_id, await userIdOf(w.browser))
  await w.store.write((tx) => tx.update(people).set({ deactivated_at: w.clock.now }).where(isZoe))
  const { status, text } = await oidcBrowser(w.app).open('/sign-in/1')
  expect(status).toBe(401)
  expect(text).toContain('This account is deactivated')
})

test('the address at the issuer may change later, and the account stays the same', async () => {
  const w = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com' })
  issuer.add(ZOE)
  await w.browser.open('/sign-in/1')
  const zoe = await userIdOf(w.browser)
  issuer.add({ ...ZOE, email: 'ada@example.com' })
  const later = oidcBrowser(w.app)
  await later.open('/sign-in/1')
  expect(await userIdOf(later)).toBe(zoe)
})

test('groups leave a member alone who never had one, and the last owner always', async () => {
  const w = await worldWithIssuer({ CORK_OIDC_ROLES: 'staff=Harbour:guest' })
  issuer.add({ ...ADA, groups: ['staff'] })
  await w.browser.open('/sign-in/1')
  await w.browser.board.post('/sign-in/1/link', { password: PASSWORD })
  await w.browser.open('/sign-in/1')
  expect(await w.store.read((tx) => roleOf(tx, w.team_id, w.ada.caller.actor_id))).toBe('owner')
  issuer.add({ ...ADA, groups: [] })
  await w.browser.open('/sign-in/1')
  expect(await w.store.read((tx) => roleOf(tx, w.team_id, w.ada.caller.actor_id))).toBe('owner')
})

test('a team that does not exist is reported to the operator, and other teams get their roles', async () => {
  const w = await worldWithIssuer({
    CORK_OIDC_ROLES: 'staff=Atlantis:admin, staff=Harbour:member',
    CORK_OIDC_NEW_PEOPLE: 'groups',
  })
  issuer.add({ ...ZOE, groups: ['staff'] })
  await w.browser.open('/sign-in/1')
  const zoe = await userIdOf(w.browser)
  expect(await w.store.read((tx) => roleOf(tx, w.team_id, zoe))).toBe('member')
  expect(JSON.stringify(w.logRecords)).toContain('Atlantis')
})

test('signing out at the issuer ends the session here', async () => {
  const w = await worldWithIssuer({ CORK_OIDC_NEW_PEOPLE: 'example.com' })
  const board = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (one) => w.app.handle(one) })
  await issuer.registerBoard(BOARD, `http://127.0.0.1:${board.port}`)
  issuer.add(ZOE)
  await w.browser.open('/sign-in/1')
  expect(await userIdOf(w.browser)).toBeNumber()
  const page = await w.browser.fetchIssuer(`${issuer.url}/session/end`)
  const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(page.text) ?? []
  await w.browser.fetchIssuer(`${issuer.url}/session/end/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  expect((await w.browser.board.get('/api/session/verify')).status).toBe(401)
  await board.stop(true)
})

test('two first sign-ins of a person at the same time create one account', async () => {
  const w = await worldWithIssuer({
    CORK_OIDC_NEW_PEOPLE: 'example.com=Harbour:member',
    CORK_OIDC_ROLES: 'staff=Harbour:admin',
  })
  issuer.add({ ...ZOE, groups: ['staff'] })
  const tabs = [oidcBrowser(w.app), oidcBrowser(w.app), oidcBrowser(w.app)]
  const pages = await Promise.all(tabs.map((tab) => tab.open('/sign-in/1?next=/my')))
  expect(pages.map(({ url }) => url.pathname)).toEqual(['/my', '/my', '/my'])
  expect(new Set(await Promise.all(tabs.map(userIdOf))).size).toBe(1)
  expect(await identities(w)).toHaveLength(1)
})
