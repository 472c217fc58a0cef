import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../keycloak/free-port.ts'

const MODULE = 'code.gitea.io/gitea@v1.23.8'
const START_MS = 60_000

async function run(command: string[], cwd?: string): Promise<string> {
  const child = Bun.spawn(command, { ...(cwd && { cwd }), stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${out}${error}`)
  return out
}

/** Builds Gitea from its Go module, or takes the folder in CORK_TEST_GITEA, where it was built. */
async function build(folder: string): Promise<{ program: string; source: string }> {
  const built = process.env.CORK_TEST_GITEA
  if (built) return { program: join(built, 'gitea'), source: built }
  const { Dir } = JSON.parse(await run(['go', 'mod', 'download', '-json', MODULE])) as {
    Dir: string
  }
  const source = join(folder, 'source')
  await run(['cp', '-r', Dir, source])
  await run(['chmod', '-R', 'u+w', source])
  await run(['go', 'build', '-tags', 'sqlite sqlite_unlock_notify', '-o', 'gitea', '.'], source)
  return { program: join(source, 'gitea'), source }
}

const configuration = (folder: string, source: string, port: number) => `
RUN_USER = ${process.env.USER || 'root'}
RUN_MODE = prod
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
APP_DATA_PATH = ${folder}/data
STATIC_ROOT_PATH = ${source}
OFFLINE_MODE = true
DISABLE_SSH = true
[database]
DB_TYPE = sqlite3
PATH = ${folder}/gitea.db
[repository]
ROOT = ${folder}/repositories
[security]
INSTALL_LOCK = true
SECRET_KEY = only-for-tests
[service]
DISABLE_REGISTRATION = true
[webhook]
ALLOWED_HOST_LIST = *
[log]
LEVEL = error
`

/** Starts a real Gitea with an empty database. */
export async function startGitea(folder: string) {
  const { program, source } = await build(folder)
  const port = await freePort()
  const file = join(folder, 'app.ini')
  mkdirSync(join(folder, 'data'), { recursive: true })
  await Bun.write(file, configuration(folder, source, port))
  const options = ['--config', file, '--work-path', folder]
  // Gitea refuses to run as root, unless this variable is set.
  const env = { ...process.env, GITEA_I_AM_BEING_UNSAFE_RUNNING_AS_ROOT: 'true' }
  const command = async (...args: string[]) => {
    const child = Bun.spawn([program, ...args, ...options], { env, stdout: 'pipe', stderr: 'pipe' })
    const [out, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0) throw new Error(`gitea ${args.join(' ')}: ${out}${error}`)
    return out
  }
  await command('migrate')
  const server = Bun.spawn([program, 'web', ...options], {
    ...{ env, stdio: ['ignore', 'ignore', 'ignore'] as const },
  })
  const url = `http://127.0.0.1:${port}`
  for (const until = performance.now() + START_MS; ; await Bun.sleep(100)) {
    if ((await fetch(`${url}/api/v1/version`).catch(() => undefined))?.ok) break
    if (performance.now() > until) throw new Error('Gitea did not start')
  }
  const addUser = async (name: string, isAdmin = false) => {
    const out = await command(
      ...['admin', 'user', 'create', '--username', name, '--email', `${name}@harbour.example`],
      ...['--password', `the password of ${name}`, '--must-change-password=false'],
      ...['--access-token', '--access-token-name', 'test', '--access-token-scopes', 'all'],
      ...(isAdmin ? ['--admin'] : []),
    )
    const token = /[0-9a-f]{40}/.exec(out)?.[0]
    if (!token) throw new Error(`Gitea created no token: ${out}`)
    return token
  }
  return {
    url,
    addUser,
    /** Calls the API as a user. */
    async api<T>(token: string, method: string, path: string, body?: unknown): Promise<T> {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return (text ? JSON.parse(text) : undefined) as T
    },
    async stop() {
      server.kill()
      await server.exited
    },
  }
}
