import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const agentPath = (id: string | undefined, action = '') =>
  `/api/v1/agents/${id}${action && `/${action}`}`

/** Returns whether a request with this token is accepted, or its status and message. */
const checkToken = async (w: World, token: string | undefined) => {
  const { status, body } = await w.http({ secret: token! }, 'GET', '/api/v1/user/context')
  return status === 200 ? 'let in' : `${status} ${body.message}`
}

const idOf = (agent: Actor) => ({ agent_id: agent.caller.agent_id! })

test('rotating returns a new token once and revokes the old one immediately', async () => {
  const w = await world()
  const { status, body } = await w.http(
    w.cleo,
    'POST',
    agentPath(w.bot.caller.agent_id, 'rotate'),
    {},
  )
  expect(status).toBe(200)
  const { token, client_configuration, hasMcpToken } = body.data
  expect(client_configuration.headers.Authorization).toBe(`Bearer ${token}`)
  expect(hasMcpToken).toBe(true)
  expect(await checkToken(w, token)).toBe('let in')
  expect(await checkToken(w, w.bot.secret)).toBe('401 This credential was revoked')
  const [change] = await w.changes()
  expect(change).toMatchObject({ type: 'agent.rotated', data: { name: 'Bot', ...idOf(w.bot) } })
  expect(JSON.stringify(await w.changes())).not.toContain(token)
  expect((await w.http(w.cleo, 'GET', agentPath(w.bot.caller.agent_id))).text).not.toContain(token)
})

test('a deactivated agent is refused until it is enabled, then its token works again', async () => {
  const w = await world()
  const agent = idOf(w.bot)
  expect((await w.cleo['agents.deactivate'](agent)).state).toBe('inactive')
  expect(await checkToken(w, w.bot.secret)).toBe(
    '401 This credential belongs to an agent that is inactive',
  )
  expect((await w.cleo['agents.deactivate'](agent)).state).toBe('inactive')
  const enabled = await w.cleo['agents.enable'](agent)
  expect(enabled).toMatchObject({ state: 'active', hasMcpToken: true })
  expect(enabled).not.toHaveProperty('token')
  expect(await checkToken(w, w.bot.secret)).toBe('let in')
  expect(await w.cleo['agents.enable'](agent)).toMatchObject({ state: 'active' })
  expect(await w.changeTypes()).toEqual(['agent.deactivated', 'agent.enabled'])
})

