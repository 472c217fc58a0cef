import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proxy } from '../../scripts/proxies.ts'
import {
  cork,
  createFolder,
  initDataFolder,
  type RunningServer,
  runCommand,
  startServer,
} from '../binary/cork.ts'
import { root } from '../support/source-files.ts'

export const PASSWORD = 'correct horse battery'
export const HOST = 'board.example.com'
const STARTED_WITHIN_MS = 15_000

const guide = readFileSync(join(root, 'docs/install.md'), 'utf8')

/**
 * The last example of the installation guide in that language that points to the server: for a host
 * of its own, or for a path on a host.
 */
export function findExample(language: string, at: 'host' | 'path' = 'host'): string {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))]
  const match = blocks
    .map(([, block]) => block!)
    .findLast(
      (block) => block.includes('well-known') === (at === 'path') && /3210|Host/.test(block),
    )
  if (!match) throw new Error(`docs/install.md has no example for ${language}`)
  return match
}

/** Replaces values that depend on the machine; each of them must be in the example. */
export function adaptExample(text: string, changes: Record<string, string>): string {
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`The example no longer has ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** Starts a proxy of the system packages; `end` stops it. */
export async function startProxy(name: string, args: string[], url: string) {
  const program = proxy(name)
  if (!program)
    throw new Error(
      `There is no ${name} on this machine. Install its package, or leave these tests out with CORK_TEST_SKIP=proxy`,
    )
  const run = Bun.spawn([program, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: createFolder(), XDG_DATA_HOME: createFolder() },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const errorOutput = new Response(run.stderr).text()
  const deadline = performance.now() + STARTED_WITHIN_MS
  while (!['200', '404'].includes((await curl([`${url}/healthz`])).out)) {
    if (run.exitCode !== null) throw new Error(`${name} ended: ${await errorOutput}`)
    if (performance.now() > deadline) {
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
  const [directory, port] = [createFolder(), freePort()]
  const certificate = join(directory, 'tls.pem')
  const key = join(directory, 'tls.key')
  const subject = ['-subj', `/CN=${HOST}`, '-days', '2', '-keyout', key, '-out', certificate]
  await runCommand(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
  const server = adaptExample(findExample('nginx'), {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    [`/etc/ssl/${HOST}.pem`]: certificate,
    [`/etc/ssl/${HOST}.key`]: key,
    'http://127.0.0.1:3210': upstream,
  })
  return runNginx(directory, server, `https://${HOST}:${port}`)
}

/** nginx with the example for a path, without a certificate. */
export async function nginxPath(upstream: string) {
  const port = freePort()
  const location = adaptExample(findExample('nginx', 'path'), { 'http://127.0.0.1:3210': upstream })
  const server = `server { listen 127.0.0.1:${port}; server_name ${HOST};\n${location}\n}`
  return runNginx(createFolder(), server, `http://${HOST}:${port}`)
}

function runNginx(directory: string, server: string, url: string) {
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(directory, kind)};`,
  )
  const config = join(directory, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; pid ${join(directory, 'pid')}; error_log stderr warn; events {}
http { access_log off; ${temporaryPaths.join(' ')}
${server} }`,
  )
  return startProxy('nginx', ['-e', 'stderr', '-c', config], url)
}

/** Caddy with the example of the guide, on a port of its own and without a certificate. */
export const caddy = (upstream: string) => runCaddy(upstream, findExample('caddyfile'), HOST)

/** Caddy with the example for a path. */
export const caddyPath = (upstream: string) =>
  runCaddy(upstream, findExample('caddyfile', 'path'), 'example.com')

async function runCaddy(upstream: string, example: string, host: string) {
  const [directory, port] = [createFolder(), freePort()]
  const site = adaptExample(example, {
    [`${host} {`]: `http://${HOST}:${port} {`,
    '127.0.0.1:3210': upstream.replace('http://', ''),
  })
  const config = join(directory, 'Caddyfile')
  writeFileSync(config, `{\n\tadmin off\n}\n${site}`)
  const args = ['run', '--config', config, '--adapter', 'caddyfile']
  return startProxy('caddy', args, `http://${HOST}:${port}`)
}

/** A server with an owner, Ada, and a member, Ben, who have the same password. */
export async function startServerBehindProxy(trustedProxies: string, url: string) {
  const { data, api_key, team_id } = await initDataFolder()
  const ben = ['--email', 'ben@example.com', '--name', 'Ben', '--team', 'Harbour']
  await cork(['user', 'add', ...ben, '--role', 'member', '--data', data])
  for (const email of ['ada@example.com', 'ben@example.com'])
    await cork(['user', 'password', '--email', email, '--password-stdin', '--data', data], {
      input: PASSWORD,
    })
  const env = { CORK_RATE_LIMIT_BASE: '120', CORK_TRUSTED_PROXIES: trustedProxies, CORK_URL: url }
  const port = String(freePort())
  const server: RunningServer = await startServer(data, { env, args: ['--port', port] })
  return { ...server, upstream: `http://127.0.0.1:${port}`, env, data, api_key, team_id }
}

/** Sends requests from that address and returns the status of each, one on each line. */
export async function curl(args: string[], from = '127.0.0.1') {
  const common = ['--silent', '--insecure', '--interface', from, '--connect-to', '::127.0.0.1:']
  const outputOptions = ['--output', '/dev/null', '--write-out', '%{http_code}\\n']
  const { out, code } = await runCommand(['curl', ...common, ...outputOptions, ...args])
  return { out: out.trim(), code }
}

/** The number of responses by status; `[1-200]` in a URL sends 200 requests. */
export async function countStatuses(
  args: string[],
  from?: string,
): Promise<Record<string, number>> {
  const { out } = await curl(args, from)
  return Object.fromEntries(
    [...Map.groupBy(out.split('\n'), (status) => status)].map(([status, all]) => [
      status,
      all.length,
    ]),
  )
}

/** A sign-in as the form of the page sends it. */
export const signInArgs = (email: string, password: string) => [
  ...['--header', 'Sec-Fetch-Site: same-origin'],
  ...['--data-urlencode', `email=${email}`, '--data-urlencode', `password=${password}`],
]

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  probe.stop()
  return probe.port
}
