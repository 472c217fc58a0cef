import { expect, test } from 'bun:test'
import type { Project } from '../../../../src/features/boards/projects/model/index.ts'
import {
  addToBoard,
  boardActors,
  findBoardActor,
} from '../../../../src/features/identity/members/model/index.ts'
import { joinTeam } from '../../../../src/features/identity/teams/model/index.ts'
import type { Context } from '../../../../src/kernel/caller.ts'
import { createBoard } from '../../../support/board.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const inviteToBoard = ({ store, clock }: World, project: Project, actor: Actor) =>
  store.write((tx) => addToBoard(tx, project, actor.caller.actor_id, clock.now))

const names = (list: { items: { name: string }[] }) => list.items.map(({ name }) => name)

test('a team lists its people with roles, and its agents with their owners', async () => {
  const { ada, cleo, team_id } = await world({ hasBoard: false })
  const { items, page } = await ada['teams.members']({ team_id })
  expect(items.map(({ name, role }) => [name, role])).toEqual([
    ['Ada', 'owner'],
    ['Ben', 'admin'],
    ['Bot', undefined],
    ['Cleo', 'member'],
    ['Gus', 'guest'],
  ])
  expect(items[0]!.email).toBe('ada@example.com')
  expect(items[2]).toMatchObject({ kind: 'agent', owner_id: cleo.caller.actor_id })
  expect(items[2]).not.toHaveProperty('user_id')
  expect(page).toMatchObject({ total: 5, has_more: false, next_cursor: null })
  expect(JSON.stringify(items)).not.toContain('Otto')
})

test('members are paged, filtered and searched', async () => {
  const { ada, team_id } = await world({ hasBoard: false })
  const first = await ada['teams.members']({ team_id, limit: 3 })
  expect(first.page).toMatchObject({ total: 5, has_more: true })
  const cursor = first.page.next_cursor!
  const second = await ada['teams.members']({ team_id, limit: 3, cursor })
  expect([...names(first), ...names(second)]).toEqual(['Ada', 'Ben', 'Bot', 'Cleo', 'Gus'])
  expect(second.page).toMatchObject({ total: 5, has_more: false, next_cursor: null })
  expect(names(await ada['teams.members']({ team_id, kind: 'agent' }))).toEqual(['Bot'])
  expect(names(await ada['teams.members']({ team_id, search: 'B' }))).toEqual(['Ben', 'Bot'])
})

test('a guest sees the names of team members, but no email addresses', async () => {
  const { gus, team_id } = await world({ hasBoard: false })
  const { items } = await gus['teams.members']({ team_id })
  expect(items).toHaveLength(5)
  expect(JSON.stringify(items)).not.toContain('@')
})

test('the members of a board are those who can see it, listed without emails for a guest', async () => {
  const w = await world({ hasBoard: false })
  const open = await createBoard(w, 'Open')
  const closed = await createBoard(w, 'Closed', { access: 'invited' })
  await inviteToBoard(w, closed, w.gus)
  const memberNames = async ({ project_id }: Project) =>
    names(await w.ada['projects.members']({ project_id }))
  expect(await memberNames(open)).toEqual(['Ada', 'Ben', 'Bot', 'Cleo'])
  expect(await memberNames(closed)).toEqual(['Ada', 'Ben', 'Gus'])
  const { items, page } = await w.gus['projects.members']({ project_id: closed.project_id })
  expect(items.map(({ invited }) => invited)).toEqual([false, false, true])
  expect(page.total).toBe(3)
  expect(JSON.stringify(items)).not.toContain('@')
})

test('the members of a board are exactly the callers whose board list contains it', async () => {
  const w = await world({ hasBoard: false })
  const closed = await createBoard(w, 'Closed', { access: 'invited' })
  const open = await createBoard(w, 'Open')
  const project_ids = [open.project_id]
  const { name } = await w.ben['agents.create']({ name: 'Helper', team_id: w.team_id, project_ids })
  await inviteToBoard(w, closed, w.cleo)
  for (const { project_id } of [open, closed]) {
    const listed = names(await w.ada['projects.members']({ project_id }))
    for (const actor of [w.ada, w.ben, w.cleo, w.gus, w.bot]) {
      const { items } = await actor['projects.list']({})
      const canSee = items.some((one) => one.project_id === project_id)
      expect([actor.caller.name, listed.includes(actor.caller.name)]).toEqual([
        actor.caller.name,
        canSee,
      ])
    }
    expect(listed.includes(name)).toBe(project_id === open.project_id)
  }
})

