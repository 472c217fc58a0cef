import { homedir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const VERSION = '26.0.0'
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
const GET = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get'
const REALM = join(import.meta.dir, 'harbour-realm.json')
const START_MS = 300_000
const ADMIN = { username: 'admin', password: 'the password of the admin' }

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (code !== 0) throw new Error(`${command[0]} failed: ${out}`)
}

/** Downloads Keycloak with Maven and unpacks it into the folder. Returns where it is. */
async function install(folder: string): Promise<string> {
  await run(['mvn', '-q', GET, `-Dartifact=${ARTIFACT}`, '-Dtransitive=false'])
  const name = `keycloak-quarkus-dist-${VERSION}.zip`
  const path = `org/keycloak/keycloak-quarkus-dist/${VERSION}/${name}`
  await run(['unzip', '-q', join(homedir(), '.m2/repository', path), '-d', folder])
  return join(folder, `keycloak-${VERSION}`)
}

/** Starts a real Keycloak, whose realm has a client for the board at this address. */
export async function startKeycloak(folder: string, boardUrl: string) {
  const home = await install(folder)
  const realm = (await Bun.file(REALM).text()).replaceAll('BOARD', boardUrl)
  await Bun.write(join(home, 'data/import/harbour.json'), realm)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = Bun.spawn(
    [
      ...[join(home, 'bin/kc.sh'), 'start-dev', '--import-realm'],
      ...['--http-host', '127.0.0.1', '--http-port', String(port)],
    ],
    {
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      },
      stdout: 'ignore',
      stderr: 'ignore',
    },
  )
  await waitUntilReady(url)
  return {
    issuer: `${url}/realms/harbour`,
    admin: adminOf(url),
    async stop() {
      server.kill()
      await server.exited
    },
  }
}

async function waitUntilReady(url: string): Promise<void> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    const response = await fetch(`${url}/realms/harbour`).catch(() => undefined)
    if (response?.ok) return
    await Bun.sleep(500)
  }
  throw new Error('Keycloak did not start')
}

/** Changes the realm through the admin API. */
function adminOf(url: string) {
  const token = async () => {
    const form = { grant_type: 'password', client_id: 'admin-cli', ...ADMIN }
    const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}/admin/realms/harbour${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token()}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`Keycloak refused ${path}: ${await answer.text()}`)
    const text = await answer.text()
    return text ? JSON.parse(text) : undefined
  }
  const idOf = async (path: string): Promise<string> => (await call('GET', path))[0].id
  const zoe = () => idOf('/users?username=zoe&exact=true')
  const group = (name: string) => idOf(`/groups?search=${name}&exact=true`)
  return {
    join: async (name: string) => call('PUT', `/users/${await zoe()}/groups/${await group(name)}`),
    leave: async (name: string) =>
      call('DELETE', `/users/${await zoe()}/groups/${await group(name)}`),
    endSessions: async () => call('POST', `/users/${await zoe()}/logout`),
    /** Adds a key with a higher priority, which signs from now on. */
    rotateKeys: async () => {
      const { id } = await call('GET', '')
      await call('POST', '/components', {
        ...{ name: 'rotated', providerId: 'rsa-generated', parentId: id },
        providerType: 'org.keycloak.keys.KeyProvider',
        config: { priority: ['200'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
      })
    },
  }
}
