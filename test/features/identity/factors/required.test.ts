import { expect, test } from 'bun:test'
import { linkedIdentities } from '../../../../src/features/identity/linked_identities/model/index.ts'
import { teamPolicies } from '../../../../src/features/identity/team_policy/model/index.ts'
import { joinTeam } from '../../../../src/features/identity/teams/model/index.ts'
import type { World } from '../../../support/world.ts'
import { addPasskey, call, factorsIn, signIn, worldWithPasswords } from './people-in-browsers.ts'

const requireFactor = ({ store, clock, team_id }: World) =>
  store.write((tx) =>
    tx.insert(teamPolicies).values({
      ...{ team_id, guests_allowed: true, second_factor_required: true },
      updated_at: clock.now,
    }),
  )

const CONTEXT = '/api/v1/user/context'
interface Context {
  teams: object[]
  boards: object[]
  teams_requiring_second_factor?: object[]
}

test('a person without a factor loses a team that requires one until they add it', async () => {
  const w = await worldWithPasswords()
  await w.store.write((tx) =>
    joinTeam(tx, w.otherTeamId, w.ada.caller.actor_id, 'member', w.clock.now),
  )
  const browser = await signIn(w)
  const board = `/api/v1/projects/${w.board.project_id}`
  expect((await browser.get(board)).status).toBe(200)
  await requireFactor(w)
  expect((await browser.get(board)).status).toBe(404)
  expect(await call<Context>(browser, 'GET', CONTEXT)).toMatchObject({
    ...{ teams: [{ name: 'Elsewhere' }], boards: [] },
    teams_requiring_second_factor: [{ team_id: w.team_id, name: 'Harbour' }],
  })
  await addPasskey(browser)
  expect((await browser.get(board)).status).toBe(200)
  const context = await call<Context>(browser, 'GET', CONTEXT)
  expect(context.teams).toHaveLength(2)
  expect(context).not.toHaveProperty('teams_requiring_second_factor')
  const [passkey] = (await factorsIn(browser)).passkeys
  await call(browser, 'DELETE', `/api/v1/user/passkeys/${passkey!.passkey_id}`)
  expect((await browser.get(board)).status).toBe(404)
})

test('keys and agents of a person without a factor lose the team too', async () => {
  const w = await worldWithPasswords()
  const board = `/api/v1/projects/${w.board.project_id}`
  await requireFactor(w)
  expect((await w.http(w.cleo, 'GET', board)).status).toBe(403)
  const agent = await w.http(w.bot, 'GET', board)
  expect([agent.status, agent.body.message]).toEqual([
    401,
    'This credential belongs to an agent whose owner has not set up the second factor that the team requires',
  ])
  await addPasskey(await signIn(w, 'cleo'))
  expect((await w.http(w.cleo, 'GET', board)).status).toBe(200)
  expect((await w.http(w.bot, 'GET', board)).status).toBe(200)
})

test('an approved identity at an issuer counts as a second factor, and a new one does not', async () => {
  const w = await worldWithPasswords()
  await requireFactor(w)
  const board = `/api/v1/projects/${w.board.project_id}`
  const identity = { actor_id: w.ben.caller.actor_id, issuer: 'https://id.example', subject: 'ben' }
  const row = { ...identity, managed_team_ids: [], created_at: w.clock.now }
  await w.store.write((tx) => tx.insert(linkedIdentities).values(row))
  expect((await w.http(w.ben, 'GET', board)).status).toBe(403)
  await w.store.write((tx) => tx.update(linkedIdentities).set({ approved_at: w.clock.now }))
  expect((await w.http(w.ben, 'GET', board)).status).toBe(200)
})

test('other teams stay open, and a team that requires nothing is not affected', async () => {
  const w = await worldWithPasswords()
  await requireFactor(w)
  const browser = await signIn(w, 'otto')
  expect((await call<Context>(browser, 'GET', CONTEXT)).teams).toHaveLength(1)
})
