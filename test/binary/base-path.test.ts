import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startMailServer } from '../support/smtp.ts'
import { waitUntil } from '../support/wait.ts'
import { connectSse } from '../surfaces/mcp-client.ts'
import { connectClient } from './agent-client.ts'
import {
  cleanUp,
  cork,
  initDataFolder,
  type RunningServer,
  sendRequest,
  startServer,
} from './cork.ts'
import { type PathProxyKind, startPathProxy } from './path-proxy.ts'

afterAll(cleanUp)

for (const kind of ['keeps', 'strips'] satisfies PathProxyKind[])
  describe(`a server below a path, behind a proxy that ${kind} it`, () => {
    const proxy = startPathProxy(kind, ['/board'])
    let mailServer: Awaited<ReturnType<typeof startMailServer>>
    let owner: Awaited<ReturnType<typeof initDataFolder>>
    let server: RunningServer
    let env: Record<string, string>
    beforeAll(async () => {
      mailServer = await startMailServer()
      owner = await initDataFolder()
      const { env: CORK, args } = proxy.serverFor('/board')
      env = { ...CORK, CORK_SMTP_URL: `${mailServer.url}?from=cork@example.com` }
      server = await startServer(owner.data, { env, args })
    })
    afterAll(async () => {
      await server.end()
      proxy.stop()
    })
    const send = (method: string, path: string, body?: unknown) =>
      sendRequest(server.url, owner.api_key, method, path, body)

    test('prints its address with the path', () => {
      expect(server.url).toBe(`${proxy.origin}/board`)
    })

    test('answers of the API, MCP and documents name addresses below the path', async () => {
      const { team_id } = owner
      const board = await send('POST', '/api/v1/projects', {
        ...{ team_id, title: 'Home', sections: [{ title: 'To do' }] },
      })
      const { project_id } = board.body.data
      const task = await send('POST', '/api/v1/tasks', { project_id, title: 'Paint' })
      expect(task.body.data.url).toBe(`${server.url}/t/${task.body.data.ticket_number}`)
      const { body } = await send('POST', '/api/v1/agents', { team_id, name: 'Beacon' })
      const configuration = body.data.client_configuration
      expect(configuration.url).toBe(`${server.url}/mcp`)
      const client = await connectClient(configuration)
      const found = await client.callTool('svc_tasks', 'get', {
        ticket_number: task.body.data.url,
      })
      expect(found.title).toBe('Paint')
      await client.close()
      const older = await connectSse(server.url, { secret: body.data.token })
      expect((await older.listTools()).tools.length).toBeGreaterThan(10)
      await older.close()
      const document = await (await fetch(`${server.url}/docs/json`)).json()
      expect(document.servers).toEqual([{ url: '/board' }])
      const guide = await (await fetch(`${server.url}/llms.txt`)).text()
      expect(guide).toContain(`Endpoint: ${server.url}/mcp `)
      const operations = await (await fetch(`${server.url}/docs/api.md`)).text()
      expect(operations).toContain('](/board/docs/api/tasks.get.md)')
    })

    test('a sign-out leads to the sign-in page below the path', async () => {
      const response = await fetch(`${server.url}/sign-out`, {
        ...{ method: 'POST', redirect: 'manual', headers: { 'sec-fetch-site': 'same-origin' } },
      })
      expect(response.headers.get('location')).toBe('/board/sign-in')
    })

    test('the link in an email opens the invitation', async () => {
      const invitation = { email: 'eve@example.com', role: 'member' }
      await send('POST', `/api/v1/teams/${owner.team_id}/invitations`, invitation)
      await waitUntil(() => mailServer.emails.length === 1)
      const [, link] = /^Join the team: (\S+)$/m.exec(mailServer.emails[0]!.text)!
      expect(link).toStartWith(`${server.url}/invitations/`)
      const page = await (await fetch(link!)).text()
      expect(page).toContain('Join Harbour')
      expect(page).toContain(`action="${new URL(link!).pathname}"`)
    })

    test('the command line uses the address with the path', async () => {
      const asOwner = { env: { CORK_URL: server.url, CORK_TOKEN: owner.api_key } }
      const { out, code } = await cork(['projects', 'list', '--json'], asOwner)
      expect({
        code,
        titles: JSON.parse(out).map(({ title }: { title: string }) => title),
      }).toEqual({
        code: 0,
        titles: ['Home'],
      })
      const whoami = await cork(['whoami'], asOwner)
      expect(whoami.out).toContain(server.url)
    })

    test('cork doctor finds the path and its metadata forwarded', async () => {
      const { out } = await cork(['doctor', '--data', owner.data], { env })
      expect(out).toContain('path: /board and its metadata are forwarded')
    })
  })

test('cork doctor warns when a proxy does not forward the metadata', async () => {
  const { data } = await initDataFolder()
  const proxy = startPathProxy('keeps', ['/board'])
  const { env, args } = proxy.serverFor('/board')
  const server = await startServer(data, { env, args })
  proxy.forwardNoMetadata()
  const { out } = await cork(['doctor', '--data', data], { env })
  expect(out).toContain('/.well-known/oauth-protected-resource/board does not lead to this server')
  await server.end()
  const stopped = await cork(['doctor', '--data', data], { env })
  expect(stopped.out).toContain(`no server for /board answers at ${server.url}`)
  proxy.stop()
})

for (const url of [
  'https://example.com/a b',
  'https://example.com/x?y=1',
  'https://example.com//x',
])
  test(`CORK_URL=${url} is refused with an example of an address`, async () => {
    const { err, code } = await cork(['config'], { env: { CORK_URL: url } })
    expect([code, err + (await cork(['config'], { env: { CORK_URL: url } })).out]).toEqual([
      expect.any(Number),
      expect.stringContaining('or https://example.com/board'),
    ])
  })
