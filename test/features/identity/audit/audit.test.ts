import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  addUser,
  createAgentToken,
  joinTeamAs,
  resolveAgent,
  revokeToken,
} from '../../../../src/features/identity/accounts/model/index.ts'
import { noteFailedSignIn } from '../../../../src/features/identity/audit/model/index.ts'
import { people } from '../../../../src/features/identity/people/model/index.ts'
import { createServer } from '../../../../src/server/app.ts'
import { audit } from '../../../../src/store/tables.ts'
import { browserClient } from '../../../support/browser-client.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const entries = async (w: World, actor: Actor = w.ben) =>
  (await actor['audit.list']({ team_id: w.team_id })).items.toReversed()

const ownEntries = async (actor: Actor) => (await actor['audit.own']({})).items.toReversed()

const types = (items: { type: string }[]) => items.map(({ type }) => type)

/** Deletes the audit entries that the creation of the world wrote. */
async function withoutAudit(w: World) {
  await w.store.write((tx) => tx.delete(audit))
  return w
}

test('changes to an agent are audited with actor, credential and changed values', async () => {
  const w = await withoutAudit(await world())
  const { agent_id } = await w.cleo['agents.create']({ name: 'Scout', team_id: w.team_id })
  await w.ben['agents.update']({ agent_id, scopes: ['tasks:read'] })
  await w.ben['agents.rotate']({ agent_id })
  await w.cleo['agents.delete']({ agent_id })
  const logged = await entries(w)
  expect(types(logged)).toEqual([
    'agent.created',
    'agent.updated',
    'agent.rotated',
    'agent.deleted',
  ])
  expect(logged[1]).toMatchObject({
    created_at: '2026-11-20T12:00:00.000Z',
    team_id: w.team_id,
    actor: { kind: 'person', user_id: w.ben.caller.actor_id, name: 'Ben' },
    credential: w.ben.caller.credential,
    on: { kind: 'agent', agent_id, name: 'Scout' },
    changed: { scopes: { after: ['tasks:read'] } },
  })
  expect(logged[3]!.changed).toEqual({ state: { before: 'active', after: 'deleted' } })
  // The owner’s own audit log includes what others did with the agent.
  expect(types(await ownEntries(w.cleo))).toEqual(types(logged))
  expect(await ownEntries(w.ben)).toEqual([])
})

test('changes of rules and of the webhooks of boards are audited, without the path of a webhook', async () => {
  const w = await withoutAudit(await world())
  const { project_id } = w.board
  const { rule_id, sentence } = await w.ada['rules.create']({
    ...{ project_id, when: { event: 'overdue' }, actions: [{ do: 'comment', text: 'Late' }] },
  } as never)
  await w.ada['rules.update']({ rule_id, enabled: false })
  await w.ada['rules.delete']({ rule_id })
  const hook = { project_id, url: 'https://hooks.example/secret-path', events: ['task.created'] }
  const { webhook_id } = await w.ada['board_webhooks.create'](hook as never)
  await w.ada['board_webhooks.delete']({ project_id, webhook_id })
  const logged = await entries(w, w.ada)
  expect(logged.map(({ type, details }) => [type, details.sentence ?? details.host])).toEqual([
    ['rule.created', sentence],
    ['rule.updated', sentence],
    ['rule.deleted', sentence],
    ['board_webhook.created', 'hooks.example'],
    ['board_webhook.deleted', 'hooks.example'],
  ])
  expect(JSON.stringify(logged)).not.toContain('secret-path')
})

