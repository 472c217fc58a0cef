import { expect, test } from 'bun:test'
import { AUTHORIZE_ATTACKS } from './attacks-authorize.ts'
import { CLIENT_ATTACKS } from './attacks-client.ts'
import { RESOURCE_ATTACKS } from './attacks-resource.ts'
import { TOKEN_ATTACKS } from './attacks-token.ts'
import {
  authorizeFields,
  authorizePath,
  oauthWorld,
  registerNative,
  tokens,
} from './oauth-client.ts'

const ATTACKS = [...AUTHORIZE_ATTACKS, ...CLIENT_ATTACKS, ...RESOURCE_ATTACKS, ...TOKEN_ATTACKS]

for (const { name, run, refused, env } of ATTACKS)
  test(`${name} is refused`, async () => {
    const w = await oauthWorld(env)
    expect(await run(w)).toEqual(refused)
  })

test('each attack has a name of its own', () => {
  expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length)
})

test('the consent page cannot be framed, and its form leads only here and to the app', async () => {
  const w = await oauthWorld()
  const path = authorizePath(authorizeFields(await registerNative(w)))
  const { headers, text } = await w.browser.get(path)
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("form-action 'self' http://127.0.0.1:5000;")
  expect(policy).toStartWith("default-src 'none'")
  expect(text).not.toMatch(/<script|\son\w+=/)
})

test('the name of an app is shown as text, without characters that hide or reorder it', async () => {
  const w = await oauthWorld()
  const client_name = '<b>Claude</b>\u202e\u0000 "x"'
  const path = authorizePath(authorizeFields(await registerNative(w, { client_name })))
  const { text } = await w.browser.get(path)
  expect(text).toContain('&lt;b&gt;Claude&lt;/b&gt; &quot;x&quot;')
})

test('no endpoint for apps accepts the session of a person', async () => {
  const w = await oauthWorld()
  await tokens(w)
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    const { status } = await w.browser.post(path, { client_id: 'cork', token: 'x' })
    expect(status).toBe(path === '/oauth/revoke' ? 200 : 400)
  }
  expect((await w.ada['grants.list']({})).apps.length).toBe(1)
})
