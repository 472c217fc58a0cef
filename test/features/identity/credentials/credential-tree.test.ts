import { expect, test } from 'bun:test'
import { eq, type SQL, sql } from 'drizzle-orm'
import {
  deactivate,
  reactivate,
  revokeToken,
} from '../../../../src/features/identity/accounts/model/index.ts'
import { credentials, hashOf } from '../../../../src/features/identity/credentials/model/index.ts'
import { expiredTokenSweep } from '../../../../src/features/identity/departures/model/index.ts'
import { createServer } from '../../../../src/server/app.ts'
import { dialect } from '../../../../src/store/columns.ts'
import { migrationsOf } from '../../../../src/store/migrations.ts'
import { Sweeper } from '../../../../src/workers/minutely.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

const statusOf = async (w: World, secret: string, path = '/api/v1/user/hello') =>
  (await w.http({ secret }, 'GET', path)).status

/** Creates a key for that person over HTTP; it is the parent of what is created with it. */
async function createKey(w: World, actor: Actor, overrides: Record<string, unknown> = {}) {
  const response = await w.http(actor, 'POST', '/api/v1/api-keys', { name: 'parent', ...overrides })
  expect(response.status).toBe(201)
  const { key, api_key_id, expires_at } = response.body.data
  return { secret: key as string, api_key_id: api_key_id as number, expires_at }
}

/** Returns the person with a browser session, which is not the parent of what it creates. */
const asSession = (w: World, actor: Actor) => w.authenticateAs(actor.caller.actor_id, 'session')

const create = async (w: World, creator: { secret: string }, path: string, body: unknown) => {
  const response = await w.http(creator, 'POST', path, body)
  expect([path, response.status, response.body.message]).toEqual([path, 201, undefined])
  return response.body.data
}

test('a key or token created with an expiring key expires with it at the latest', async () => {
  const w = await world()
  const expiresAt = new Date(w.clock.now.getTime() + DAY_MS).toISOString()
  const later = new Date(w.clock.now.getTime() + 9 * DAY_MS).toISOString()
  const earlier = new Date(w.clock.now.getTime() + HOUR_MS).toISOString()
  const parent = await createKey(w, w.ada, { expires_at: expiresAt })
  const expiries = async (expires_at?: string) => {
    const response = await w.http(parent, 'POST', '/api/v1/api-keys', { name: 'child', expires_at })
    return [response.body.data.expires_at, response.body.warnings?.[0]?.field]
  }
  expect(await expiries()).toEqual([expiresAt, undefined])
  expect(await expiries(later)).toEqual([expiresAt, 'expires_at'])
  expect(await expiries(earlier)).toEqual([earlier, undefined])
  const token = await create(w, parent, '/api/v1/access-tokens', { name: 'editor' })
  expect(token.expires_at).toBe(expiresAt)
  const { exp } = JSON.parse(Buffer.from(token.token.split('.')[1], 'base64url').toString())
  expect(exp).toBe(Math.floor(Date.parse(expiresAt) / 1000))
  w.clock.advance(DAY_MS)
  expect(await statusOf(w, token.token)).toBe(401)
})

test('a key created with a narrow key cannot have more scopes', async () => {
  const w = await world()
  const scopes = ['keys:manage', 'keys:read', 'tasks:read']
  const parent = await createKey(w, w.ada, { scopes })
  const child = await create(w, parent, '/api/v1/api-keys', { name: 'child' })
  expect(child).toMatchObject({ scopes, parent_id: parent.api_key_id })
  const response = await w.http(parent, 'POST', '/api/v1/api-keys', {
    ...{ name: 'wider', scopes: ['tasks:write'] },
  })
  expect(response.status).toBe(403)
})

