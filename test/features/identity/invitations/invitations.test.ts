import { expect, test } from 'bun:test'
import {
  acceptInvitation,
  invitationByToken,
} from '../../../../src/features/identity/invitations/model/index.ts'
import { createPerson } from '../../../../src/features/identity/people/model/index.ts'
import { createBoard } from '../../../support/board.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000
const tokenOf = (link: string) => link.split('/').at(-1)!

const findInvitation = ({ store, clock }: World, token: string) =>
  store.read((tx) => invitationByToken(tx, token, clock.now))
const accept = ({ store, clock }: World, token: string, actor_id: number) =>
  store.write((tx) => acceptInvitation(tx, token, { actor_id }, clock.now))

const createNewcomer = ({ store, clock }: World, email = 'eve@example.com') =>
  store.write((tx) =>
    createPerson(
      tx,
      { name: 'Eve', email, password_hash: null, time_zone: 'UTC', locale: 'en' },
      clock.now,
    ),
  )

test('an invitation returns a link for a week, and its token is not shown again', async () => {
  const w = await world({ hasBoard: false })
  const { team_id, ben, http, changes } = w
  const draft = { email: 'Eve@Example.com', role: 'member' }
  const { status, body } = await http(ben, 'POST', `/api/v1/teams/${team_id}/invitations`, draft)
  expect(status).toBe(201)
  const { link, invitation_id } = body.data
  expect(body.data).toEqual({
    invitation_id,
    team_id,
    project_id: null,
    email: 'eve@example.com',
    role: 'member',
    link,
    mailed: false,
    expires_at: '2026-11-27T12:00:00.000Z',
  })
  expect(link).toMatch(/^http:\/\/localhost\/invitations\/[\w-]{43}$/)
  const invitation = await findInvitation(w, tokenOf(link))
  expect(invitation).toMatchObject({ team_name: 'Harbour', inviter: 'Ben', role: 'member' })
  const list = await http(ben, 'GET', `/api/v1/teams/${team_id}/invitations`)
  const output = JSON.stringify([invitation, list.body, await changes()])
  expect(output).not.toContain(tokenOf(link))
  expect((await changes()).map(({ type }) => type)).toEqual(['invitation.created'])
})

test('accepting an invitation joins the team and the board, and a second use is refused', async () => {
  const w = await world({ hasBoard: false })
  const closed = await createBoard(w, 'Closed', { access: 'invited' })
  const { link } = await w.ada['invitations.create']({
    team_id: w.team_id,
    email: 'eve@example.com',
    role: 'guest',
    project_id: closed.project_id,
  })
  const eve = await createNewcomer(w)
  const { team_id } = w
  expect(await accept(w, tokenOf(link), eve)).toEqual({ team_id, project_id: closed.project_id })
  const { items } = await (await w.authenticateAs(eve))['projects.list']({})
  expect(items.map(({ title }) => title)).toEqual(['Closed'])
  const [, joined] = await w.changes()
  expect(joined).toMatchObject({ type: 'invitation.accepted', actor_id: eve, team_id })
  const again = await faultOf(accept(w, tokenOf(link), eve))
  expect(again.message).toBe('This invitation has already been used')
})