test('keys and tokens are audited for their owner and team admins, without any secret', async () => {
  const w = await withoutAudit(await world())
  const { api_key_id, key, prefix } = await w.cleo['api_keys.create']({
    ...{ name: 'laptop', scopes: ['tasks:read'] },
  })
  const { token } = await w.cleo['access_tokens.create']({ name: 'editor' })
  await w.cleo['api_keys.revoke']({ api_key_id })
  await w.otto['api_keys.create']({ name: 'elsewhere' })
  const logged = await entries(w)
  expect(types(logged)).toEqual(['credential.created', 'credential.created', 'credential.revoked'])
  expect(logged[0]).toMatchObject({
    actor: { name: 'Cleo' },
    on: null,
    details: { kind: 'key', name: 'laptop', scopes: ['tasks:read'], expires_at: null },
  })
  expect(types(await ownEntries(w.cleo))).toEqual(types(logged))
  const all = JSON.stringify(await w.store.read((tx) => tx.select().from(audit)))
  for (const secret of [key, token, prefix, prefix.slice(5)]) expect(all).not.toContain(secret)
})

test('role changes, board members, invitations and removals are audited', async () => {
  const w = await withoutAudit(await world())
  const { team_id } = w
  const user_id = w.gus.caller.actor_id
  await w.ada['teams.set_role']({ team_id, user_id, role: 'member' })
  await w.ada['projects.invite_member']({
    ...{ project_id: w.board.project_id, member_identifier: user_id },
  })
  await w.ada['invitations.create']({ team_id, email: 'x@example.com', role: 'admin' })
  await w.ada['teams.remove_member']({ team_id, user_id })
  const logged = await entries(w)
  expect(
    logged.map(({ type, on, changed, details, project_id }) => ({
      ...{ type, on: on?.name, changed, role: details.role, project_id },
    })),
  ).toEqual([
    {
      ...{ type: 'member.updated', on: 'Gus', role: undefined, project_id: null },
      changed: { role: { before: 'guest', after: 'member' } },
    },
    {
      ...{ type: 'project.member_added', on: 'Gus', role: undefined },
      ...{ project_id: w.board.project_id, changed: {} },
    },
    {
      ...{ type: 'invitation.created', on: undefined, role: 'admin' },
      ...{ project_id: null, changed: {} },
    },
    {
      ...{ type: 'member.removed', on: 'Gus', role: undefined, project_id: null },
      changed: { role: { before: 'member', after: null } },
    },
  ])
})

test('changes by the server operator are audited with the credential "operator"', async () => {
  const w = await withoutAudit(await world())
  const server = createServer({ config: w.config, key: w.key })
  const setup = { store: w.store, clock: w.clock.read, server, key: w.key }
  const { user_id } = await addUser(setup, {
    ...{ email: 'nia@example.com', name: 'Nia', team: 'Harbour', role: 'member' },
  })
  const { credential_id } = await createAgentToken(setup, 'Bot', 'spare')
  await revokeToken(setup, credential_id)
  await joinTeamAs(setup, 'otto@example.com', 'Harbour', 'guest')
  const logged = await entries(w)
  expect(types(logged)).toEqual([
    ...['person.created', 'member.added', 'credential.created', 'credential.created'],
    ...['agent.token_created', 'agent.token_revoked', 'member.added'],
  ])
  expect(logged.map(({ credential }) => credential)).toEqual(logged.map(() => 'operator'))
  expect(logged[1]!.on).toMatchObject({ user_id, name: 'Nia' })
  expect(logged[4]).toMatchObject({
    actor: { name: 'Cleo' },
    on: { kind: 'agent', name: 'Bot' },
    details: { credential_id, token_name: 'spare' },
  })
  expect((await w.store.read((tx) => resolveAgent(tx, 'Bot'))).state).toBe('active')
})

test('webhook changes are audited without secrets, also for the owner of the agent', async () => {
  const w = await withoutAudit(await world())
  const configuration = {
    agent_id: 'self',
    url: 'https://example.com/hook',
    events: ['task.assigned'],
  }
  const { secret } = await w.bot['webhooks.configure'](configuration as never)
  await w.bot['webhooks.rotate']({ agent_id: 'self' })
  const logged = await ownEntries(w.cleo)
  expect(types(logged)).toEqual(['webhook.configured', 'webhook.rotated'])
  expect(logged[0]).toMatchObject({
    actor: { kind: 'agent', name: 'Bot' },
    credential: w.bot.caller.credential,
    on: { kind: 'agent', name: 'Bot' },
  })
  expect(JSON.stringify(await entries(w))).not.toContain(secret!)
})