test('enabling an agent without a token creates a new one, and the old ones stay revoked', async () => {
  const w = await world()
  const agent = idOf(w.bot)
  expect(await w.ben['agents.revoke'](agent)).toMatchObject({ state: 'inactive', revoked: 1 })
  expect(await w.ben['agents.revoke'](agent)).toMatchObject({ state: 'inactive', revoked: 0 })
  expect(await w.cleo['agents.get'](agent)).toMatchObject({ state: 'inactive', hasMcpToken: false })
  const { token, client_configuration, hasMcpToken } = await w.cleo['agents.enable'](agent)
  expect(hasMcpToken).toBe(true)
  expect(client_configuration).toEqual({
    type: 'http',
    url: 'http://localhost/mcp',
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(await checkToken(w, token)).toBe('let in')
  expect(await checkToken(w, w.bot.secret)).toBe('401 This credential was revoked')
  expect(await w.changeTypes()).toEqual(['agent.revoked', 'agent.enabled'])
})

test('an archived agent is refused and not listed, and its name becomes available', async () => {
  const w = await world()
  const { team_id } = w
  const agent = idOf(w.bot)
  expect((await w.cleo['agents.archive'](agent)).state).toBe('archived')
  expect((await w.cleo['agents.archive'](agent)).state).toBe('archived')
  expect(await checkToken(w, w.bot.secret)).toContain('belongs to an agent that is archived')
  expect((await w.ada['agents.list']({ team_id })).items).toEqual([])
  const { items } = await w.ada['agents.list']({ team_id, state: 'archived' })
  expect(items).toMatchObject([{ name: 'Bot', state: 'archived', hasMcpToken: false }])
  for (const call of [
    () => w.cleo['agents.rotate'](agent),
    () => w.cleo['agents.update']({ ...agent, name: 'Other' }),
    () => w.cleo['agents.deactivate'](agent),
  ])
    expect((await faultOf(call())).code).toBe('conflict')
  const other = await w.ben['agents.create']({ name: 'bot', team_id })
  expect((await faultOf(w.cleo['agents.enable'](agent))).message).toContain(
    'already has an agent named bot',
  )
  await w.ben['agents.delete']({ agent_id: other.agent_id })
  expect((await w.cleo['agents.enable'](agent)).token).toBeString()
  const expectedTypes = ['agent.archived', 'agent.created', 'agent.deleted', 'agent.enabled']
  expect(await w.changeTypes()).toEqual(expectedTypes)
})

test('deleting an agent is final and unassigns open tasks, but its comments keep its name', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  const agent = idOf(w.bot)
  await w.bot['comments.add']({ task_id, text: 'Half of it is there.' })
  await w.cleo['tasks.assign']({ task_id, ...agent })
  await w.cleo['tasks.assign']({ task_id: w.tasks.domain.task_id, ...agent })
  await claimTask(w.bot, w.tasks.copy)
  const { project_id } = w.board
  const column = { project_id, section_id: w.sections.Next }
  await w.cleo['sections.update']({ ...column, auto_assign: agent.agent_id })
  const deleted = await w.cleo['agents.delete'](agent)
  expect(deleted).toEqual({ ...agent, name: 'Bot', state: 'deleted', unassigned_tasks: 1 })

  expect(await checkToken(w, w.bot.secret)).toContain('belongs to an agent that was deleted')
  for (const name of ['get', 'enable', 'delete', 'rotate', 'archive'] as const)
    expect((await faultOf(w.cleo[`agents.${name}`](agent))).code).toBe('not_found')
  const [comment] = (await w.ada['comments.list']({ task_id })).items
  expect(comment).toMatchObject({ author: { kind: 'agent', ...agent, name: 'Bot' } })
  expect(await w.ada['tasks.get']({ task_id })).toMatchObject({ assignees: [] })
  const done = await w.ada['tasks.get']({ task_id: w.tasks.domain.task_id })
  expect(done).toMatchObject({ assignees: [{ name: 'Bot' }] })
  expect((await w.ada['leases.get']({ task_id })).lease).toBeNull()
  expect((await w.ada['sections.get'](column)).section.auto_assign).toBeNull()
  const members = await w.ada['teams.members']({ team_id: w.team_id, kind: 'agent' })
  expect(members.items).toEqual([])
  const inbox = w.http(w.cleo, 'GET', `/api/v1/notifications?agent_id=${agent.agent_id}`)
  expect((await inbox).status).toBe(404)
  expect((await w.ada['agents.create']({ name: 'Bot', team_id: w.team_id })).name).toBe('Bot')
  expect((await w.changeTypes()).slice(-5)).toEqual([
    ...['task.unassigned', 'lease.released', 'section.updated'],
    ...['agent.deleted', 'agent.created'],
  ])
})

test('deactivating, revoking or archiving an agent releases its lease', async () => {
  for (const stop of ['deactivate', 'revoke', 'archive'] as const) {
    const w = await world()
    const { task_id } = w.tasks.logo
    await claimTask(w.bot, w.tasks.logo)
    await w.cleo[`agents.${stop}`](idOf(w.bot))
    expect((await w.ada['leases.get']({ task_id })).lease).toBeNull()
    expect((await w.ada['leases.claim']({ task_id })).fencing_token).toBe(2)
  }
})

test('changed scopes and boards of an agent apply from its next request', async () => {
  const w = await world()
  const agent = idOf(w.bot)
  const { project_id } = w.board
  const getSections = () => w.http(w.bot, 'GET', `/api/v1/projects/${project_id}/sections`)
  expect((await getSections()).status).toBe(200)
  const scopes = ['projects:read' as const]
  const updated = await w.cleo['agents.update']({ ...agent, name: ' Reader ', scopes })
  expect(updated).toMatchObject({ name: 'Reader', scopes, changed: ['name', 'scopes'] })
  expect((await getSections()).status).toBe(200)
  const write = await w.http(w.bot, 'POST', '/api/v1/tasks', { project_id, title: 'No' })
  expect(write.status).toBe(403)
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Other', sections: [{ title: 'Open' }] },
  })
  await w.cleo['agents.update']({ ...agent, project_ids: [other.project_id] })
  expect((await getSections()).status).toBe(404)
  await w.cleo['agents.update']({ ...agent, project_ids: null })
  expect((await getSections()).status).toBe(200)
  expect((await w.cleo['agents.update']({ ...agent, scopes })).changed).toEqual([])
  const [first] = await w.changes()
  expect(first).toMatchObject({
    type: 'agent.updated',
    data: { changed: { name: { before: 'Bot', after: 'Reader' }, scopes: { after: scopes } } },
  })
  expect((await w.changeTypes()).filter((type) => type === 'agent.updated')).toHaveLength(3)
})