test('listing the members of a hidden board responds not_found', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Closed', { access: 'invited' })
  for (const actor of [w.otto, w.gus, w.cleo, w.bot])
    expect((await faultOf(actor['projects.members']({ project_id }))).code).toBe('not_found')
})

const contextFor = ({ caller }: Actor, tx: Context['tx']) => ({ tx, caller }) as Context

async function find(w: World, project: Project, ref: number | string, actor = w.ada) {
  return w.store.read((tx) => findBoardActor(contextFor(actor, tx), project, ref, 'assignee'))
}

test('a board member is found by id, me, self, UUID, email or name', async () => {
  const w = await world({ hasBoard: false })
  const open = await createBoard(w, 'Open')
  const cleo = w.cleo.caller.actor_id
  for (const ref of [cleo, String(cleo), 'cleo@EXAMPLE.com', ' CLEO ', 'Cleo'])
    expect((await find(w, open, ref)).actor_id).toBe(cleo)
  expect((await find(w, open, 'me')).name).toBe('Ada')
  expect((await find(w, open, 'self', w.bot)).name).toBe('Bot')
  const uuid = w.bot.caller.agent_id!
  expect((await find(w, open, uuid.toUpperCase())).name).toBe('Bot')
  expect((await find(w, open, 'bot')).agent_id).toBe(uuid)
})

test('a lookup on a board refuses unknown people and those who cannot see it', async () => {
  const w = await world({ hasBoard: false })
  const open = await createBoard(w, 'Open')
  const { actor_id } = w.bot.caller
  for (const ref of [w.gus.caller.actor_id, 'Gus', 'otto@example.com', 999, 'nobody', actor_id]) {
    const { code, details } = await faultOf(find(w, open, ref))
    expect([code, details.field, details.code]).toEqual(['invalid', 'assignee', 'not_found'])
  }
})

test('a name shared by a person and an agent is refused as ambiguous, with the candidates', async () => {
  const w = await world({ hasBoard: false })
  const open = await createBoard(w, 'Open')
  await w.addAgent(w.team_id, w.ben, 'CLEO')
  const { details, message } = await faultOf(find(w, open, 'cleo'))
  expect(details).toMatchObject({ field: 'assignee', code: 'ambiguous', value: 'cleo' })
  expect(message).toContain(`user_id ${w.cleo.caller.actor_id}`)
  expect((await find(w, open, 'cleo@example.com')).kind).toBe('person')
})

test('a lookup by name ignores case, also beyond ASCII', async () => {
  const w = await world({ hasBoard: false })
  const open = await createBoard(w, 'Open')
  await w.addMember(w.team_id, 'Özge', 'member')
  expect((await find(w, open, 'ÖZGE')).name).toBe('Özge')
})

test('agents of a removed member are on no board and cannot authenticate', async () => {
  const w = await world({ hasBoard: false })
  const open = await createBoard(w, 'Open')
  const listActors = () => w.store.read((tx) => boardActors(contextFor(w.ada, tx), open))
  expect((await listActors()).map(({ name }) => name)).toContain('Bot')
  await w.ben['teams.remove_member']({ team_id: w.team_id, user_id: w.cleo.caller.actor_id })
  expect((await listActors()).map(({ name }) => name)).toEqual(['Ada', 'Ben'])
  const { status, body } = await w.http(w.bot, 'GET', '/api/v1/projects')
  expect([status, body.message]).toEqual([
    401,
    'This credential belongs to an agent whose owner has left the team',
  ])
})

test('an admin changes a role, and the new role takes effect at once', async () => {
  const { ben, gus, http, team_id, changes } = await world({ hasBoard: false })
  const user_id = gus.caller.actor_id
  const path = `/api/v1/teams/${team_id}/members/${user_id}`
  const { status, body } = await http(ben, 'PATCH', path, { role: 'admin' })
  expect(status).toBe(200)
  expect(body.data).toEqual({ team_id, user_id, name: 'Gus', role: 'admin', was: 'guest' })
  expect((await http(gus, 'PATCH', `/api/v1/teams/${team_id}`, { name: 'Port' })).status).toBe(200)
  const [change] = await changes()
  expect(change).toMatchObject({
    type: 'member.updated',
    team_id,
    data: { user_id, role: 'admin' },
  })
})

