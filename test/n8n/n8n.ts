import { join } from 'node:path'
import { freePort } from '../keycloak/free-port.ts'
import { runOrThrow } from '../support/commands.ts'

const VERSION = '2.40.7'
/** n8n needs a newer Node than this project does. */
const NODE = `node-${process.platform}-${process.arch}@24.22.3`

/** Busy machines need minutes. */
const START_MS = 600_000

const nodeFolder = (folder: string) => join(folder, 'node_modules', NODE.split('@')[0]!, 'bin')

/** Installs n8n from npm, or takes the folder in CORK_TEST_N8N, where it was installed. */
async function install(folder: string): Promise<string> {
  const installed = process.env.CORK_TEST_N8N
  if (installed) return installed
  await Bun.write(join(folder, 'package.json'), '{ "private": true }')
  const flags = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  await runOrThrow(['npm', 'install', ...flags, `n8n@${VERSION}`, NODE])
  // Of all packages, only these have to be compiled, for the Node that runs them.
  const path = `PATH=${nodeFolder(folder)}:${process.env.PATH}`
  await runOrThrow(['env', path, 'npm', 'rebuild', '--prefix', folder, 'sqlite3', 'isolated-vm'])
  return folder
}

interface Options {
  port: number
  workflow: object
  /** The value of the header that the credential "Corkboard" sends. */
  authorization: string
}

/** Starts a real n8n with one published workflow. */
export async function startN8n(folder: string, { port, workflow, authorization }: Options) {
  const installed = await install(folder)
  const nodePath = nodeFolder(installed)
  const program = [join(nodePath, 'node'), join(installed, 'node_modules/n8n/bin/n8n')]
  const env = {
    PATH: `${nodePath}:${process.env.PATH}`,
    HOME: folder,
    N8N_USER_FOLDER: folder,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    N8N_ENCRYPTION_KEY: 'only for tests',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    NODE_FUNCTION_ALLOW_BUILTIN: 'crypto',
  }
  const command = async (...args: string[]) => {
    const run = Bun.spawn([...program, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
    const [out, error] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
    ])
    if ((await run.exited) !== 0) throw new Error(`n8n ${args.join(' ')}: ${out}${error}`)
    return out
  }
  const write = async (name: string, content: object) => {
    const file = join(folder, name)
    await Bun.write(file, JSON.stringify(content))
    return `--input=${file}`
  }
  const data = { name: 'Authorization', value: authorization }
  const header = { id: 'corkboard', name: 'Corkboard', type: 'httpHeaderAuth', data }
  await command('import:credentials', await write('credentials.json', [header]))
  // What somebody pastes gets an id from the editor.
  await command('import:workflow', await write('workflow.json', [{ ...workflow, id: 'corkboard' }]))
  await command('publish:workflow', '--id=corkboard')
  const server = Bun.spawn([...program, 'start'], {
    ...{ env, stdio: ['ignore', 'ignore', 'ignore'] as const },
  })
  const url = `http://127.0.0.1:${port}`
  for (const until = performance.now() + START_MS; ; await Bun.sleep(200)) {
    if ((await fetch(`${url}/healthz/readiness`).catch(() => undefined))?.ok) break
    if (performance.now() > until) throw new Error('n8n did not start')
  }
  return {
    async stop() {
      server.kill()
      await server.exited
    },
  }
}
