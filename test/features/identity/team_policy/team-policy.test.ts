import { expect, test } from 'bun:test'
import { sessionCookies } from '../../../../src/features/identity/accounts/model/index.ts'
import { openSession } from '../../../../src/features/identity/accounts/model/sessions.ts'
import { authenticatorApps } from '../../../../src/features/identity/factors/model/index.ts'
import { browserClient } from '../../../support/browser-client.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const PASSWORD = 'correct horse battery'

const setPolicy = (w: World, fields: object, actor = w.ada) =>
  actor['team_policy.update']({ team_id: w.team_id, ...fields })
const invite = (w: World, email: string, role: 'member' | 'guest' | 'admin' = 'member') =>
  w.ada['invitations.create']({ team_id: w.team_id, email, role })

/** A person who joins by an invitation, and the browser in which they are signed in. */
async function join(w: World, email: string, role: 'member' | 'guest' = 'member') {
  const { link } = await invite(w, email, role)
  const browser = browserClient(w.app)
  const response = await browser.post(new URL(link).pathname, { name: 'Nia', password: PASSWORD })
  expect(response.status).toBe(303)
  return browser
}

const daysLeft = async (w: World, browser: ReturnType<typeof browserClient>) => {
  const { text } = await browser.get('/api/session/verify')
  return (Date.parse(JSON.parse(text).data.expires_at) - w.clock.now.getTime()) / DAY_MS
}

test('a team without rules has the defaults, and every role reads them', async () => {
  const w = await world()
  const defaults = {
    team_id: w.team_id,
    guests_allowed: true,
    email_domains: null,
    second_factor_required: false,
    session_days: null,
    token_days: null,
    locale: null,
  }
  const { team_id } = w
  const forOwner = await w.ada['team_policy.get']({ team_id })
  expect(forOwner).toEqual({ ...defaults, without_second_factor: expect.any(Number) })
  const forGuest = await w.gus['team_policy.get']({ team_id })
  expect(forGuest).toEqual({ ...defaults, without_second_factor: null })
})

test('an update changes only the given rules, and is audited with both values', async () => {
  const w = await world()
  await setPolicy(w, { session_days: 7, email_domains: ['Example.com', 'example.com'] })
  const { changed, ...policy } = await setPolicy(w, { session_days: 14, token_days: 90 })
  expect(changed).toEqual(['session_days', 'token_days'])
  expect(policy).toMatchObject({
    ...{ session_days: 14, token_days: 90, email_domains: ['example.com'], guests_allowed: true },
  })
  const unchanged = await setPolicy(w, { session_days: 14 })
  expect(unchanged.changed).toEqual([])
  const { items } = await w.ada['audit.list']({ team_id: w.team_id })
  const [last, ...others] = items.filter(({ type }) => type === 'team.policy_changed')
  expect(others).toHaveLength(1)
  expect(last).toMatchObject({
    actor: { name: 'Ada' },
    changed: {
      session_days: { before: 7, after: 14 },
      token_days: { before: null, after: 90 },
    },
  })
})

test('only an owner changes the rules', async () => {
  const w = await world()
  await w.ada['teams.set_role']({
    ...{ team_id: w.team_id, user_id: w.ben.caller.actor_id, role: 'admin' },
  })
  const admin = await w.authenticateAs(w.ben.caller.actor_id)
  const fault = await faultOf(setPolicy(w, { guests_allowed: false }, admin))
  expect(fault).toMatchObject({ code: 'forbidden', hint: 'Ask an owner of the team' })
})

test('without guests, guests are not invited, do not join, and nobody becomes one', async () => {
  const w = await world()
  const { link } = await invite(w, 'early@example.com', 'guest')
  await setPolicy(w, { guests_allowed: false })
  const refusal = { code: 'conflict', message: 'This team does not allow guests' }
  expect(await faultOf(invite(w, 'late@example.com', 'guest'))).toMatchObject(refusal)
  const onBoard = w.ada['projects.invite_member']({
    ...{ project_id: w.board.project_id, member_identifier: 'late@example.com' },
  })
  expect(await faultOf(onBoard)).toMatchObject(refusal)
  const toGuest = w.ada['teams.set_role']({
    ...{ team_id: w.team_id, user_id: w.ben.caller.actor_id, role: 'guest' },
  })
  expect(await faultOf(toGuest)).toMatchObject(refusal)
  const page = await browserClient(w.app).get(new URL(link).pathname)
  expect(page.text).toContain('This team does not allow guests')
  // Guests who are in the team already stay.
  await w.gus['team_policy.get']({ team_id: w.team_id })
})

test('members join only with an address of the domains, and guests with any', async () => {
  const w = await world()
  const early = await invite(w, 'early@elsewhere.org')
  await setPolicy(w, { email_domains: ['example.com', 'example.org'] })
  const refusal = {
    code: 'conflict',
    details: { field: 'email', value: 'late@sub.example.com' },
    message:
      'Only addresses of example.com, example.org may join this team, not late@sub.example.com',
  }
  expect(await faultOf(invite(w, 'late@sub.example.com'))).toMatchObject(refusal)
  const page = await browserClient(w.app).get(new URL(early.link).pathname)
  expect(page.text).toContain('not early@elsewhere.org')
  await join(w, 'nia@EXAMPLE.com')
  await join(w, 'gil@elsewhere.org', 'guest')
  const { items } = await w.ada['teams.members']({ team_id: w.team_id, query: 'Nia' })
  const guest = items.find((one) => 'role' in one && one.role === 'guest')!
  const promotion = w.ada['teams.set_role']({
    ...{ team_id: w.team_id, user_id: (guest as { user_id: number }).user_id, role: 'member' },
  })
  expect(await faultOf(promotion)).toMatchObject({ details: { field: 'email' } })
})

