import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, cork, createFolder, sendRequest } from '../binary/cork.ts'
import {
  caddy,
  caddyPath,
  countStatuses,
  curl,
  findExample,
  HOST,
  nginx,
  nginxPath,
  PASSWORD,
  signInArgs,
  startServerBehindProxy,
} from './proxies.ts'

afterAll(cleanUp)

/** A server behind a proxy, with the address of the proxy. */
async function startBehindProxy(proxy: typeof nginx, trusted: string) {
  const server = await startServerBehindProxy(trusted, `https://${HOST}`)
  const proxyProcess = await proxy(server.upstream)
  return {
    server,
    urlOf: (path: string) => proxyProcess.url + path,
    async end() {
      await proxyProcess.end()
      return server.end()
    },
  }
}
type ProxiedServer = Awaited<ReturnType<typeof startBehindProxy>>

for (const proxy of [nginx, caddy])
  describe(`behind ${proxy.name} as docs/install.md sets it up`, () => {
    let proxied: ProxiedServer
    beforeAll(async () => {
      proxied = await startBehindProxy(proxy, 'loopback')
    })
    afterAll(() => proxied?.end())

    test('200 anonymous requests from one address are limited and affect no other address or key', async () => {
      const requests = [proxied.urlOf('/api/v1/projects?[1-200]')]
      expect(await countStatuses(requests, '127.0.0.2')).toEqual({ 401: 120, 429: 80 })
      const single = [proxied.urlOf('/api/v1/projects')]
      expect(await countStatuses(single, '127.0.0.3')).toEqual({ 401: 1 })
      const key = ['--header', `Authorization: Bearer ${proxied.server.api_key}`]
      expect(await countStatuses([...key, ...single], '127.0.0.2')).toEqual({ 200: 1 })
      expect(await countStatuses([proxied.urlOf('/sign-in')], '127.0.0.2')).toEqual({ 200: 1 })
    })

    test('50 wrong passwords block that email at that address, and nobody else', async () => {
      const wrongPassword = [
        ...signInArgs('ada@example.com', 'wrong'),
        proxied.urlOf('/sign-in?[1-50]'),
      ]
      expect(await countStatuses(wrongPassword, '127.0.0.4')).toEqual({ 401: 5, 429: 45 })
      const rightPassword = (email: string) => [
        ...signInArgs(email, PASSWORD),
        proxied.urlOf('/sign-in'),
      ]
      expect(await countStatuses(rightPassword('ada@example.com'), '127.0.0.4')).toEqual({ 429: 1 })
      expect(await countStatuses(rightPassword('ada@example.com'), '127.0.0.5')).toEqual({ 303: 1 })
      expect(await countStatuses(rightPassword('ben@example.com'), '127.0.0.4')).toEqual({ 303: 1 })
    })

    test('a client that forges forwarding headers is limited by its real address', async () => {
      const spoofed = (at: number) => [
        ...['--header', `X-Forwarded-For: 203.0.113.${at}`],
        ...['--header', `Forwarded: for=203.0.113.${at}`],
        proxied.urlOf(`/api/v1/projects?[1-70]`),
      ]
      expect(await countStatuses(spoofed(1), '127.0.0.6')).toEqual({ 401: 70 })
      expect(await countStatuses(spoofed(2), '127.0.0.6')).toEqual({ 401: 50, 429: 20 })
    })

    test('a file of 15 MB passes, and one of 17 MB is refused with 413', async () => {
      const task = await createTask(proxied)
      const upload = (bytes: number) => {
        const path = join(createFolder(), 'file.bin')
        writeFileSync(path, Buffer.alloc(bytes, bytes))
        const key = ['--header', `Authorization: Bearer ${proxied.server.api_key}`]
        const form = [
          '--form',
          `file=@${path}`,
          proxied.urlOf(`/api/v1/tasks/${task}/attachments/upload`),
        ]
        return countStatuses([...key, '--header', 'Expect:', ...form])
      }
      expect(await upload(15 * 1024 * 1024)).toEqual({ 201: 1 })
      expect(await upload(17 * 1024 * 1024)).toEqual({ 413: 1 })
    })

    test('the event stream is passed on without buffering', async () => {
      const key = ['--header', `Authorization: Bearer ${proxied.server.api_key}`]
      const stream = curl([...key, '--max-time', '3', proxied.urlOf('/api/v1/events')])
      // curl times out (28) and prints the status that it has received by then.
      expect(await stream).toEqual({ out: '200', code: 28 })
    })

    test('responses have HSTS and nosniff headers, and /metrics is forbidden', async () => {
      const path = join(createFolder(), 'headers')
      await curl(['--dump-header', path, proxied.urlOf('/sign-in')])
      const headers = (await Bun.file(path).text()).toLowerCase()
      expect(headers).toContain('strict-transport-security: max-age=31536000\r\n')
      expect(headers).toContain('x-content-type-options: nosniff\r\n')
      expect(await countStatuses([proxied.urlOf('/metrics')])).toEqual({ 403: 1 })
    })
  })

