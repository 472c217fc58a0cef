import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proxy } from '../../scripts/proxies.ts'
import { cork, ended, folder, initiated, type Serving, serving } from '../binary/cork.ts'
import { root } from '../tidy/files.ts'

export const PASSWORD = 'correct horse battery'
export const HOST = 'board.example.com'
const STARTED_WITHIN_MS = 15_000

const guide = readFileSync(join(root, 'docs/install.md'), 'utf8')

/** The last example of the installation guide in that language that points to the server. */
export function example(language: string): string {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))]
  const found = blocks.map(([, block]) => block!).findLast((block) => block.includes(':3210'))
  if (!found) throw new Error(`docs/install.md has no example for ${language}`)
  return found
}

/** Replaces values that depend on the machine; each of them must be in the example. */
export function adapted(text: string, changes: Record<string, string>): string {
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`The example no longer has ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** Starts a proxy of the system packages; `end` stops it. */
export async function started(name: string, args: string[], url: string) {
  const program = proxy(name)
  if (!program)
    throw new Error(
      `There is no ${name} on this machine. Install its package, or leave these tests out with CORK_TEST_SKIP=proxy`,
    )
  const run = Bun.spawn([program, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: folder(), XDG_DATA_HOME: folder() },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = new Response(run.stderr).text()
  const until = performance.now() + STARTED_WITHIN_MS
  while ((await curl([`${url}/healthz`])).out !== '200') {
    if (run.exitCode !== null) throw new Error(`${name} ended: ${await said}`)
    if (performance.now() > until) {
      run.kill('SIGTERM')
      throw new Error(`${name} does not answer at ${url}`)
    }
    await Bun.sleep(100)
  }
  return {
    url,
    async end() {
      run.kill('SIGTERM')
      await run.exited
    },
  }
}

/** nginx with the example of the guide, its certificate and port replaced. */
export async function nginx(upstream: string) {
  const [home, port] = [folder(), freePort()]
  const certificate = join(home, 'tls.pem')
  const key = join(home, 'tls.key')
  const subject = ['-subj', `/CN=${HOST}`, '-days', '2', '-keyout', key, '-out', certificate]
  await ended(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
  const server = adapted(example('nginx'), {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    [`/etc/ssl/${HOST}.pem`]: certificate,
    [`/etc/ssl/${HOST}.key`]: key,
    'http://127.0.0.1:3210': upstream,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(home, kind)};`,
  )
  const config = join(home, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; pid ${join(home, 'pid')}; error_log stderr warn; events {}
http { access_log off; ${temporary.join(' ')}
${server} }`,
  )
  return started('nginx', ['-e', 'stderr', '-c', config], `https://${HOST}:${port}`)
}

/** Caddy with the example of the guide, on a port of its own and without a certificate. */
export async function caddy(upstream: string) {
  const [home, port] = [folder(), freePort()]
  const site = adapted(example('caddyfile'), {
    [`${HOST} {`]: `http://${HOST}:${port} {`,
    '127.0.0.1:3210': upstream.replace('http://', ''),
  })
  const config = join(home, 'Caddyfile')
  writeFileSync(config, `{\n\tadmin off\n}\n${site}`)
  const args = ['run', '--config', config, '--adapter', 'caddyfile']
  return started('caddy', args, `http://${HOST}:${port}`)
}

/** A server with an owner, Ada, and a member, Ben, who have the same password. */
export async function behindProxy(trusted: string, url: string) {
  const { data, api_key, team_id } = await initiated()
  const ben = ['--email', 'ben@example.com', '--name', 'Ben', '--team', 'Harbour']
  await cork(['user', 'add', ...ben, '--role', 'member', '--data', data])
  for (const email of ['ada@example.com', 'ben@example.com'])
    await cork(['user', 'password', '--email', email, '--password-stdin', '--data', data], {
      input: PASSWORD,
    })
  const env = { CORK_RATE_LIMIT_BASE: '120', CORK_TRUSTED_PROXIES: trusted, CORK_URL: url }
  const port = String(freePort())
  const server: Serving = await serving(data, { env, args: ['--port', port] })
  return { ...server, upstream: `http://127.0.0.1:${port}`, env, data, api_key, team_id }
}

/** Sends requests from that address and returns the status of each, one on each line. */
export async function curl(args: string[], from = '127.0.0.1') {
  const common = ['--silent', '--insecure', '--interface', from, '--connect-to', '::127.0.0.1:']
  const told = ['--output', '/dev/null', '--write-out', '%{http_code}\\n']
  const { out, code } = await ended(['curl', ...common, ...told, ...args])
  return { out: out.trim(), code }
}

/** The number of responses by status; `[1-200]` in a URL sends 200 requests. */
export async function statuses(args: string[], from?: string): Promise<Record<string, number>> {
  const { out } = await curl(args, from)
  return Object.fromEntries(
    [...Map.groupBy(out.split('\n'), (status) => status)].map(([status, all]) => [
      status,
      all.length,
    ]),
  )
}

/** A sign-in as the form of the page sends it. */
export const signIn = (email: string, password: string) => [
  ...['--header', 'Sec-Fetch-Site: same-origin'],
  ...['--data-urlencode', `email=${email}`, '--data-urlencode', `password=${password}`],
]

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  probe.stop()
  return probe.port
}