test('a person with another address cannot join by an invitation to an allowed one', async () => {
  const w = await world()
  await setPolicy(w, { email_domains: ['allowed.example'] })
  const { link } = await invite(w, 'otto@allowed.example')
  const token = new URL(link).pathname.split('/').at(-1)!
  const browser = browserClient(w.app)
  await w.store.write(async (tx) => {
    const person = { user_id: w.otto.caller.actor_id, name: 'Firefox', sign_in_id: null }
    const session = await openSession(tx, person, w.clock.now)
    for (const cookie of sessionCookies(w.key, session, w.clock.now, 'http://localhost')) {
      const [name = '', value = ''] = cookie.split(';')[0]!.split('=')
      browser.cookies.set(name, value)
    }
  })
  const response = await browser.post(`/invitations/${token}`, {})
  expect(response.status).toBe(409)
  expect(response.text).toContain('not otto@example.com')
})

test('sessions end the given days after the sign-in, however often they are used', async () => {
  const w = await world()
  await setPolicy(w, { session_days: 3 })
  const browser = await join(w, 'nia@example.com')
  expect(await daysLeft(w, browser)).toBeCloseTo(3)
  w.clock.advance(2 * DAY_MS)
  // This request rotates the session.
  await browser.get('/api/session/verify')
  expect(await daysLeft(w, browser)).toBeCloseTo(1)
  w.clock.advance(DAY_MS)
  expect((await browser.get('/api/session/verify')).status).toBe(401)
})

test('a shorter limit ends older sessions at once, and shortens the others', async () => {
  const w = await world()
  const old = await join(w, 'old@example.com')
  w.clock.advance(5 * DAY_MS)
  await old.get('/api/session/verify')
  const fresh = await join(w, 'fresh@example.com')
  expect(await daysLeft(w, fresh)).toBeCloseTo(30)
  await setPolicy(w, { session_days: 5 })
  expect((await old.get('/api/session/verify')).status).toBe(401)
  expect(await daysLeft(w, fresh)).toBeCloseTo(5)
})

test('the strictest team of a person decides', async () => {
  const w = await world()
  const { team_id } = await w.ada['teams.create']({ name: 'Second' })
  const ada = await w.authenticateAs(w.ada.caller.actor_id)
  await setPolicy(w, { token_days: 90 })
  await ada['team_policy.update']({ team_id, token_days: 10 })
  const { expires_at } = await ada['api_keys.create']({ name: 'laptop' })
  expect(Date.parse(expires_at!) - w.clock.now.getTime()).toBe(10 * DAY_MS)
  await ada['team_policy.update']({ team_id, token_days: null })
  const later = await ada['api_keys.create']({ name: 'desktop' })
  expect(Date.parse(later.expires_at!) - w.clock.now.getTime()).toBe(90 * DAY_MS)
})

test('new keys and tokens of members expire within the limit, and earlier ones stay', async () => {
  const w = await world()
  const before = await w.ben['api_keys.create']({ name: 'before' })
  await setPolicy(w, { token_days: 7 })
  const limit = new Date(w.clock.now.getTime() + 7 * DAY_MS).toISOString()
  const soon = new Date(w.clock.now.getTime() + DAY_MS).toISOString()
  expect((await w.ben['api_keys.create']({ name: 'none' })).expires_at).toBe(limit)
  const shorter = await w.ben['api_keys.create']({ name: 'short', expires_at: soon })
  expect(shorter.expires_at).toBe(soon)
  const { body } = await w.http(w.ben, 'POST', '/api/v1/api-keys', {
    ...{ name: 'long', expires_at: '2030-01-01T00:00:00Z' },
  })
  expect(body.data.expires_at).toBe(limit)
  expect(body.warnings).toEqual([
    expect.objectContaining({ message: `It expires as your team requires: ${limit}` }),
  ])
  const { token, expires_at } = await w.ben['access_tokens.create']({ name: 'editor' })
  expect(expires_at).toBe(limit)
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
  expect(claims.exp * 1000).toBe(Date.parse(limit))
  const { items } = await w.ben['api_keys.list']({})
  const earlier = items.find(({ api_key_id }) => api_key_id === before.api_key_id)
  expect(earlier!.expires_at).toBeNull()
})

test('an owner without a second factor cannot require one', async () => {
  const w = await world()
  const { team_id } = w
  const { without_second_factor: total } = await w.ada['team_policy.get']({ team_id })
  const fault = await faultOf(setPolicy(w, { second_factor_required: true }))
  expect(fault).toMatchObject({ code: 'conflict', message: 'You have no second factor yourself' })
  const app = { secret: 'sealed', created_at: w.clock.now, confirmed_at: w.clock.now }
  await w.store.write((tx) =>
    tx.insert(authenticatorApps).values({ ...app, actor_id: w.ada.caller.actor_id }),
  )
  const policy = await setPolicy(w, { second_factor_required: true })
  expect(policy).toMatchObject({
    ...{ second_factor_required: true, without_second_factor: total! - 1 },
  })
})

test('values out of range are refused with the field', async () => {
  const w = await world()
  for (const [field, value] of [
    ['session_days', 0],
    ['token_days', 366],
    ['email_domains', []],
    ['email_domains', ['@example.com']],
    ['email_domains', ['localhost']],
  ] as const) {
    const fault = await faultOf(setPolicy(w, { [field]: value }))
    expect(fault.details.field).toStartWith(field)
  }
})
