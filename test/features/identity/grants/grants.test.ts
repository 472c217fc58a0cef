import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { credentials } from '../../../../src/features/identity/credentials/model/index.ts'
import { deviceRequests } from '../../../../src/features/identity/grants/model/index.ts'
import { Sweeper } from '../../../../src/workers/minutely.ts'
import {
  authorizedCode,
  authorizeFields,
  authorizePath,
  codeFields,
  consent,
  oauthWorld,
  refreshFields,
  registerNative,
  tokens,
} from '../../../surfaces/oauth/oauth-client.ts'

const DAY_MS = 24 * 60 * 60_000

const sweep = ({ store, clock }: Awaited<ReturnType<typeof oauthWorld>>) =>
  new Sweeper({ store, clock: clock.read, log: { error() {} } as never }).sweepAll()

const agentState = async (w: Awaited<ReturnType<typeof oauthWorld>>) => {
  const { items } = await w.ada['agents.list']({ team_id: w.team_id })
  return items.find(({ name }) => name === 'Lantern')?.state
}

test('the apps of others are neither listed nor revoked', async () => {
  const w = await oauthWorld()
  await tokens(w)
  const [app] = (await w.ada['grants.list']({})).apps
  expect((await w.ben['grants.list']({})).apps).toEqual([])
  const revoking = w.ben['grants.revoke']({ grant_id: app!.grant_id })
  await expect(revoking).rejects.toThrow('You have allowed no app')
})

test('an app that never exchanged its code is not listed, and its agent becomes inactive', async () => {
  const w = await oauthWorld()
  const client_id = await registerNative(w)
  await consent(w.browser, authorizePath(authorizeFields(client_id)))
  expect((await w.ada['grants.list']({})).apps).toEqual([])
  expect(await agentState(w)).toBe('active')
  w.clock.advance(2 * 60_000)
  await sweep(w)
  expect(await agentState(w)).toBe('inactive')
})

test('the agent of an app becomes inactive when the time that its person chose is over', async () => {
  const w = await oauthWorld()
  await tokens(w, { who: 'agent', days: '7' })
  w.clock.advance(6 * DAY_MS)
  await sweep(w)
  expect(await agentState(w)).toBe('active')
  w.clock.advance(2 * DAY_MS)
  await sweep(w)
  expect(await agentState(w)).toBe('inactive')
})

test('a grant keeps only the access tokens of its last day', async () => {
  const w = await oauthWorld()
  let own = await tokens(w)
  for (let day = 0; day < 3; day++) {
    w.clock.advance(2 * DAY_MS)
    own = { ...own, ...(await w.token(refreshFields(own))).body }
  }
  const rows = await w.store.read((tx) =>
    tx.select().from(credentials).where(eq(credentials.kind, 'access')),
  )
  expect(rows.length).toBe(1)
  expect((await w.mcp(own.access_token)).status).toBe(200)
})

test('requests of devices are deleted a day after they have expired', async () => {
  const w = await oauthWorld()
  await w.startDevice({ client_id: await registerNative(w) })
  const count = async () => (await w.store.read((tx) => tx.select().from(deviceRequests))).length
  w.clock.advance(DAY_MS / 2)
  await sweep(w)
  expect(await count()).toBe(1)
  w.clock.advance(DAY_MS)
  await sweep(w)
  expect(await count()).toBe(0)
})

test('two exchanges of one code at the same time give one pair of tokens, and end both', async () => {
  const w = await oauthWorld()
  const { client_id, code } = await authorizedCode(w)
  const answers = await Promise.all([
    w.token(codeFields(client_id, code)),
    w.token(codeFields(client_id, code)),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const { access_token } = answers.find(({ status }) => status === 200)!.body
  expect((await w.mcp(access_token)).status).toBe(401)
})

test('a change of password can revoke the apps, too', async () => {
  const w = await oauthWorld()
  const { access_token } = await tokens(w)
  const { status } = await w.browser.json('PUT', '/api/v1/user/password', {
    ...{ old_password: 'correct horse battery', new_password: 'paper lantern seven' },
    revoke_others: true,
  })
  expect(status).toBe(200)
  expect((await w.mcp(access_token)).status).toBe(401)
})

test('the use of an access token is a use of its grant', async () => {
  const w = await oauthWorld()
  const { access_token } = await tokens(w)
  w.clock.advance(10 * 60_000)
  await w.mcp(access_token)
  await Bun.sleep(50)
  const [app] = (await w.ada['grants.list']({})).apps
  expect(app!.last_used_at).toBe(w.clock.now.toISOString())
})

test('the rule of a team for keys limits an app that works as a person', async () => {
  const w = await oauthWorld()
  await w.ada['team_policy.update']({ team_id: w.team_id, token_days: 7 })
  await tokens(w, { who: 'me', days: '90' })
  const [app] = (await w.ada['grants.list']({})).apps
  expect(Date.parse(app!.expires_at!) - w.clock.now.getTime()).toBe(7 * DAY_MS)
})
