import { join } from 'node:path'
import { freePort } from '../keycloak/free-port.ts'
import { runOrThrow } from '../support/commands.ts'
import { installPackages } from '../support/python.ts'
import { waitUntil } from '../support/wait.ts'

const REPOSITORY = 'https://github.com/caronc/apprise-api'
const TAG = 'v1.5.2'
const requirements = join(import.meta.dir, 'requirements.txt')

/** Clones the Apprise API, or takes the folder in CORK_TEST_APPRISE, which has its sources. */
async function sourceFolder(folder: string): Promise<string> {
  const given = process.env.CORK_TEST_APPRISE
  if (given) return given
  const source = join(folder, 'source')
  await runOrThrow(['git', 'clone', '--quiet', '--depth', '1', '--branch', TAG, REPOSITORY, source])
  return source
}

/** Starts a real Apprise API, which stores its configurations in the folder. */
export async function startApprise(folder: string) {
  const source = await sourceFolder(folder)
  const bin = await installPackages(folder, requirements, 'apprise')
  const python = join(bin, 'python')
  const address = `127.0.0.1:${await freePort()}`
  const server = Bun.spawn([python, 'manage.py', 'runserver', address, '--noreload'], {
    cwd: join(source, 'apprise_api'),
    env: { ...process.env, APPRISE_CONFIG_DIR: join(folder, 'config') },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const url = `http://${address}`
  await waitUntil(async () => (await fetch(`${url}/status`).catch(() => undefined))?.ok)
  return {
    url,
    /** The names of the services that addresses lead to, as Apprise reads them. */
    async servicesOf(addresses: readonly string[]): Promise<string[]> {
      const program =
        'import apprise, sys; [print(apprise.Apprise.instantiate(a).service_name) for a in sys.argv[1:]]'
      return (await runOrThrow([python, '-c', program, ...addresses])).trim().split('\n')
    },
    /** Stores addresses with tags under a key. */
    async store(key: string, config: string) {
      const response = await fetch(`${url}/add/${key}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ config, format: 'text' }),
      })
      if (!response.ok) throw new Error(`Apprise stored nothing: ${await response.text()}`)
    },
    async stop() {
      server.kill()
      await server.exited
    },
  }
}
