import { expect, test } from 'bun:test'
import {
  DEFAULT_AGENT_SCOPES,
  joinTeam,
} from '../../../../src/features/identity/teams/model/index.ts'
import { createBoard } from '../../../support/board.ts'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('creating an agent returns its token and client configuration, and logs no token', async () => {
  const { ben, http, team_id, changes } = await world({ hasBoard: false })
  const { status, body } = await http(ben, 'POST', '/api/v1/agents', { name: ' Scout ', team_id })
  expect(status).toBe(201)
  const { token, agent_id, client_configuration } = body.data
  expect(body.data).toMatchObject({
    name: 'Scout',
    team_id,
    owner_id: ben.caller.actor_id,
    kind: 'external',
    state: 'active',
    scopes: DEFAULT_AGENT_SCOPES,
    project_ids: null,
    hasMcpToken: true,
    created_at: '2026-11-20T12:00:00.000Z',
  })
  expect(agent_id).toMatch(UUID)
  expect(client_configuration).toEqual({
    type: 'http',
    url: 'http://localhost/mcp',
    headers: { Authorization: `Bearer ${token}` },
  })
  const { body: profileResponse } = await http({ secret: token }, 'GET', '/api/v1/user/context')
  expect(profileResponse.data.profile).toMatchObject({
    kind: 'agent',
    agent_id,
    display_name: 'Scout',
  })
  const [change] = await changes()
  expect(change).toMatchObject({ type: 'agent.created', team_id, data: { agent_id } })
  expect(JSON.stringify(await changes())).not.toContain(token)
})

test('a retried creation is refused with 409 and does not return the token again', async () => {
  const { ben, http, team_id, changeTypes } = await world({ hasBoard: false })
  const input = { name: 'Scout', team_id }
  const key = { 'idempotency-key': 'once' }
  const first = await http(ben, 'POST', '/api/v1/agents', input, key)
  const again = await http(ben, 'POST', '/api/v1/agents', input, key)
  expect([first.status, again.status]).toEqual([201, 409])
  expect(again.text).not.toContain(first.body.data.token)
  expect(await changeTypes()).toEqual(['agent.created'])
})

test('an agent of a member can archive its own boards but no others', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Open')
  const { scopes, token } = await w.cleo['agents.create']({ name: 'Scout', team_id: w.team_id })
  const scout = { secret: token! }
  expect(scopes).toEqual([...DEFAULT_AGENT_SCOPES])
  const archive = (id: number) =>
    w.http(scout, 'POST', `/api/v1/projects/${id}/archive`, { status: 'Archive' })
  expect((await archive(project_id)).status).toBe(403)
  const creation = await w.http(scout, 'POST', '/api/v1/projects', {
    title: 'Scouting',
    team_id: w.team_id,
    sections: [{ title: 'To do' }],
  })
  expect((await archive(creation.body.data.project_id)).status).toBe(200)
})

test('an agent cannot have scopes beyond those of the credential that creates it', async () => {
  const { ada, authenticateAs, team_id, changeTypes } = await world({ hasBoard: false })
  const limited = await authenticateAs(ada.caller.actor_id, 'key', ['agents:manage', 'tasks:read'])
  expect((await limited['agents.create']({ name: 'Reader', team_id })).scopes).toEqual([
    'tasks:read',
  ])
  const scopes = ['tasks:read', 'tasks:write'] as const
  const creation = limited['agents.create']({ name: 'Writer', team_id, scopes: [...scopes] })
  expect((await faultOf(creation)).details).toMatchObject({ field: 'scopes', value: 'tasks:write' })
  expect(await changeTypes()).toEqual(['agent.created'])
})

test('scopes that are unknown, malformed or not allowed for agents are refused', async () => {
  const { ada, http, team_id, changeTypes } = await world({ hasBoard: false })
  for (const scopes of [
    ['agents:manage'],
    ['keys:manage'],
    ['everything'],
    [],
    'tasks:read',
    [1],
  ]) {
    const { status, body } = await http(ada, 'POST', '/api/v1/agents', {
      name: 'X',
      team_id,
      scopes,
    })
    expect([status, body.details.field.split('.')[0]]).toEqual([400, 'scopes'])
  }
  expect(await changeTypes()).toEqual([])
})

test('an agent is limited to its project_ids and scopes', async () => {
  const w = await world({ hasBoard: false })
  const open = await createBoard(w, 'Open')
  await createBoard(w, 'Other')
  const project_ids = [open.project_id]
  const input = {
    name: 'Scout',
    team_id: w.team_id,
    project_ids,
    scopes: ['projects:read' as const],
  }
  const scout = { secret: (await w.cleo['agents.create'](input)).token! }
  const { body } = await w.http(scout, 'GET', '/api/v1/projects')
  expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Open'])
  expect((await w.http(scout, 'GET', '/api/v1/teams')).status).toBe(403)
})