test('an agent cannot be given scopes or boards beyond those of the caller, or a taken name', async () => {
  const w = await world()
  const { team_id } = w
  const limited = await w.authenticateAs(w.cleo.caller.actor_id, 'key', [
    'agents:manage',
    'tasks:read',
  ])
  const agent = idOf(w.bot)
  await w.cleo['agents.update']({ ...agent, scopes: ['tasks:read', 'tasks:write'] })
  const widerScopes = ['tasks:read', 'tasks:write', 'projects:read'] as const
  const fault = await faultOf(limited['agents.update']({ ...agent, scopes: [...widerScopes] }))
  expect(fault.details).toMatchObject({ field: 'scopes', value: 'projects:read' })
  // Keeping scopes that the agent already has grants nothing, but a new token would.
  await limited['agents.update']({
    ...agent,
    name: 'Helper',
    scopes: ['tasks:write', 'tasks:read'],
  })
  expect((await faultOf(limited['agents.rotate'](agent))).code).toBe('forbidden')
  await w.cleo['agents.revoke'](agent)
  expect((await faultOf(limited['agents.enable'](agent))).code).toBe('forbidden')
  expect((await w.cleo['agents.get'](agent)).state).toBe('inactive')
  const closed = await w.otto['projects.create']({
    ...{ team_id: w.otherTeamId, title: 'Foreign', sections: [{ title: 'Open' }] },
  })
  const updateWithForeignBoard = w.cleo['agents.update']({
    ...agent,
    project_ids: [closed.project_id],
  })
  expect((await faultOf(updateWithForeignBoard)).details).toMatchObject({
    field: 'project_ids',
    code: 'not_found',
  })
  const existing = await w.ada['agents.create']({ name: 'Scout', team_id })
  const nameFault = await faultOf(w.cleo['agents.update']({ ...agent, name: ' SCOUT' }))
  expect(nameFault.details).toMatchObject({ field: 'name', agent_id: existing.agent_id })
})

test('only its owner and the team admins can manage an agent', async () => {
  const w = await world()
  const scout = await w.ben['agents.create']({ name: 'Scout', team_id: w.team_id })
  const startSeq = (await w.changes()).at(-1)!.seq
  const scoutCredential = { secret: scout.token! }
  const calls: [string, string, unknown][] = [
    ['PATCH', agentPath(scout.agent_id), { name: 'Mine' }],
    ['DELETE', agentPath(scout.agent_id), undefined],
    ...['rotate', 'deactivate', 'enable', 'archive', 'revoke'].map(
      (verb) => ['POST', agentPath(scout.agent_id, verb), {}] as [string, string, unknown],
    ),
  ]
  for (const [method, path, body] of calls) {
    for (const actor of [w.cleo, w.gus, w.bot, scoutCredential]) {
      const { status, body: responseBody } = await w.http(actor, method, path, body)
      expect([status, responseBody.error]).toEqual([403, 'Authentication failed'])
    }
    expect((await w.http(w.otto, method, path, body)).status).toBe(404)
    const self = path.replace(scout.agent_id, 'self')
    expect((await w.http(scoutCredential, method, self, body)).status).toBe(403)
  }
  expect(await w.changeTypes(startSeq)).toEqual([])
  expect((await w.http(w.ada, 'POST', agentPath(scout.agent_id, 'deactivate'), {})).status).toBe(
    200,
  )
})