describe('behind a proxy that is not trusted', () => {
  test('the log warns once, cork doctor warns too, and known browsers can still sign in', async () => {
    const proxied = await startBehindProxy(nginx, '')
    const jar = join(createFolder(), 'cookies')
    const rightPassword = [...signInArgs('ada@example.com', PASSWORD), proxied.urlOf('/sign-in')]
    expect(await countStatuses(['--cookie-jar', jar, ...rightPassword], '127.0.0.2')).toEqual({
      303: 1,
    })
    const wrongPassword = [
      ...signInArgs('ada@example.com', 'wrong'),
      proxied.urlOf('/sign-in?[1-50]'),
    ]
    expect(await countStatuses(wrongPassword, '127.0.0.3')).toEqual({ 401: 5, 429: 45 })
    expect(await countStatuses([proxied.urlOf('/api/v1/projects?[1-200]')], '127.0.0.3')).toEqual({
      401: 120,
      429: 80,
    })
    const device = join(createFolder(), 'device')
    const deviceCookies = (await Bun.file(jar).text())
      .split('\n')
      .filter((line) => /cork_device/.test(line))
    writeFileSync(device, `# Netscape HTTP Cookie File\n${deviceCookies.join('\n')}\n`)
    expect(await countStatuses(['--cookie', device, ...rightPassword], '127.0.0.2')).toEqual({
      303: 1,
    })
    const signedIn = ['--cookie', jar, proxied.urlOf('/api/v1/projects')]
    expect(await countStatuses(signedIn, '127.0.0.2')).toEqual({ 200: 1 })
    const { out } = await cork(['doctor', '--data', proxied.server.data], {
      env: proxied.server.env,
    })
    expect(out).toContain('warning  proxy: one seems to be in front, at 127.0.0.1')
    expect(out).toContain('Set CORK_TRUSTED_PROXIES=127.0.0.1')
    await proxied.end()
    const warnings = (await proxied.server.err()).match(/a proxy seems to be in front/g)
    expect(warnings).toHaveLength(1)
  })
})

async function createTask({ server }: ProxiedServer): Promise<string> {
  const { upstream, api_key, team_id } = server
  const post = async (path: string, body: unknown) =>
    (await sendRequest(upstream, api_key, 'POST', path, body)).body.data
  const { project_id } = await post('/api/v1/projects', {
    ...{ team_id, title: 'Files', sections: [{ title: 'To do' }] },
  })
  return (await post('/api/v1/tasks', { project_id, title: 'Files' })).ticket_number
}

for (const proxy of [nginxPath, caddyPath])
  test(`${proxy.name} of docs/install.md forwards the path and its metadata, and nothing else`, async () => {
    const server = await startServerBehindProxy('loopback', `http://${HOST}/board`)
    const { url, end } = await proxy(server.upstream)
    const statusOf = async (path: string) => (await curl([url + path])).out
    for (const path of [
      '/board/sign-in',
      '/board/healthz',
      '/board/docs/manual',
      '/board/look.css',
    ])
      expect([path, await statusOf(path)]).toEqual([path, '200'])
    expect(await statusOf('/board')).toBe('303')
    expect(await statusOf('/sign-in')).not.toBe('303')
    const unknown = await curl([`${url}/.well-known/unknown/board`, '--header', 'Accept: a/b'])
    expect(unknown.out).toBe('404')
    expect(
      await countStatuses([...signInArgs('ada@example.com', PASSWORD), `${url}/board/sign-in`]),
    ).toEqual({
      303: 1,
    })
    await end()
    await server.end()
  })

test('the Traefik example for a path matches the path and its metadata', () => {
  const { http } = Bun.YAML.parse(findExample('yaml', 'path')) as Traefik
  const [, pattern] = /PathRegexp\(`(.*)`\)/.exec(http.routers.corkboard!.rule)!
  const matches = (path: string) => new RegExp(pattern!).test(path)
  for (const path of ['/board', '/board/', '/board/t/A-1', '/.well-known/x/board/mcp'])
    expect([path, matches(path)]).toEqual([path, true])
  for (const path of ['/', '/boarding', '/x/board', '/.well-known/x'])
    expect([path, matches(path)]).toEqual([path, false])
})

test('the Traefik example defines everything it names and points to the server', () => {
  const { http } = Bun.YAML.parse(findExample('yaml')) as Traefik
  const { rule, service, middlewares } = http.routers.corkboard!
  expect(rule).toBe(`Host(\`${HOST}\`)`)
  for (const name of middlewares) expect(http.middlewares[name]).toBeDefined()
  const { loadBalancer } = http.services[service]!
  expect(loadBalancer.servers).toEqual([{ url: 'http://127.0.0.1:3210' }])
})

interface Traefik {
  http: {
    routers: Record<string, { rule: string; service: string; middlewares: string[] }>
    middlewares: Record<string, { headers: { customRequestHeaders: Record<string, string> } }>
    services: Record<string, { loadBalancer: { servers: { url: string }[] } }>
  }
}
