import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../keycloak/free-port.ts'
import type { NtfyMessage } from '../support/channel-servers.ts'
import { runOrThrow } from '../support/commands.ts'
import { waitUntil } from '../support/wait.ts'

const MODULE = 'heckel.io/ntfy/v2@v2.13.0'
const PASSWORD = 'the password of ben'

/** Builds ntfy from its Go module, or takes the program in CORK_TEST_NTFY. */
async function build(folder: string): Promise<string> {
  const built = process.env.CORK_TEST_NTFY
  if (built) return built
  const download = await runOrThrow(['go', 'mod', 'download', '-json', MODULE])
  const { Dir } = JSON.parse(download) as { Dir: string }
  const source = join(folder, 'source')
  await runOrThrow(['cp', '-r', Dir, source])
  await runOrThrow(['chmod', '-R', 'u+w', source])
  // The module leaves out its web app and its manual, which the program contains.
  for (const part of ['site', 'docs']) {
    mkdirSync(join(source, 'server', part), { recursive: true })
    await Bun.write(join(source, 'server', part, 'index.html'), '')
  }
  const program = join(folder, 'ntfy')
  const tags = 'sqlite_omit_load_extension,osusergo,netgo'
  await runOrThrow(['go', 'build', '-C', source, '-tags', tags, '-o', program, '.'])
  return program
}

/** Starts a real ntfy, in which only Ben may publish and read. */
export async function startNtfy(folder: string) {
  const program = await build(folder)
  const address = `127.0.0.1:${await freePort()}`
  const url = `http://${address}`
  const config = join(folder, 'server.yml')
  await Bun.write(
    config,
    [
      `base-url: ${url}`,
      `listen-http: ${address}`,
      `cache-file: ${join(folder, 'cache.db')}`,
      `auth-file: ${join(folder, 'users.db')}`,
      'auth-default-access: deny-all',
    ].join('\n'),
  )
  const server = Bun.spawn([program, 'serve', '--config', config], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await waitUntil(async () => (await fetch(`${url}/v1/health`).catch(() => undefined))?.ok)
  const user = ['user', '--config', config, 'add', '--role=admin', 'ben']
  await runOrThrow(['env', `NTFY_PASSWORD=${PASSWORD}`, program, ...user])
  const response = await fetch(`${url}/v1/account/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`ben:${PASSWORD}`)}` },
  })
  const { token } = (await response.json()) as { token: string }
  return {
    url,
    token,
    /** What a phone that is subscribed to the topic has received. */
    async messagesOf(topic: string): Promise<NtfyMessage[]> {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${url}/${topic}/json?poll=1`, { headers })
      const lines = (await response.text()).trim().split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(line) as NtfyMessage)
    },
    async stop() {
      server.kill()
      await server.exited
    },
  }
}
