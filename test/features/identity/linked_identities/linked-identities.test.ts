import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessionCookies } from '../../../../src/features/identity/accounts/model/index.ts'
import { openRecordedSession } from '../../../../src/features/identity/accounts/model/signin.ts'
import { insertIdentity } from '../../../../src/features/identity/linked_identities/model/index.ts'
import { people } from '../../../../src/features/identity/people/model/index.ts'
import { type BrowserClient, browserClient } from '../../../support/browser-client.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const PASSWORD = 'correct horse battery'
const ISSUER = 'https://id.example.com'
const PATH = '/api/v1/user/identities'
const ENV = { CORK_OIDC_ISSUER: ISSUER, CORK_OIDC_CLIENT_ID: 'board', CORK_OIDC_NAME: 'Harbour ID' }
const MINUTE_MS = 60_000

/** A browser in which the person has just signed in with a password. */
async function signIn(w: World, { caller }: Actor): Promise<BrowserClient> {
  const options = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
  const password_hash = await Bun.password.hash(PASSWORD, options)
  const isPerson = eq(people.actor_id, caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isPerson))
  const browser = browserClient(w.app)
  const fields = { email: `${caller.name.toLowerCase()}@example.com`, password: PASSWORD }
  expect((await browser.post('/sign-in', fields)).status).toBe(303)
  return browser
}

const link = (w: World, { caller }: Actor, subject: string, isApproved: boolean) =>
  w.store.write(async (tx) => {
    const approved_at = isApproved ? w.clock.now : null
    const { actor_id } = caller
    const identity = { issuer: ISSUER, subject, email: `${subject}@id.example.com` }
    return (await insertIdentity(tx, { ...identity, actor_id, approved_at }, w.clock.now))!
      .identity_id
  })

const listed = async (browser: BrowserClient) => JSON.parse((await browser.get(PATH)).text).data

test('a person lists and unlinks their identities, and only theirs', async () => {
  const w = await world({ env: ENV })
  const id = await link(w, w.ada, 'ada', true)
  const other = await link(w, w.cleo, 'cleo', true)
  const browser = await signIn(w, w.ada)
  expect(await listed(browser)).toMatchObject({
    identities: [
      { identity_id: id, issuer_name: 'Harbour ID', email: 'ada@id.example.com', approved: true },
    ],
    issuers: [{ number: 1, name: 'Harbour ID' }],
  })
  expect((await browser.json('DELETE', `${PATH}/${other}`, {})).status).toBe(404)
  expect((await browser.json('DELETE', `${PATH}/${id}`, {})).status).toBe(200)
  expect((await listed(browser)).identities).toEqual([])
  expect((await w.changeTypes()).at(-1)).toBe('identity.unlinked')
})

test('unlinking needs a recent proof of identity and another way to sign in', async () => {
  const w = await world({ env: ENV })
  const id = await link(w, w.ada, 'ada', true)
  const browser = await signIn(w, w.ada)
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash: null }).where(isAda))
  const last = await browser.json('DELETE', `${PATH}/${id}`, {})
  expect(last.status).toBe(409)
  expect(last.text).toContain('This is your only way to sign in')
  await link(w, w.ada, 'ada again', true)
  w.clock.advance(11 * MINUTE_MS)
  const late = await browser.json('DELETE', `${PATH}/${id}`, {})
  expect(late.status).toBe(403)
  expect(late.text).toContain('"verification":"required"')
})

test('where passwords are off, a password is no other way to sign in', async () => {
  const w = await world({ env: { ...ENV, CORK_OIDC_ONLY: 'yes' } })
  const id = await link(w, w.ada, 'ada', true)
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash: 'a hash' }).where(isAda))
  const proof = { actor_id: w.ada.caller.actor_id, method: 'issuer' as const }
  const client = { address: 'home', browser: null }
  const session = await w.store.write((tx) =>
    openRecordedSession(w.store, tx, proof, w.clock.now, client),
  )
  const browser = browserClient(w.app)
  for (const cookie of sessionCookies(w.key, session, w.clock.now, 'http://localhost')) {
    const [name = '', value = ''] = cookie.split(/[=;]/)
    browser.cookies.set(name, value)
  }
  expect((await browser.json('DELETE', `${PATH}/${id}`, {})).status).toBe(409)
})

test('an admin approves the link of a member, and only an owner that of an owner', async () => {
  const w = await world({ env: ENV })
  const ofCleo = await link(w, w.cleo, 'cleo', false)
  const ofAda = await link(w, w.ada, 'ada', false)
  const ben = await signIn(w, w.ben)
  const path = `/api/v1/teams/${w.team_id}/identities`
  const { waiting } = JSON.parse((await ben.get(path)).text).data
  expect(waiting).toMatchObject([
    { identity_id: ofCleo, name: 'Cleo', role: 'member', account_email: 'cleo@example.com' },
    { identity_id: ofAda, name: 'Ada', role: 'owner' },
  ])
  expect((await ben.json('POST', `${path}/${ofCleo}/approve`, {})).status).toBe(200)
  const owner = await ben.json('POST', `${path}/${ofAda}/approve`, {})
  expect(owner.text).toContain('Only an owner can decide about the link of an owner')
  const ada = await signIn(w, w.ada)
  const own = await ada.json('POST', `${path}/${ofAda}/approve`, {})
  expect(own.text).toContain('You cannot decide about your own link')
  expect((await ben.json('POST', `${path}/${ofCleo}/approve`, {})).status).toBe(404)
  expect(await w.changeTypes()).toContain('identity.approved')
})

test('a refused link is deleted, and people outside the team cannot see or decide about it', async () => {
  const w = await world({ env: ENV })
  const ofCleo = await link(w, w.cleo, 'cleo', false)
  const path = `/api/v1/teams/${w.team_id}/identities`
  const otto = await signIn(w, w.otto)
  expect((await otto.get(path)).status).toBe(404)
  const foreign = `/api/v1/teams/${w.otherTeamId}/identities/${ofCleo}`
  expect((await otto.json('POST', `${foreign}/approve`, {})).status).toBe(404)
  const cleo = await signIn(w, w.cleo)
  expect((await cleo.get(path)).status).toBe(403)
  const ben = await signIn(w, w.ben)
  expect((await ben.json('DELETE', `${path}/${ofCleo}`, {})).status).toBe(200)
  expect(JSON.parse((await ben.get(path)).text).data.waiting).toEqual([])
})

test('keys and tokens cannot read or change the ways to sign in', async () => {
  const w = await world({ env: ENV })
  const { status, body } = await w.http(w.ada, 'GET', PATH)
  expect(status).toBe(403)
  expect(body.message).toContain('This requires a browser session')
})

test('without passwords, the sign-in page shows only issuers and no password is accepted', async () => {
  const w = await world({ env: { ...ENV, CORK_OIDC_ONLY: 'yes' } })
  const browser = browserClient(w.app)
  const { text } = await browser.get('/sign-in')
  expect(text).toContain('Sign in with Harbour ID')
  expect(text).not.toContain('type="password"')
  const { status, text: refusal } = await browser.post('/sign-in', {
    email: 'ada@example.com',
    password: PASSWORD,
  })
  expect(status).toBe(403)
  expect(refusal).toContain('Passwords are turned off on this server')
})
