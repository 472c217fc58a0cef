import { join } from 'node:path'
import { freePort } from '../keycloak/free-port.ts'
import { ADMIN, GROUPS, PEOPLE } from './ldap.ts'

const REPOSITORY = 'https://github.com/dexidp/dex'
const START_MS = 20_000
export const SECRET = 'the secret of the board'

async function run(command: string[], cwd?: string): Promise<void> {
  const child = Bun.spawn(command, { ...(cwd && { cwd }), stdout: 'pipe', stderr: 'pipe' })
  const [error, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${error}`)
}

/** Builds Dex from its source: the folder in CORK_TEST_DEX_SOURCE, or its repository. */
async function build(folder: string): Promise<{ program: string; source: string }> {
  const source = process.env.CORK_TEST_DEX_SOURCE ?? join(folder, 'source')
  if (!process.env.CORK_TEST_DEX_SOURCE)
    await run(['git', 'clone', '--quiet', '--depth', '1', REPOSITORY, source])
  const program = join(folder, 'dex')
  await run(['go', 'build', '-o', program, './cmd/dex'], source)
  return { program, source }
}

const configuration = (port: number, directory: string, boardUrl: string) => ({
  issuer: `http://127.0.0.1:${port}/dex`,
  storage: { type: 'memory' },
  web: { http: `127.0.0.1:${port}` },
  oauth2: { skipApprovalScreen: true },
  staticClients: [
    {
      ...{ id: 'corkboard', secret: SECRET, name: 'Corkboard' },
      redirectURIs: [`${boardUrl}/sign-in/1/callback`],
    },
  ],
  connectors: [
    {
      ...{ type: 'ldap', id: 'ldap', name: 'LDAP' },
      config: {
        ...{ host: directory, insecureNoSSL: true, bindDN: ADMIN.dn, bindPW: ADMIN.password },
        userSearch: {
          ...{ baseDN: PEOPLE, filter: '(objectClass=inetOrgPerson)', username: 'uid' },
          ...{ idAttr: 'DN', emailAttr: 'mail', nameAttr: 'cn' },
        },
        groupSearch: {
          ...{ baseDN: GROUPS, filter: '(objectClass=groupOfNames)', nameAttr: 'cn' },
          userMatchers: [{ userAttr: 'DN', groupAttr: 'member' }],
        },
      },
    },
  ],
})

/** Starts a real Dex in front of an LDAP server, with a client for the board at this address. */
export async function startDex(folder: string, directory: string, boardUrl: string) {
  const { program, source } = await build(folder)
  const port = await freePort()
  const settings = configuration(port, directory, boardUrl)
  const file = join(folder, 'dex.json')
  await Bun.write(file, JSON.stringify(settings))
  // Dex reads its pages from the folder "web" of its source.
  const server = Bun.spawn([program, 'serve', file], {
    ...{ cwd: source, stdio: ['ignore', 'ignore', 'ignore'] },
  })
  const discovery = `${settings.issuer}/.well-known/openid-configuration`
  for (const until = performance.now() + START_MS; ; await Bun.sleep(100)) {
    if ((await fetch(discovery).catch(() => undefined))?.ok) break
    if (performance.now() > until) throw new Error('Dex did not start')
  }
  return {
    issuer: settings.issuer,
    async stop() {
      server.kill()
      await server.exited
    },
  }
}