test('revoking a key revokes everything created with it, directly or indirectly', async () => {
  const w = await world()
  const { team_id, board } = w
  const parent = await createKey(w, w.ada)
  const child = await create(w, parent, '/api/v1/api-keys', { name: 'child' })
  const childCredential = { secret: child.key as string }
  const token = await create(w, childCredential, '/api/v1/access-tokens', { name: 'editor' })
  const agent = await create(w, childCredential, '/api/v1/agents', { name: 'Scout', team_id })
  const feed = await create(w, childCredential, '/api/v1/calendar/feeds', {})
  const path = `/api/v1/projects/${board.project_id}/pull-request-receivers`
  await create(w, childCredential, path, { host: 'github' })
  const invited = await create(w, childCredential, `/api/v1/teams/${team_id}/invitations`, {
    ...{ email: 'new@example.com', role: 'member' },
  })
  const session = await asSession(w, w.ada)
  const independentKey = await session['api_keys.create']({ name: 'independent' })
  expect(independentKey.parent_id).toBeNull()
  const address = new URL(feed.url).pathname
  expect((await w.http(undefined, 'GET', address)).status).toBe(200)

  expect((await w.http(w.ada, 'DELETE', `/api/v1/api-keys/${parent.api_key_id}`)).status).toBe(200)

  for (const secret of [parent.secret, child.key, token.token, agent.token])
    expect(await statusOf(w, secret)).toBe(401)
  expect((await w.http(undefined, 'GET', address)).status).toBe(404)
  expect((await w.http(w.ada, 'GET', path)).body.data).toEqual([])
  const state = 'revoked' as const
  const { items } = await w.ada['invitations.list']({ team_id, state })
  expect(items.map(({ invitation_id }) => invitation_id)).toEqual([invited.invitation_id])
  expect(await statusOf(w, independentKey.key)).toBe(200)
  const { items: auditEntries } = await w.ada['audit.list']({ team_id, limit: 50 })
  const types = auditEntries.map(({ type }) => type)
  for (const type of ['credential.revoked', 'invitation.revoked', 'agent.deactivated'])
    expect(types).toContain(type)
  expect(types.filter((type) => type === 'credential.revoked')).toHaveLength(3)
})

test('revoking an agent’s parent key deactivates it and frees its task; it can be re-enabled', async () => {
  const w = await world()
  const { team_id, tasks } = w
  const parent = await createKey(w, w.ada)
  const created = await create(w, parent, '/api/v1/agents', { name: 'Scout', team_id })
  const { agent_id, token } = created
  const claim = { ticket_number: tasks.logo.ticket_number }
  const lease = await w.http({ secret: token }, 'POST', '/api/mcp/tasks/lease/claim', claim)
  expect(lease.status).toBe(200)
  await w.ada['api_keys.revoke']({ api_key_id: parent.api_key_id })
  expect(await w.ada['agents.get']({ agent_id })).toMatchObject({
    ...{ state: 'inactive', hasMcpToken: false },
  })
  expect(await statusOf(w, token)).toBe(401)
  // Another agent can claim the task immediately.
  await w.bot['leases.claim'](claim)
  const session = await asSession(w, w.ada)
  const again = await session['agents.enable']({ agent_id })
  expect(again).toMatchObject({ state: 'active', hasMcpToken: true, token_expires_at: null })
  expect(await statusOf(w, again.token!)).toBe(200)
})

test('an agent token expires with its parent token, and the sweep deactivates the agent', async () => {
  const w = await world()
  const { token } = await (await asSession(w, w.ada))['access_tokens.create']({ name: 'editor' })
  const created = await create(w, { secret: token }, '/api/v1/agents', {
    ...{ name: 'Scout', team_id: w.team_id },
  })
  expect(created.token_expires_at).toBe(new Date(w.clock.now.getTime() + 30 * DAY_MS).toISOString())
  w.clock.advance(30 * DAY_MS)
  expect(await statusOf(w, created.token)).toBe(401)
  const session = await w.authenticateAs(w.ada.caller.actor_id, 'session')
  const log = { error: (error: unknown) => expect(error).toBeUndefined() } as never
  await new Sweeper({ store: w.store, clock: w.clock.read, log }).sweepAll()
  const { agent_id } = created
  expect((await session['agents.get']({ agent_id })).state).toBe('inactive')
  const { ids } = await w.store.read((tx) => expiredTokenSweep.find(tx, w.clock.now, 10))
  expect(ids).toEqual([])
  expect((await session['agents.enable']({ agent_id })).token).toStartWith('corkagent_')
})