test('a native agent has no token, and rotating it is refused', async () => {
  const w = await world()
  const { team_id } = w
  const created = await w.cleo['agents.create']({ name: 'Inner', team_id, kind: 'native' })
  expect(created).toMatchObject({ kind: 'native', state: 'active', hasMcpToken: false })
  expect(created).not.toHaveProperty('token')
  expect(created).not.toHaveProperty('client_configuration')
  const agent = { agent_id: created.agent_id.toUpperCase() }
  expect((await faultOf(w.cleo['agents.rotate'](agent))).message).toContain('has no token')
  expect(await w.cleo['agents.revoke'](agent)).toMatchObject({ state: 'inactive', revoked: 0 })
  expect(await w.cleo['agents.enable'](agent)).not.toHaveProperty('token')
  expect((await w.cleo['agents.get'](agent)).state).toBe('active')
})

test('agents.get returns owner, state and boards, and "self" is valid only for an agent', async () => {
  const w = await world()
  const profile = await w.bot['agents.get']({ agent_id: 'self' })
  expect(profile).toMatchObject({
    ...idOf(w.bot),
    ...{ name: 'Bot', team_id: w.team_id, owner_id: w.cleo.caller.actor_id, bot: true },
    ...{ kind: 'external', state: 'active', project_ids: null, hasMcpToken: true, present: true },
  })
  expect((await faultOf(w.cleo['agents.get']({ agent_id: 'self' }))).code).toBe('invalid')
  expect((await faultOf(w.otto['agents.get'](idOf(w.bot)))).code).toBe('not_found')
  expect((await faultOf(w.cleo['agents.get']({ agent_id: 'Bot' }))).code).toBe('not_found')
})

test('the boards of an agent are listed only if the reader can see them', async () => {
  const w = await world()
  const closed = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Closed', sections: [{ title: 'Open' }], access: 'invited' },
  })
  const project_ids = [w.board.project_id, closed.project_id]
  const { agent_id } = await w.ada['agents.create']({
    ...{ name: 'Scout', team_id: w.team_id, project_ids },
  })
  expect((await w.ben['agents.get']({ agent_id })).project_ids).toEqual(project_ids)
  expect((await w.cleo['agents.get']({ agent_id })).project_ids).toEqual([w.board.project_id])
})

test('of concurrent creations with one name, or deletions of one agent, only one succeeds', async () => {
  const w = await world()
  const { team_id } = w
  const outcomesOf = (calls: Promise<unknown>[]) =>
    Promise.all(calls.map((call) => call.then(() => 'done').catch(({ code }) => code)))
  const names = ['Twin', 'twin', ' TWIN '].map((name) => w.ada['agents.create']({ name, team_id }))
  expect((await outcomesOf(names)).sort()).toEqual(['conflict', 'conflict', 'done'])
  const agent = idOf(w.bot)
  const deletes = [w.ada, w.ben, w.cleo].map((actor) => actor['agents.delete'](agent))
  expect((await outcomesOf(deletes)).sort()).toEqual(['done', 'not_found', 'not_found'])
  expect((await w.changeTypes()).filter((type) => type.startsWith('agent.'))).toHaveLength(2)
})

test('rotating or enabling an agent whose owner left the team is refused', async () => {
  const w = await world()
  await w.cleo['agents.revoke'](idOf(w.bot))
  const otherAgent = await w.addAgent(w.team_id, w.cleo, 'Mate')
  await w.ada['teams.remove_member']({ team_id: w.team_id, user_id: w.cleo.caller.actor_id })
  for (const call of [
    () => w.ada['agents.rotate'](idOf(otherAgent)),
    () => w.ada['agents.enable'](idOf(w.bot)),
  ]) {
    const { code, message, hint } = await faultOf(call())
    expect([code, message]).toEqual(['conflict', expect.stringContaining('owner of')])
    expect(hint).toContain('Invite the owner again')
  }
  expect(await w.changeTypes()).not.toContain('agent.rotated')
  expect((await w.ada['agents.delete'](idOf(otherAgent))).state).toBe('deleted')
})