test('of two people who accept one link concurrently, only one joins', async () => {
  const w = await world({ hasBoard: false })
  const { team_id } = w
  const draft = { team_id, email: 'eve@example.com', role: 'member' as const }
  const token = tokenOf((await w.ada['invitations.create'](draft)).link)
  const eve = await createNewcomer(w)
  const eva = await createNewcomer(w, 'eva@example.com')
  const results = await Promise.allSettled([accept(w, token, eve), accept(w, token, eva)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { items } = await w.ada['teams.members']({ team_id })
  const joined = items.filter(({ user_id }) => user_id === eve || user_id === eva)
  expect(joined).toHaveLength(1)
})

test('accepting an invitation does not change the role of a member', async () => {
  const w = await world({ hasBoard: false })
  const { team_id } = w
  const draft = { team_id, email: 'private@example.com', role: 'guest' as const }
  const { link } = await w.ada['invitations.create'](draft)
  await accept(w, tokenOf(link), w.ben.caller.actor_id)
  const { items } = await w.ada['teams.members']({ team_id, search: 'Ben' })
  expect(items[0]!.role).toBe('admin')
})

test('an unknown, replaced, void or expired invitation link is refused with the reason', async () => {
  const w = await world({ hasBoard: false })
  const { team_id, ada, ben } = w
  const invite = async (actor: typeof ada, email: string, role: 'owner' | 'member' = 'member') =>
    actor['invitations.create']({ team_id, email, role })
  const errorMessage = async (link: string) =>
    (await faultOf(findInvitation(w, tokenOf(link)))).message
  expect(await errorMessage('http://localhost/invitations/none')).toContain(
    'not valid on this server',
  )
  const first = await invite(ada, 'eve@example.com')
  const second = await invite(ada, 'EVE@example.com')
  expect(await errorMessage(first.link)).toContain('revoked, or replaced')
  expect((await findInvitation(w, tokenOf(second.link))).invitation_id).toBe(second.invitation_id)
  const bensInvitation = await invite(ben, 'dan@example.com')
  await ada['teams.set_role']({ team_id, user_id: ben.caller.actor_id, role: 'member' })
  expect(await errorMessage(bensInvitation.link)).toContain('Ben can no longer invite people')
  w.clock.advance(WEEK_MS)
  expect(await errorMessage(second.link)).toContain('has expired')
})

test('only owners invite owners', async () => {
  const { ada, ben, team_id, changeTypes } = await world({ hasBoard: false })
  const draft = { team_id, email: 'eve@example.com', role: 'owner' as const }
  expect((await faultOf(ben['invitations.create'](draft))).code).toBe('forbidden')
  expect(await changeTypes()).toEqual([])
  expect((await ada['invitations.create'](draft)).role).toBe('owner')
})

test('members, guests and agents cannot create, list or revoke invitations', async () => {
  const { ada, cleo, gus, bot, otto, team_id, changeTypes } = await world({ hasBoard: false })
  const draft = { team_id, email: 'eve@example.com', role: 'guest' as const }
  const { invitation_id } = await ada['invitations.create'](draft)
  for (const actor of [cleo, gus, bot]) {
    expect((await faultOf(actor['invitations.create'](draft))).code).toBe('forbidden')
    expect((await faultOf(actor['invitations.list']({ team_id }))).code).toBe('forbidden')
    expect((await faultOf(actor['invitations.revoke']({ invitation_id }))).code).toBe('forbidden')
  }
  expect((await faultOf(otto['invitations.create'](draft))).code).toBe('not_found')
  expect((await faultOf(otto['invitations.list']({ team_id }))).code).toBe('not_found')
  expect((await faultOf(otto['invitations.revoke']({ invitation_id }))).code).toBe('not_found')
  expect(await changeTypes()).toEqual(['invitation.created'])
})

test('invitations are listed by state, newest first', async () => {
  const w = await world({ hasBoard: false })
  const { ada, ben, team_id } = w
  const invite = (email: string) => ben['invitations.create']({ team_id, email, role: 'guest' })
  await invite('old@example.com')
  w.clock.advance(WEEK_MS)
  const used = await invite('used@example.com')
  await accept(w, tokenOf(used.link), await createNewcomer(w, 'used@example.com'))
  const { invitation_id } = await invite('gone@example.com')
  expect((await ada['invitations.revoke']({ invitation_id })).state).toBe('revoked')
  await invite('one@example.com')
  w.clock.advance(1)
  await invite('two@example.com')
  const states = ['open', 'accepted', 'revoked', 'expired'] as const
  const lists = states.map(async (state) => {
    const { items, page } = await ada['invitations.list']({ team_id, state })
    expect(page.total).toBe(items.length)
    expect(items.every((item) => item.state === state)).toBe(true)
    return items.map(({ email }) => email.split('@')[0])
  })
  expect(await Promise.all(lists)).toEqual([['two', 'one'], ['used'], ['gone'], ['old']])
  const { items } = await ada['invitations.list']({ team_id })
  expect(items[0]).toMatchObject({ email: 'two@example.com', invited_by: { name: 'Ben' } })
})

test('an accepted or unknown invitation cannot be revoked', async () => {
  const w = await world({ hasBoard: false })
  const draft = { team_id: w.team_id, email: 'eve@example.com', role: 'guest' as const }
  const { invitation_id, link } = await w.ada['invitations.create'](draft)
  await accept(w, tokenOf(link), await createNewcomer(w))
  const { code, message } = await faultOf(w.ada['invitations.revoke']({ invitation_id }))
  expect([code, message]).toEqual(['conflict', 'This invitation is no longer open: it is accepted'])
  const none = await w.http(w.ada, 'DELETE', '/api/v1/invitations/999')
  expect(none.status).toBe(404)
})

test('an invitation with an invalid email, role or board, or for a member, is refused', async () => {
  const w = await world({ hasBoard: false })
  const { team_id, ada, http, otherTeamId } = w
  const foreign = await createBoard(w, 'Foreign', { team_id: otherTeamId })
  const path = `/api/v1/teams/${team_id}/invitations`
  const refusalOf = async (draft: object) => {
    const { status, body } = await http(ada, 'POST', path, draft)
    return [status, body.details.field]
  }
  const email = 'eve@example.com'
  expect(await refusalOf({ email: 'eve', role: 'guest' })).toEqual([400, 'email'])
  expect(await refusalOf({ email: 'a b@c', role: 'guest' })).toEqual([400, 'email'])
  expect(await refusalOf({ role: 'guest' })).toEqual([400, 'email'])
  expect(await refusalOf({ email, role: 'king' })).toEqual([400, 'role'])
  expect(await refusalOf({ email: 'BEN@example.com', role: 'guest' })).toEqual([409, 'email'])
  const project_id = foreign.project_id
  expect(await refusalOf({ email, role: 'guest', project_id })).toEqual([404, 'project_id'])
  expect(await w.changeTypes()).toEqual([])
})

test('a team member is added to a board by id, numeric text or email', async () => {
  const w = await world({ hasBoard: false })
  const closed = await createBoard(w, 'Closed', { access: 'invited' })
  const { project_id } = closed
  const path = `/api/v1/projects/${project_id}/members`
  const invite = (member_identifier: unknown) => w.http(w.ben, 'POST', path, { member_identifier })
  const [cleo, gus] = [w.cleo.caller.actor_id, w.gus.caller.actor_id]
  const first = await invite(cleo)
  expect(first.status).toBe(200)
  expect(first.body.data).toEqual({ project_id, status: 'added', user_id: cleo, name: 'Cleo' })
  expect((await invite(String(cleo))).body.data.status).toBe('already_member')
  expect((await invite(' GUS@example.com ')).body.data).toMatchObject({ user_id: gus })
  const { items } = await w.gus['projects.list']({})
  expect(items.map(({ title }) => title)).toEqual(['Closed'])
  expect(await w.changeTypes()).toEqual(['project.member_added', 'project.member_added'])
})

test('an email from outside the team is invited to a board as a guest, by link', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Open')
  // Otto has an account, but the response must not reveal that to another team.
  for (const member_identifier of ['eve@example.com', 'otto@example.com']) {
    const receipt = await w.ben['projects.invite_member']({ project_id, member_identifier })
    expect(Object.keys(receipt)).toEqual([
      'project_id',
      'status',
      'invitation_id',
      'link',
      'mailed',
      'expires_at',
    ])
    expect(receipt.status).toBe('invited')
    const invitation = await findInvitation(w, tokenOf(receipt.link!))
    expect(invitation).toMatchObject({ email: member_identifier, role: 'guest', project_id })
  }
  expect(await w.changeTypes()).toEqual(['invitation.created', 'invitation.created'])
})

test('an agent can add team members to a board, but cannot invite new people', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Open')
  const helper = await w.addAgent(w.team_id, w.ben, 'Helper')
  const gus = w.gus.caller.actor_id
  const added = await helper['projects.invite_member']({ project_id, member_identifier: gus })
  expect(added.status).toBe('added')
  const eve = helper['projects.invite_member']({ project_id, member_identifier: 'eve@example.com' })
  expect((await faultOf(eve)).code).toBe('forbidden')
  expect(await w.changeTypes()).toEqual(['project.member_added'])
})