test('an agent whose token has expired can be enabled before the sweep runs', async () => {
  const w = await world()
  const expiresAt = new Date(w.clock.now.getTime() + HOUR_MS).toISOString()
  const parent = await createKey(w, w.ada, { expires_at: expiresAt })
  const { agent_id } = await create(w, parent, '/api/v1/agents', {
    ...{ name: 'Scout', team_id: w.team_id },
  })
  w.clock.advance(HOUR_MS)
  const session = await w.authenticateAs(w.ada.caller.actor_id, 'session')
  expect((await session['agents.enable']({ agent_id })).token).toStartWith('corkagent_')
})

test('an agent token created with a narrow key stays narrow when the agent gets more scopes', async () => {
  const w = await world()
  const { team_id } = w
  const scopes = ['agents:manage', 'teams:read', 'tasks:read']
  const parent = await createKey(w, w.ada, { scopes })
  const created = await create(w, parent, '/api/v1/agents', { name: 'Scout', team_id })
  const { agent_id } = created
  const session = await asSession(w, w.ada)
  await session['agents.update']({ agent_id, scopes: ['tasks:read', 'tasks:write'] })
  const comment = (secret: string) =>
    w.http({ secret }, 'POST', `/api/v1/tasks/${w.tasks.logo.task_id}/comments`, { text: 'Hi' })
  expect((await comment(created.token)).status).toBe(403)
  const { token } = await session['agents.rotate']({ agent_id })
  expect((await comment(token!)).status).toBe(201)
})

test('a credential revoked during a request cannot create keys or calendar feeds', async () => {
  const w = await world()
  const parent = await createKey(w, w.ada)
  const caller = { ...w.ada.caller, credential: `key:${parent.api_key_id}` }
  const revokedActor = w.toActor({ caller, secret: parent.secret })
  await w.ada['api_keys.revoke']({ api_key_id: parent.api_key_id })
  const fault = await faultOf(revokedActor['api_keys.create']({ name: 'late' }))
  expect(fault.code).toBe('unauthenticated')
  expect((await faultOf(revokedActor['calendar_feeds.create']({}))).code).toBe('unauthenticated')
})

test('rotating an agent token revokes the old one and leaves the agent active', async () => {
  const w = await world()
  const { agent_id } = w.bot.caller as { agent_id: string }
  const { token } = await w.ben['agents.rotate']({ agent_id })
  expect(await statusOf(w, w.bot.secret)).toBe(401)
  expect(await statusOf(w, token!)).toBe(200)
  expect((await w.ben['agents.get']({ agent_id })).state).toBe('active')
})

test('removing an admin from a team revokes the tokens they created for agents of others', async () => {
  const w = await world()
  const { agent_id } = w.bot.caller as { agent_id: string }
  const session = await asSession(w, w.ben)
  const { token } = await session['agents.rotate']({ agent_id })
  expect(await statusOf(w, token!)).toBe(200)
  await w.ada['teams.remove_member']({ team_id: w.team_id, user_id: w.ben.caller.actor_id })
  expect(await statusOf(w, token!)).toBe(401)
  expect((await w.cleo['agents.get']({ agent_id })).state).toBe('inactive')
})

const depsOf = (w: World) => ({
  ...{ store: w.store, clock: w.clock.read, key: w.key },
  server: createServer({ config: w.config, key: w.key }),
})

