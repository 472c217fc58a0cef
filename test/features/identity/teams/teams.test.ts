import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

test('callers list the teams they belong to, with their role', async () => {
  const { ada, gus, otto, bot, team_id, otherTeamId } = await world({ hasBoard: false })
  const ids = async (actor: typeof ada) =>
    (await actor['teams.list']({})).items.map(({ team_id: id, role }) => [id, role])
  expect(await ids(ada)).toEqual([[team_id, 'owner']])
  expect(await ids(gus)).toEqual([[team_id, 'guest']])
  expect(await ids(otto)).toEqual([[otherTeamId, 'owner']])
  expect(await ids(bot)).toEqual([[team_id, 'member']])
})

test('a team is addressed by its number and by its UUID in either case', async () => {
  const { ada, gus, http, team_id } = await world({ hasBoard: false })
  const team = await gus['teams.get']({ team_id })
  expect(team).toMatchObject({
    name: 'Harbour',
    role: 'guest',
    created_at: '2026-11-20T12:00:00.000Z',
  })
  expect(await gus['teams.get']({ team_id: team.team_uuid })).toEqual(team)
  const { body } = await http(ada, 'GET', `/api/v1/teams/${team.team_uuid.toUpperCase()}`)
  expect(body.data.team_id).toBe(team_id)
})

test('every request to another team responds 404 and does not reveal its name', async () => {
  const { otto, ada, http, team_id, changeTypes, otherTeamId } = await world({ hasBoard: false })
  const { team_uuid } = await ada['teams.get']({ team_id })
  for (const ref of [team_id, team_uuid, 999_999, 'nonsense']) {
    const reply = await http(otto, 'GET', `/api/v1/teams/${ref}`)
    expect([reply.status, reply.body.error]).toEqual([404, 'Not found'])
    expect(reply.text).not.toContain('Harbour')
  }
  expect((await http(otto, 'PATCH', `/api/v1/teams/${team_id}`, { name: 'Mine' })).status).toBe(404)
  expect((await http(otto, 'DELETE', `/api/v1/teams/${team_id}/members/1`)).status).toBe(404)
  expect((await http(otto, 'GET', `/api/v1/teams/${team_id}/members`)).status).toBe(404)
  expect((await http(ada, 'GET', `/api/v1/teams/${otherTeamId}/invitations`)).status).toBe(404)
  expect(await changeTypes()).toEqual([])
})

test('the creator of a team becomes its owner', async () => {
  const { ben, http, changes } = await world({ hasBoard: false })
  const { status, body } = await http(ben, 'POST', '/api/v1/teams', { name: '  Light  house ' })
  expect(status).toBe(201)
  expect(body.data.name).toBe('Light  house')
  const { body: team } = await http(ben, 'GET', `/api/v1/teams/${body.data.team_uuid}`)
  expect(team.data.role).toBe('owner')
  expect(await changes()).toMatchObject([
    { type: 'team.created', team_id: body.data.team_id, actor_id: ben.caller.actor_id },
  ])
})

test('members, guests and agents can neither create nor rename a team', async () => {
  const { cleo, gus, bot, team_id, changeTypes } = await world({ hasBoard: false })
  for (const actor of [cleo, gus, bot]) {
    expect((await faultOf(actor['teams.create']({ name: 'Own' }))).code).toBe('forbidden')
    expect((await faultOf(actor['teams.rename']({ team_id, name: 'Port' }))).code).toBe('forbidden')
  }
  expect(await changeTypes()).toEqual([])
})

test('an admin can rename the team', async () => {
  const { ben, ada, team_id, changes } = await world({ hasBoard: false })
  const { name } = await ben['teams.rename']({ team_id, name: 'Port' })
  expect(name).toBe('Port')
  expect((await ada['teams.get']({ team_id })).name).toBe('Port')
  const [change] = await changes()
  expect(change).toMatchObject({ type: 'team.renamed', data: { name: 'Port', was: 'Harbour' } })
})

for (const [name, code] of [
  ['', 'required'],
  ['   ', 'invalid_format'],
  ['x'.repeat(201), 'too_long'],
  [7, 'invalid_type'],
] as const)
  test(`the team name ${JSON.stringify(name).slice(0, 12)} is refused with 400`, async () => {
    const { ada, http, team_id, changeTypes } = await world({ hasBoard: false })
    for (const [method, path] of [
      ['POST', '/api/v1/teams'],
      ['PATCH', `/api/v1/teams/${team_id}`],
    ] as const) {
      const { status, body } = await http(ada, method, path, { name })
      expect([status, body.details.field, body.details.code]).toEqual([400, 'name', code])
    }
    expect(await changeTypes()).toEqual([])
  })
