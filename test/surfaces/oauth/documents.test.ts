import { expect, test } from 'bun:test'
import { addCleanup } from '../../support/database.ts'
import { authorizeFields, authorizePath, oauthWorld, REDIRECT, tokens } from './oauth-client.ts'

const ALLOWED = { CORK_ALLOW_HOSTS: '127.0.0.1' }

/** A host with the metadata document of a client, which counts how often it is read. */
function documentHost(headers: Record<string, string> = {}) {
  const reads: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      reads.push(url)
      const document = { client_id: url, client_name: 'Lantern', redirect_uris: [REDIRECT] }
      return Response.json(document, { headers })
    },
  })
  addCleanup(() => void server.stop(true))
  return { client_id: `http://127.0.0.1:${server.port}/client.json`, reads }
}

test('a client is known by the address of its metadata document, whose host is shown', async () => {
  const w = await oauthWorld(ALLOWED)
  const { client_id } = documentHost()
  const { text } = await w.browser.get(authorizePath(authorizeFields(client_id)))
  expect(text).toContain('<strong>Lantern</strong> wants to use Corkboard')
  expect(text).toContain(`<strong>${new URL(client_id).host}</strong> (verified)`)
  const { access_token } = await tokens(w, {}, { client_id })
  expect((await w.mcp(access_token)).status).toBe(200)
})

test('a document may be read once for several people, and not before somebody is signed in', async () => {
  const w = await oauthWorld(ALLOWED)
  const { client_id, reads } = documentHost()
  const path = authorizePath(authorizeFields(client_id))
  await w.get(path)
  expect(reads.length).toBe(0)
  await Promise.all([w.browser.get(path), w.browser.get(path)])
  await (await w.signedIn('cleo')).get(path)
  expect(reads.length).toBe(1)
})

test('a document is read again after five minutes, or later if its host says so', async () => {
  const w = await oauthWorld(ALLOWED)
  const short = documentHost({ 'cache-control': 'max-age=0' })
  const long = documentHost({ 'cache-control': 'public, max-age=3600' })
  for (const minutes of [0, 4, 2]) {
    w.clock.advance(minutes * 60_000)
    for (const { client_id } of [short, long])
      await w.browser.get(authorizePath(authorizeFields(client_id)))
  }
  expect([short.reads.length, long.reads.length]).toEqual([2, 1])
})

test('a device may name a document, which is read once a person types its code', async () => {
  const w = await oauthWorld(ALLOWED)
  const { client_id, reads } = documentHost()
  const { body } = await w.startDevice({ client_id })
  expect(reads.length).toBe(0)
  const { text } = await w.browser.post('/device', { code: body.user_code })
  expect(text).toContain('<strong>Lantern</strong> wants to use Corkboard')
})

test('the redirect addresses of well-known clients can be registered', async () => {
  const w = await oauthWorld()
  const clients = {
    'VS Code': [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://localhost/',
      'http://127.0.0.1/',
      'http://localhost:33418/',
      'http://127.0.0.1:33418/',
    ],
    Cursor: ['cursor://anysphere.cursor-mcp/oauth/callback'],
    Claude: ['https://claude.ai/api/mcp/auth_callback'],
    'Claude Code': ['http://localhost:53123/callback'],
    ChatGPT: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    Inspector: ['http://localhost:6274/oauth/callback'],
    'An app on a phone': ['com.example.app:/oauth2redirect'],
  }
  for (const [client_name, redirect_uris] of Object.entries(clients)) {
    const { status, body } = await w.register({ client_name, redirect_uris })
    expect([client_name, status, body.redirect_uris]).toEqual([client_name, 201, redirect_uris])
  }
})

test('a program on the computer may listen on another port than it registered', async () => {
  const w = await oauthWorld()
  const { body } = await w.register({
    client_name: 'Lantern',
    redirect_uris: ['http://localhost/'],
  })
  const redirect_uri = 'http://localhost:49152/'
  const fields = authorizeFields(body.client_id, { redirect_uri })
  expect((await w.browser.get(authorizePath(fields))).status).toBe(200)
})