test('deactivating a person revokes all their credentials, and reactivating restores none', async () => {
  const w = await world()
  const deps = depsOf(w)
  const session = await asSession(w, w.cleo)
  const { key } = await session['api_keys.create']({ name: 'laptop' })
  const { url } = await session['calendar_feeds.create']({})
  const { token } = await (await asSession(w, w.ben))['agents.rotate']({
    agent_id: w.bot.caller.agent_id!,
  })
  const result = await deactivate(deps, 'cleo@example.com')
  expect(result.sessions).toBe(1)
  for (const secret of [key, w.cleo.secret, token!]) expect(await statusOf(w, secret)).toBe(401)
  expect((await w.http(undefined, 'GET', new URL(url).pathname)).status).toBe(404)
  const agent = { agent_id: w.bot.caller.agent_id! }
  expect((await w.ben['agents.get'](agent)).state).toBe('inactive')
  await reactivate(deps, 'cleo@example.com')
  expect(await statusOf(w, key)).toBe(401)
  const again = await w.authenticateAs(w.cleo.caller.actor_id)
  expect(await statusOf(w, again.secret)).toBe(200)
  await expect(deactivate(deps, 'ada@example.com')).rejects.toThrow('only owner of Harbour')
})

test('the operator revokes a key together with a key created with it', async () => {
  const w = await world()
  const parent = await createKey(w, w.ada)
  const child = await create(w, parent, '/api/v1/api-keys', { name: 'child' })
  expect(await revokeToken(depsOf(w), parent.api_key_id)).toMatchObject({ with_it: 1 })
  expect(await statusOf(w, child.key)).toBe(401)
})

test('revoking a key also marks the row of a key created with it as revoked', async () => {
  const w = await world()
  const parent = await createKey(w, w.ada)
  const child = await create(w, parent, '/api/v1/api-keys', { name: 'child' })
  await w.ada['api_keys.revoke']({ api_key_id: parent.api_key_id })
  // Authentication reads one row, so the row of the child must say that its parent was revoked.
  const [row] = await w.store.read((tx) =>
    tx
      .select()
      .from(credentials)
      .where(eq(credentials.hash, hashOf(child.key))),
  )
  expect(row).toMatchObject({ parent_id: parent.api_key_id, revoked_at: w.clock.now })
})

test('the migration adds projects:instruct to people’s keys with projects:write, not to agents', async () => {
  const w = await world()
  const actorId = w.ada.caller.actor_id
  const writer = await w.authenticateAs(actorId, 'key', ['projects:read', 'projects:write'])
  const reader = await w.authenticateAs(actorId, 'key', ['projects:read'])
  const agentCredential = await w.authenticateAs(w.bot.caller.actor_id, 'agent', ['projects:write'])
  const { statements } = migrationsOf(dialect).find(({ name }) =>
    name.endsWith('credentials_tree'),
  )!
  const updates = statements.filter((one) => one.trim().startsWith('UPDATE'))
  expect(updates).toHaveLength(3)
  await w.store.write(async (tx) => {
    const raw = tx as unknown as Record<'run' | 'execute', (query: SQL) => Promise<unknown>>
    for (const statement of updates)
      await raw[dialect === 'sqlite' ? 'run' : 'execute'](sql.raw(statement))
  })
  const rows = await w.store.read((tx) => tx.select().from(credentials))
  const row = ({ secret }: { secret: string }) => rows.find((one) => one.hash === hashOf(secret))!
  expect(row(writer).scopes).toEqual(['projects:read', 'projects:write', 'projects:instruct'])
  expect(row(reader).scopes).toEqual(['projects:read'])
  expect(row(agentCredential).scopes).toEqual(['projects:write'])
  expect(row(w.ada).scopes).toBeNull()
  // A key counts as minted by its holder, an agent token by the owner of the agent.
  expect(row(writer).minted_by).toBe(actorId)
  expect(row(agentCredential).minted_by).toBe(w.cleo.caller.actor_id)
})