test('only an owner can promote, demote or remove owners', async () => {
  const { ada, ben, cleo, team_id, changeTypes } = await world({ hasBoard: false })
  const [owner, member] = [ada.caller.actor_id, cleo.caller.actor_id]
  for (const call of [
    () => ben['teams.set_role']({ team_id, user_id: member, role: 'owner' }),
    () => ben['teams.set_role']({ team_id, user_id: owner, role: 'admin' }),
    () => ben['teams.remove_member']({ team_id, user_id: owner }),
  ])
    expect((await faultOf(call())).code).toBe('forbidden')
  expect(await changeTypes()).toEqual([])
  await ada['teams.set_role']({ team_id, user_id: member, role: 'owner' })
  expect((await ada['teams.set_role']({ team_id, user_id: owner, role: 'guest' })).was).toBe(
    'owner',
  )
})

test('the last owner cannot be demoted or removed, and cannot leave', async () => {
  const { ada, team_id, changeTypes } = await world({ hasBoard: false })
  const user_id = ada.caller.actor_id
  for (const call of [
    () => ada['teams.set_role']({ team_id, user_id, role: 'admin' }),
    () => ada['teams.remove_member']({ team_id, user_id }),
    () => ada['teams.leave']({ team_id }),
  ]) {
    const { code, hint } = await faultOf(call())
    expect([code, hint]).toEqual(['conflict', 'Make somebody else an owner first'])
  }
  expect(await changeTypes()).toEqual([])
  expect((await ada['teams.set_role']({ team_id, user_id, role: 'owner' })).role).toBe('owner')
})

test('of two owners who remove each other concurrently, one remains', async () => {
  const { ada, ben, authenticateAs, team_id } = await world({ hasBoard: false })
  const [a, b] = [ada.caller.actor_id, ben.caller.actor_id]
  await ada['teams.set_role']({ team_id, user_id: b, role: 'owner' })
  const benAsOwner = await authenticateAs(b)
  const results = await Promise.allSettled([
    ada['teams.remove_member']({ team_id, user_id: b }),
    benAsOwner['teams.remove_member']({ team_id, user_id: a }),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a removed member loses access to the boards, and rejoining does not restore invitations', async () => {
  const w = await world({ hasBoard: false })
  const { team_id, ben, gus, http, changeTypes, clock } = w
  const user_id = gus.caller.actor_id
  const closed = await createBoard(w, 'Closed', { access: 'invited' })
  await inviteToBoard(w, closed, gus)
  const path = `/api/v1/projects/${closed.project_id}/members`
  expect((await http(gus, 'GET', path)).status).toBe(200)
  const removal = await http(ben, 'DELETE', `/api/v1/teams/${team_id}/members/${user_id}`)
  expect([removal.status, removal.body.data.name]).toEqual([200, 'Gus'])
  expect((await http(gus, 'GET', path)).status).toBe(403)
  expect((await faultOf(ben['teams.remove_member']({ team_id, user_id }))).code).toBe('not_found')
  expect(await changeTypes()).toEqual(['member.removed'])
  await w.store.write((tx) => joinTeam(tx, team_id, user_id, 'guest', clock.now))
  expect((await http(gus, 'GET', path)).status).toBe(404)
})

test('members and guests can leave the team but remove nobody, and agents cannot leave', async () => {
  const { cleo, gus, ben, bot, team_id, changeTypes, http } = await world({ hasBoard: false })
  const user_id = ben.caller.actor_id
  for (const actor of [cleo, gus]) {
    expect((await faultOf(actor['teams.remove_member']({ team_id, user_id }))).code).toBe(
      'forbidden',
    )
    expect((await http(actor, 'POST', `/api/v1/teams/${team_id}/leave`)).status).toBe(200)
    expect((await http(actor, 'GET', `/api/v1/teams/${team_id}`)).status).not.toBe(200)
  }
  expect((await faultOf(bot['teams.leave']({ team_id }))).code).toBe('forbidden')
  expect(await changeTypes()).toEqual(['member.removed', 'member.removed'])
})

test('setting an unknown role or the role of somebody outside the team is refused', async () => {
  const { ada, otto, http, team_id } = await world({ hasBoard: false })
  const path = (id: unknown) => `/api/v1/teams/${team_id}/members/${id}`
  const adaId = ada.caller.actor_id
  const invalidRole = await http(ada, 'PATCH', path(adaId), { role: 'boss' })
  expect([invalidRole.status, invalidRole.body.details.code]).toEqual([400, 'out_of_range'])
  expect((await http(ada, 'PATCH', path(adaId), {})).body.details.code).toBe('required')
  expect((await http(ada, 'PATCH', path('x'), { role: 'guest' })).status).toBe(400)
  const other = await http(ada, 'PATCH', path(otto.caller.actor_id), { role: 'guest' })
  expect([other.status, other.text.includes('Otto')]).toEqual([404, false])
})
