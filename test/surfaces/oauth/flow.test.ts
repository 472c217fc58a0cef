import { expect, test } from 'bun:test'
import {
  answerConsent,
  authorizedCode,
  authorizeFields,
  authorizePath,
  codeFields,
  consent,
  oauthWorld,
  refreshFields,
  registerNative,
  tokens,
} from './oauth-client.ts'

test('a request to /mcp without a token names the metadata of the resource and the scopes', async () => {
  const w = await oauthWorld()
  const { status, headers } = await w.mcp(undefined)
  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toStartWith(
    'Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp", scope="profile:read ',
  )
})

test('the metadata leads from the resource to the endpoints of the authorization server', async () => {
  const w = await oauthWorld()
  const resource = (await w.get('/.well-known/oauth-protected-resource/mcp')).body
  expect(resource).toMatchObject({
    resource: 'http://localhost/mcp',
    authorization_servers: ['http://localhost'],
  })
  for (const path of ['oauth-authorization-server', 'openid-configuration']) {
    const { status, headers, body } = await w.get(`/.well-known/${path}`)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(body).toMatchObject({
      issuer: 'http://localhost',
      authorization_endpoint: 'http://localhost/oauth/authorize',
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  }
})

test('a person who is not signed in signs in first and returns to the request', async () => {
  const w = await oauthWorld()
  const path = authorizePath(authorizeFields(await registerNative(w)))
  w.browser.cookies.clear()
  const { status, headers } = await w.browser.get(path)
  expect(status).toBe(303)
  expect(headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(path)}`)
})

test('a client that a person allows gets tokens that work at /mcp as that person', async () => {
  const w = await oauthWorld()
  const { client_id, code, location } = await authorizedCode(w)
  expect(location).toStartWith('http://127.0.0.1:5000/callback?code=')
  expect(new URL(location).searchParams.get('state')).toBe('xyz')
  expect(new URL(location).searchParams.get('iss')).toBe('http://localhost')
  const { status, headers, body } = await w.token(codeFields(client_id, code))
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
  const call = {
    method: 'tools/call',
    params: { name: 'svc_user_context', arguments: { action: 'hello' } },
  }
  const answer = await w.mcp(body.access_token, '/mcp', call)
  expect(answer.status).toBe(200)
  expect(JSON.stringify(answer.body)).toContain('Ada')
})

test('a client on a computer works as a new agent, unless the person decides otherwise', async () => {
  const w = await oauthWorld()
  const client_id = await registerNative(w)
  const answer = await consent(w.browser, authorizePath(authorizeFields(client_id)))
  const code = new URL(answer.headers.get('location')!).searchParams.get('code')!
  const { body } = await w.token(codeFields(client_id, code))
  const hello = { name: 'svc_user_context', arguments: { action: 'hello' } }
  const self = await w.mcp(body.access_token, '/mcp', { method: 'tools/call', params: hello })
  expect(JSON.stringify(self.body)).toContain('Lantern')
  const { items } = await w.ada['agents.list']({ team_id: w.team_id })
  expect(items.find(({ name }) => name === 'Lantern')).toMatchObject({
    state: 'active',
    hasMcpToken: true,
    owner_id: w.ada.caller.actor_id,
  })
})

test('refreshing returns a new pair, and the old refresh token revokes everything later', async () => {
  const w = await oauthWorld()
  const first = await tokens(w)
  const second = await w.token(refreshFields(first))
  expect(second.status).toBe(200)
  expect(second.body.refresh_token).not.toBe(first.refresh_token)
  expect((await w.mcp(second.body.access_token)).status).toBe(200)
  w.clock.advance(31_000)
  const again = await w.token(refreshFields(first))
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  expect((await w.mcp(second.body.access_token)).status).toBe(401)
  const current = await w.token(refreshFields({ ...first, ...second.body }))
  expect(current.body.error).toBe('invalid_grant')
})

test('two processes of a client that refresh at the same time both get tokens', async () => {
  const w = await oauthWorld()
  const first = await tokens(w)
  const answers = await Promise.all([w.token(refreshFields(first)), w.token(refreshFields(first))])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [one, other] = answers.map(({ body }) => body.refresh_token)
  expect(one).toBe(other)
})

test('a device gets tokens once a person has typed its code and allowed it', async () => {
  const w = await oauthWorld()
  const client_id = await registerNative(w)
  const { body: device } = await w.startDevice({ client_id, scope: 'tasks:read' })
  expect(device).toMatchObject({ verification_uri: 'http://localhost/device', interval: 5 })
  const poll = () =>
    w.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
      client_id,
    })
  expect((await poll()).body.error).toBe('authorization_pending')
  expect((await poll()).body.error).toBe('slow_down')
  const page = await w.browser.post('/device', { code: device.user_code.toLowerCase() })
  expect(page.text).toContain(device.user_code)
  const done = await answerConsent(w.browser, page.text, { who: 'me' })
  expect([done.status, done.text.includes('is connected')]).toEqual([200, true])
  const { status, body } = await poll()
  expect([status, body.scope]).toEqual([200, 'tasks:read'])
  expect((await w.mcp(body.access_token)).status).toBe(200)
})