test('project_ids with hidden boards, boards of another team or unknown boards are refused', async () => {
  const w = await world({ hasBoard: false })
  const closed = await createBoard(w, 'Closed', { access: 'invited' })
  const foreign = await createBoard(w, 'Foreign', { team_id: w.otherTeamId })
  for (const id of [closed.project_id, foreign.project_id, 999]) {
    const input = { name: 'Scout', team_id: w.team_id, project_ids: [id] }
    const { code, details } = await faultOf(w.cleo['agents.create'](input))
    expect(code).toBe('invalid')
    expect(details).toEqual({ field: 'project_ids', code: 'not_found', value: id })
  }
  expect(await w.changeTypes()).toEqual([])
})

test('agent names are unique in a team, ignoring case and surrounding spaces', async () => {
  const { ada, otto, team_id, otherTeamId, changeTypes } = await world({ hasBoard: false })
  await ada['agents.create']({ name: 'Élise', team_id })
  for (const name of ['Élise', 'éLISE', '  élise ', 'bot']) {
    const { code, details } = await faultOf(ada['agents.create']({ name, team_id }))
    expect([code, details.field]).toEqual(['conflict', 'name'])
  }
  expect((await otto['agents.create']({ name: 'Bot', team_id: otherTeamId })).name).toBe('Bot')
  expect(await changeTypes()).toEqual(['agent.created', 'agent.created'])
})

test('creating an agent without permission is refused with 403 Authentication failed', async () => {
  const { ada, gus, bot, authenticateAs, http, team_id, changeTypes } = await world({
    hasBoard: false,
  })
  const limited = await authenticateAs(ada.caller.actor_id, 'key', ['tasks:read'])
  for (const actor of [gus, bot, limited]) {
    const { status, body } = await http(actor, 'POST', '/api/v1/agents', { name: 'X', team_id })
    expect([status, body.error]).toEqual([403, 'Authentication failed'])
    expect(body.data).toBeUndefined()
  }
  expect(await changeTypes()).toEqual([])
})

test('a guest of a team cannot create agents there, even as a member of another team', async () => {
  const { gus, authenticateAs, otherTeamId, team_id, store, clock } = await world({
    hasBoard: false,
  })
  const { actor_id } = gus.caller
  await store.write((tx) => joinTeam(tx, otherTeamId, actor_id, 'member', clock.now))
  const member = await authenticateAs(actor_id)
  expect((await faultOf(member['agents.create']({ name: 'X', team_id }))).code).toBe('not_manager')
  expect((await member['agents.create']({ name: 'X', team_id: otherTeamId })).state).toBe('active')
})

test('creating an agent with invalid input is refused with its field and code', async () => {
  const { ada, otto, http, team_id } = await world({ hasBoard: false })
  for (const [input, field, code] of [
    [{ team_id }, 'name', 'required'],
    [{ team_id, name: ' ' }, 'name', 'invalid_format'],
    [{ name: 'X' }, 'team_id', 'required'],
    [{ name: 'X', team_id, kind: 'robot' }, 'kind', 'out_of_range'],
    [{ name: 'X', team_id, project_ids: [] }, 'project_ids', 'required'],
    [{ name: 'X', team_id, token: 'mine' }, 'token', 'unknown_field'],
  ] as const) {
    const { status, body } = await http(ada, 'POST', '/api/v1/agents', input)
    expect([status, body.details.field, body.details.code]).toEqual([400, field, code])
  }
  expect((await http(otto, 'POST', '/api/v1/agents', { name: 'X', team_id })).status).toBe(404)
})

test('an agent cannot take the name of a person or another agent of its team', async () => {
  const { ada, bot, team_id } = await world()
  for (const name of ['Ben', ' ben ', 'ＢＥＮ', 'Be\u200Bn', 'bot'])
    expect((await faultOf(ada['agents.create']({ name, team_id }))).details).toMatchObject({
      ...{ field: 'name', code: 'conflict' },
    })
  const renamed = faultOf(bot['user_context.update_profile']({ display_name: 'Ada' }))
  expect((await renamed).details).toMatchObject({ field: 'display_name' })
  const { agent_id } = bot.caller as { agent_id: string }
  expect((await faultOf(ada['agents.update']({ agent_id, name: 'Gus' }))).code).toBe('conflict')
  // Otto belongs to another team.
  expect((await ada['agents.create']({ name: 'Otto', team_id })).name).toBe('Otto')
})