test('the audit log of a team is paged newest first and readable only by its admins', async () => {
  const w = await withoutAudit(await world())
  const { team_id } = w
  for (let i = 1; i <= 5; i++) {
    w.clock.advance(1000)
    await w.cleo['api_keys.create']({ name: `key ${i}` })
  }
  const first = await w.ada['audit.list']({ team_id, limit: 3 })
  const cursor = first.page.next_cursor!
  const rest = await w.ada['audit.list']({ team_id, limit: 3, cursor })
  const names = [...first.items, ...rest.items].map(({ details }) => details.name)
  expect(names).toEqual([5, 4, 3, 2, 1].map((i) => `key ${i}`))
  expect(rest.page).toMatchObject({ has_more: false, total: 5 })
  const found = await w.ada['audit.list']({ team_id, query: 'credential.' })
  expect(found.items).toHaveLength(5)
  expect((await w.ada['audit.list']({ team_id, query: 'agent' })).items).toEqual([])
  for (const actor of [w.cleo, w.gus, w.bot])
    expect((await w.http(actor, 'GET', `/api/v1/teams/${team_id}/audit`)).status).toBe(403)
  expect((await faultOf(w.otto['audit.list']({ team_id }))).code).toBe('not_found')
  expect((await w.http(w.bot, 'GET', '/api/v1/audit')).status).toBe(403)
})

test('only changes of access are copied to the audit log', async () => {
  const w = await withoutAudit(await world())
  await w.ada['tasks.create']({ project_id: w.board.project_id, title: 'Another' })
  await w.ada['comments.add']({ task_id: w.tasks.logo.task_id, text: 'Well done.' })
  await w.bot['user_context.update_profile']({ avatar: 'https://example.com/bot.png' })
  expect(await w.store.read((tx) => tx.select().from(audit))).toEqual([])
  await w.cleo['agents.deactivate']({ agent_id: w.bot.caller.agent_id! })
  const [entry, ...rest] = await w.store.read((tx) => tx.select().from(audit))
  const log = await w.changes()
  expect(rest).toEqual([])
  expect(log.at(-1)).toMatchObject({ type: entry!.type, data: entry!.data, team_id: w.team_id })
})

test('a refused or rolled back change writes no audit entry', async () => {
  const w = await withoutAudit(await world())
  const { team_id } = w
  await faultOf(w.ada['agents.create']({ name: 'bot', team_id }))
  await faultOf(w.cleo['teams.set_role']({ ...{ team_id, user_id: 1 }, role: 'owner' }))
  const write = w.store.write(async (tx) => {
    await w.store.append(tx, w.ada.caller, w.clock.now, [
      { type: 'member.added', place: { team_id }, data: { user_id: 1 } },
    ])
    throw new Error('no')
  })
  await expect(write).rejects.toThrow('no')
  expect(await w.store.read((tx) => tx.select().from(audit))).toEqual([])
})

test('the audit log is filtered by user_id, since and until', async () => {
  const w = await withoutAudit(await world())
  await w.ben['api_keys.create']({ name: 'before' })
  w.clock.advance(60_000)
  await w.cleo['api_keys.create']({ name: 'after' })
  const { team_id } = w
  const names = async (overrides: object) =>
    (await w.ben['audit.list']({ team_id, ...overrides })).items.map(({ details }) => details.name)
  expect(await names({})).toEqual(['after', 'before'])
  expect(await names({ user_id: w.ben.caller.actor_id })).toEqual(['before'])
  const between = '2026-11-20T12:00:30Z'
  expect(await names({ since: between })).toEqual(['after'])
  expect(await names({ until: between })).toEqual(['before'])
  expect(await names({ since: '2026-11-20', until: '2026-11-21' })).toEqual(['after', 'before'])
  expect((await w.cleo['audit.own']({ until: between })).items).toEqual([])
  const fault = await faultOf(w.ben['audit.list']({ team_id, since: 'yesterday' }))
  expect(fault).toMatchObject({ code: 'invalid', details: { field: 'since' } })
})

