import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, cork, folder, sweep } from '../binary/cork.ts'
import {
  behindProxy,
  caddy,
  curl,
  example,
  HOST,
  nginx,
  PASSWORD,
  signIn,
  statuses,
} from './proxies.ts'

afterAll(sweep)

/** A server behind a proxy, with the address of the proxy. */
async function fronted(proxy: typeof nginx, trusted: string) {
  const server = await behindProxy(trusted, `https://${HOST}`)
  const front = await proxy(server.upstream)
  return {
    server,
    address: (path: string) => front.url + path,
    async end() {
      await front.end()
      return server.end()
    },
  }
}
type Fronted = Awaited<ReturnType<typeof fronted>>

for (const proxy of [nginx, caddy])
  describe(`behind ${proxy.name} as docs/install.md sets it up`, () => {
    let it: Fronted
    beforeAll(async () => {
      it = await fronted(proxy, 'loopback')
    })
    afterAll(() => it?.end())

    test('200 anonymous requests from one address are limited and affect no other address or key', async () => {
      const many = [it.address('/api/v1/projects?[1-200]')]
      expect(await statuses(many, '127.0.0.2')).toEqual({ 401: 120, 429: 80 })
      const once = [it.address('/api/v1/projects')]
      expect(await statuses(once, '127.0.0.3')).toEqual({ 401: 1 })
      const key = ['--header', `Authorization: Bearer ${it.server.api_key}`]
      expect(await statuses([...key, ...once], '127.0.0.2')).toEqual({ 200: 1 })
      expect(await statuses([it.address('/sign-in')], '127.0.0.2')).toEqual({ 200: 1 })
    })

    test('50 wrong passwords block that email at that address, and nobody else', async () => {
      const wrong = [...signIn('ada@example.com', 'wrong'), it.address('/sign-in?[1-50]')]
      expect(await statuses(wrong, '127.0.0.4')).toEqual({ 401: 5, 429: 45 })
      const right = (email: string) => [...signIn(email, PASSWORD), it.address('/sign-in')]
      expect(await statuses(right('ada@example.com'), '127.0.0.4')).toEqual({ 429: 1 })
      expect(await statuses(right('ada@example.com'), '127.0.0.5')).toEqual({ 303: 1 })
      expect(await statuses(right('ben@example.com'), '127.0.0.4')).toEqual({ 303: 1 })
    })

    test('a client that forges forwarding headers is limited by its real address', async () => {
      const spoofed = (at: number) => [
        ...['--header', `X-Forwarded-For: 203.0.113.${at}`],
        ...['--header', `Forwarded: for=203.0.113.${at}`],
        it.address(`/api/v1/projects?[1-70]`),
      ]
      expect(await statuses(spoofed(1), '127.0.0.6')).toEqual({ 401: 70 })
      expect(await statuses(spoofed(2), '127.0.0.6')).toEqual({ 401: 50, 429: 20 })
    })

    test('a file of 15 MB passes, and one of 17 MB is refused with 413', async () => {
      const task = await makeTask(it)
      const upload = (bytes: number) => {
        const path = join(folder(), 'file.bin')
        writeFileSync(path, Buffer.alloc(bytes, bytes))
        const key = ['--header', `Authorization: Bearer ${it.server.api_key}`]
        const form = [
          '--form',
          `file=@${path}`,
          it.address(`/api/v1/tasks/${task}/attachments/upload`),
        ]
        return statuses([...key, '--header', 'Expect:', ...form])
      }
      expect(await upload(15 * 1024 * 1024)).toEqual({ 201: 1 })
      expect(await upload(17 * 1024 * 1024)).toEqual({ 413: 1 })
    })

    test('the event stream is passed on without buffering', async () => {
      const key = ['--header', `Authorization: Bearer ${it.server.api_key}`]
      const stream = curl([...key, '--max-time', '3', it.address('/api/v1/events')])
      // curl times out (28) and prints the status that it has received by then.
      expect(await stream).toEqual({ out: '200', code: 28 })
    })

    test('responses have HSTS and nosniff headers, and /metrics is forbidden', async () => {
      const path = join(folder(), 'headers')
      await curl(['--dump-header', path, it.address('/sign-in')])
      const headers = (await Bun.file(path).text()).toLowerCase()
      expect(headers).toContain('strict-transport-security: max-age=31536000\r\n')
      expect(headers).toContain('x-content-type-options: nosniff\r\n')
      expect(await statuses([it.address('/metrics')])).toEqual({ 403: 1 })
    })
  })

describe('behind a proxy that is not trusted', () => {
  test('the log warns once, cork doctor warns too, and known browsers can still sign in', async () => {
    const it = await fronted(nginx, '')
    const jar = join(folder(), 'cookies')
    const right = [...signIn('ada@example.com', PASSWORD), it.address('/sign-in')]
    expect(await statuses(['--cookie-jar', jar, ...right], '127.0.0.2')).toEqual({ 303: 1 })
    const wrong = [...signIn('ada@example.com', 'wrong'), it.address('/sign-in?[1-50]')]
    expect(await statuses(wrong, '127.0.0.3')).toEqual({ 401: 5, 429: 45 })
    expect(await statuses([it.address('/api/v1/projects?[1-200]')], '127.0.0.3')).toEqual({
      401: 120,
      429: 80,
    })
    const device = join(folder(), 'device')
    const kept = (await Bun.file(jar).text()).split('\n').filter((line) => /cork_device/.test(line))
    writeFileSync(device, `# Netscape HTTP Cookie File\n${kept.join('\n')}\n`)
    expect(await statuses(['--cookie', device, ...right], '127.0.0.2')).toEqual({ 303: 1 })
    const signedIn = ['--cookie', jar, it.address('/api/v1/projects')]
    expect(await statuses(signedIn, '127.0.0.2')).toEqual({ 200: 1 })
    const { out } = await cork(['doctor', '--data', it.server.data], { env: it.server.env })
    expect(out).toContain('warning  proxy: one seems to be in front, at 127.0.0.1')
    expect(out).toContain('Set CORK_TRUSTED_PROXIES=127.0.0.1')
    await it.end()
    const noticed = (await it.server.err()).match(/a proxy seems to be in front/g)
    expect(noticed).toHaveLength(1)
  })
})

async function makeTask({ server }: Fronted): Promise<string> {
  const { upstream, api_key, team_id } = server
  const make = async (path: string, body: unknown) =>
    (await ask(upstream, api_key, 'POST', path, body)).body.data
  const { project_id } = await make('/api/v1/projects', {
    ...{ team_id, title: 'Files', sections: [{ title: 'To do' }] },
  })
  return (await make('/api/v1/tasks', { project_id, title: 'Files' })).ticket_number
}

test('the Traefik example defines everything it names and points to the server', () => {
  const { http } = Bun.YAML.parse(example('yaml')) as Traefik
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