test('a caller who does not manage a board cannot add people to it', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Open')
  const member_identifier = w.gus.caller.actor_id
  const faultFor = (actor: typeof w.ada) =>
    faultOf(actor['projects.invite_member']({ project_id, member_identifier }))
  for (const actor of [w.cleo, w.bot]) expect((await faultFor(actor)).code).toBe('forbidden')
  expect((await faultFor(w.otto)).code).toBe('not_found')
  expect(await w.changeTypes()).toEqual([])
})

test('a member who created a board can add guests and invite new people to it', async () => {
  const w = await world({ hasBoard: false })
  const created_by = w.cleo.caller.actor_id
  const { project_id } = await createBoard(w, 'Of Cleo', { created_by })
  const invite = (member_identifier: string) =>
    w.cleo['projects.invite_member']({ project_id, member_identifier })
  expect((await invite('gus@example.com')).status).toBe('added')
  const { status, link } = await invite('eve@example.com')
  expect(status).toBe('invited')
  expect((await findInvitation(w, tokenOf(link!))).inviter).toBe('Cleo')
})

test('a member_identifier that is malformed or matches no person of the team is refused', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Open')
  const path = `/api/v1/projects/${project_id}/members`
  for (const [member_identifier, code] of [
    [w.otto.caller.actor_id, 'not_found'],
    [w.bot.caller.actor_id, 'not_found'],
    [0, 'out_of_range'],
    ['Cleo', 'invalid_format'],
    [null, 'invalid_type'],
    ['', 'required'],
  ]) {
    const { status, body } = await w.http(w.ada, 'POST', path, { member_identifier })
    expect([member_identifier, status, body.details.code]).toEqual([member_identifier, 400, code])
  }
  expect(await w.changeTypes()).toEqual([])
})
