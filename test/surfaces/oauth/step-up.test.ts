import { expect, test } from 'bun:test'
import { type OAuthWorld, oauthWorld, tokens } from './oauth-client.ts'

const createLabel = ({ board }: OAuthWorld) => ({
  method: 'tools/call',
  params: {
    name: 'svc_labels',
    arguments: { action: 'create', input: { project_id: board.project_id, name: 'Urgent' } },
  },
})

test('a tool call without its scope is answered with 403 and the scope that the person can allow', async () => {
  const w = await oauthWorld()
  const { access_token } = await tokens(w, {}, { scope: 'projects:read tasks:read' })
  const { status, headers, body } = await w.mcp(access_token, '/mcp', createLabel(w))
  expect(status).toBe(403)
  expect(headers.get('www-authenticate')).toBe(
    'Bearer error="insufficient_scope", scope="projects:write", resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp", error_description="This call needs the scope projects:write"',
  )
  expect(body.error.data.details).toEqual({ scope: 'projects:write' })
})

test('after the person has allowed more, the same call succeeds', async () => {
  const w = await oauthWorld()
  const { client_id } = await tokens(w, {}, { scope: 'projects:read' })
  const scope = 'projects:read projects:write'
  const { access_token } = await tokens(w, {}, { client_id, scope })
  expect((await w.mcp(access_token, '/mcp', createLabel(w))).status).toBe(200)
})

test('a scope that the person does not have themselves is refused inside the answer', async () => {
  const w = await oauthWorld()
  const guest = await w.signedIn('gus')
  const { access_token } = await tokens(w, {}, { scope: 'teams:read' }, guest)
  const create = { name: 'svc_agents', arguments: { action: 'create', input: { name: 'Max' } } }
  const call = { method: 'tools/call', params: create }
  const { status, headers } = await w.mcp(access_token, '/mcp', call)
  expect([status, headers.get('www-authenticate')]).toEqual([200, null])
})

test('a REST call without its scope names the scope, too', async () => {
  const w = await oauthWorld()
  const resource = 'http://localhost'
  const { access_token } = await tokens(w, {}, { scope: 'tasks:read', resource })
  const { status, headers } = await w.rest(access_token)
  expect(status).toBe(403)
  expect(headers.get('www-authenticate')).toStartWith(
    'Bearer error="insufficient_scope", scope="projects:read", resource_metadata="http://localhost/.well-known/oauth-protected-resource"',
  )
})

test('an API key without the scope gets no challenge, because nobody can widen it', async () => {
  const w = await oauthWorld()
  const { secret } = await w.authenticateAs(w.ada.caller.actor_id, 'key', ['tasks:read'])
  const { status, headers } = await w.rest(secret)
  expect([status, headers.get('www-authenticate')]).toEqual([403, null])
})