const PASSWORD = 'correct horse battery'

async function setPassword(w: World, actor: Actor) {
  const password_hash = await Bun.password.hash(PASSWORD, {
    ...{ algorithm: 'argon2id' as const, memoryCost: 8, timeCost: 1 },
  })
  const isPerson = eq(people.actor_id, actor.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isPerson))
}

test('sign-in and sign-out are audited with the address, for the person and team admins', async () => {
  const w = await withoutAudit(await world())
  await setPassword(w, w.cleo)
  const browser = browserClient(w.app)
  await browser.post('/sign-in', { email: 'cleo@example.com', password: PASSWORD })
  await browser.post('/sign-out', {})
  const logged = await entries(w)
  expect(types(logged)).toEqual(['session.opened', 'session.closed'])
  for (const entry of logged) {
    expect(entry).toMatchObject({ actor: { name: 'Cleo' }, address: 'local' })
    expect(entry.credential).toStartWith('session:')
  }
  expect(types(await ownEntries(w.cleo))).toEqual(types(logged))
  expect((await w.otto['audit.list']({ team_id: w.otherTeamId })).items).toEqual([])
})

test('failed sign-ins are counted in one audit entry per account and hour', async () => {
  const w = await withoutAudit(await world())
  const { store, clock } = w
  const { actor_id, teams } = w.cleo.caller
  const recordFailure = (address: string) =>
    store.write((tx) => noteFailedSignIn(tx, { actor_id, teams, address }, clock.now))
  for (let i = 0; i < 300; i++) await recordFailure(`192.0.2.${i % 50}`)
  const [entry, ...rest] = await entries(w)
  expect(rest).toEqual([])
  expect(entry).toMatchObject({ type: 'session.refused', address: '192.0.2.49' })
  expect(entry!.details).toMatchObject({ attempts: 300 })
  expect(entry!.details.addresses).toHaveLength(10)
  const rows = await store.read((tx) => tx.select().from(audit))
  expect(rows).toHaveLength(2)
  clock.advance(60 * 60 * 1000)
  await recordFailure('192.0.2.1')
  expect(await entries(w)).toHaveLength(2)
})

test('a wrong password is audited for an existing account, but not for an unknown one', async () => {
  const w = await withoutAudit(await world())
  await setPassword(w, w.cleo)
  const browser = browserClient(w.app)
  for (const email of ['cleo@example.com', 'nobody@example.com', 'Cleo@example.com '])
    await browser.post('/sign-in', { email, password: 'a wrong password' })
  const logged = await entries(w)
  expect(types(logged)).toEqual(['session.refused'])
  expect(logged[0]!.details).toMatchObject({ attempts: 2, addresses: ['local'] })
})

test('changed board instructions and skills are audited, personal skills are not', async () => {
  const w = await withoutAudit(await world())
  const { project_id } = w.board
  const path = `/api/v1/projects/${project_id}/instructions`
  await w.http(w.cleo, 'PUT', path, { custom_instruction: 'Obey' })
  await w.cleo['skills.create']({ scope: 'project', project_id, name: 'Obey', body: 'Obey' })
  await w.cleo['skills.create']({ name: 'Mine', body: 'Only mine' })
  const logged = await entries(w)
  expect(types(logged)).toEqual(['instructions.updated', 'skill.created'])
  expect(logged[0]).toMatchObject({ project_id, address: 'local', details: { version: 1 } })
})

test('since and until accept dates and timestamps, and refuse numbers and impossible dates', async () => {
  const w = await world()
  const listAudit = (overrides: string) => w.http(w.ada, 'GET', `/api/v1/audit?${overrides}`)
  for (const since of ['2026-01-31', '2026-01-31T09:30:00Z'])
    expect((await listAudit(`since=${since}`)).status).toBe(200)
  for (const query of ['since=0.5', 'until=7', 'since=2026-02-30']) {
    const { status, body } = await listAudit(query)
    expect({ status, code: body.details.code }).toEqual({ status: 400, code: 'invalid_format' })
  }
})
