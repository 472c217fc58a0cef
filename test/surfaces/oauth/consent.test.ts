import { expect, test } from 'bun:test'
import { credentials } from '../../../src/features/identity/credentials/model/index.ts'
import { grants } from '../../../src/features/identity/grants/model/index.ts'
import {
  authorizeFields,
  authorizePath,
  codeIn,
  consent,
  oauthWorld,
  REDIRECT,
  registerNative,
  tokens,
} from './oauth-client.ts'

const openPage = async (
  w: Awaited<ReturnType<typeof oauthWorld>>,
  redirect_uri: string,
  browser = w.browser,
) => {
  const client_id = await registerNative(w, { redirect_uris: [redirect_uri] })
  return browser.get(authorizePath(authorizeFields(client_id, { redirect_uri })))
}

test('the consent page shows where the answer goes, and warns about programs on the computer', async () => {
  const w = await oauthWorld()
  const local = (await openPage(w, REDIRECT)).text
  expect(local).toContain('Nothing proves who made it')
  expect(local).toContain('<strong>127.0.0.1:5000</strong>, a program on your computer')
  expect(local).toContain('Continue only if you')
  const web = (await openPage(w, 'https://claude.ai/api/mcp/auth_callback')).text
  expect(web).toContain('<strong>claude.ai</strong> (verified)')
  expect(web).not.toContain('Continue only if you')
  const app = (await openPage(w, 'cursor://anysphere.cursor-retrieval/oauth/callback')).text
  expect(app).toContain('an app on your computer that opens <strong>cursor:</strong> links')
})

test('an app in the web works as the person unless they choose otherwise, and a guest has no choice', async () => {
  const w = await oauthWorld()
  const { text } = await openPage(w, 'https://claude.ai/callback')
  expect(text).toMatch(/value="me" checked/)
  const guest = await openPage(w, REDIRECT, await w.signedIn('gus'))
  expect(guest.text).not.toContain('A new agent of mine')
  expect(guest.text).toMatch(/value="me" checked/)
})

test('an app gets no more scopes, boards and time than its person chose', async () => {
  const w = await oauthWorld()
  const { project_id } = w.board
  const choices = { access: 'read', boards: 'some', board: [String(project_id)], days: '7' }
  const { access_token, scope } = await tokens(w, choices)
  expect(scope).toBe('profile:read teams:read projects:read tasks:read pages:read')
  const [app] = (await w.ada['grants.list']({})).apps
  expect(app).toMatchObject({
    ...{ name: 'Lantern', host: null, agent: null, project_ids: [project_id] },
    expires_at: '2026-11-27T12:00:00.000Z',
  })
  w.clock.advance(30 * 60_000)
  expect((await w.mcp(access_token)).status).toBe(200)
})

test('an app that connects again offers the agent that it had', async () => {
  const w = await oauthWorld()
  const client_id = await registerNative(w)
  const path = authorizePath(authorizeFields(client_id, { scope: 'tasks:read' }))
  await consent(w.browser, path)
  const again = await w.browser.get(authorizePath(authorizeFields(client_id)))
  expect(again.text).toMatch(
    /<input type="radio"[^>]* checked>\s*<label[^>]*>My agent <strong>Lantern/,
  )
  expect(again.text).toContain('value="Lantern 2"')
  expect(codeIn(await consent(w.browser, authorizePath(authorizeFields(client_id))))).toBeTruthy()
  const { items } = await w.ada['agents.list']({ team_id: w.team_id })
  const named = items.filter(({ name }) => name.startsWith('Lantern'))
  expect(named.map(({ scopes }) => scopes.includes('tasks:write'))).toEqual([true])
})

test('an agent whose last grant is revoked becomes inactive', async () => {
  const w = await oauthWorld()
  await tokens(w, { who: 'agent' })
  const [app] = (await w.ada['grants.list']({})).apps
  await w.ada['grants.revoke']({ grant_id: app!.grant_id })
  const { items } = await w.ada['agents.list']({ team_id: w.team_id })
  expect(items.find(({ name }) => name === 'Lantern')!.state).toBe('inactive')
})

test('a person who refuses sends the app an error, and no grant exists', async () => {
  const w = await oauthWorld()
  const path = authorizePath(authorizeFields(await registerNative(w)))
  const { headers } = await consent(w.browser, path, { answer: 'deny' })
  const { searchParams } = new URL(headers.get('location')!)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ error: 'access_denied', state: 'xyz', iss: 'http://localhost' },
  })
  expect(await w.changeTypes()).toContain('grant.refused')
  expect((await w.ada['grants.list']({})).apps).toEqual([])
})

test('what people allow, refuse and revoke is audited', async () => {
  const w = await oauthWorld()
  await tokens(w)
  const [app] = (await w.ada['grants.list']({})).apps
  await w.ada['grants.revoke']({ grant_id: app!.grant_id })
  const { items } = await w.ada['audit.list']({ team_id: w.team_id })
  const types = items.map(({ type }) => type)
  expect(types).toContain('grant.created')
  expect(types).toContain('grant.revoked')
})

test('a token is stored as a hash, and a refresh token not at all', async () => {
  const w = await oauthWorld()
  const { access_token, refresh_token } = await tokens(w)
  const rows = await w.store.read(async (tx) => [
    await tx.select().from(credentials),
    await tx.select().from(grants),
  ])
  const stored = JSON.stringify(rows)
  const { jti } = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString())
  for (const secret of [access_token, refresh_token, jti]) expect(stored).not.toContain(secret)
})

test('an app that works as an agent it had gets no more than its person chose this time', async () => {
  const w = await oauthWorld()
  const client_id = await registerNative(w)
  await tokens(w, { who: 'agent' }, { client_id })
  const page = await w.browser.get(authorizePath(authorizeFields(client_id)))
  const agent_id = /value="([0-9a-f-]{36})" checked/.exec(page.text)![1]!
  const choices = { who: agent_id, access: 'read', boards: 'some' }
  const board = [String(w.board.project_id)]
  const own = await tokens(w, { ...choices, board }, { client_id })
  expect(own.scope).not.toContain('write')
  const [app] = (await w.ada['grants.list']({})).apps.filter(({ project_ids }) => project_ids)
  expect(app).toMatchObject({ agent: { agent_id }, project_ids: [w.board.project_id] })
  const create = { project_id: w.board.project_id, name: 'Urgent' }
  const params = { name: 'svc_labels', arguments: { action: 'create', input: create } }
  const answer = await w.mcp(own.access_token, '/mcp', { method: 'tools/call', params })
  expect(answer.status).toBe(403)
})
