/**
 * Measures the time from nothing to a working agent, for each way to install: the executable, the
 * Debian package in an empty Debian, the container image and npm. CORK_DRILL_RELEASE names a folder
 * with a release for linux-x64; without it, one is built.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { connectClient } from '../../test/binary/agent-client.ts'
import { cleanUp, createFolder, sendRequest } from '../../test/binary/cork.ts'
import { buildRelease, run, SCOPE } from '../../test/packages/release.ts'

interface Installed {
  /** The command that runs the executable. */
  command: readonly string[]
  data: string
}
type Install = (release: string) => Promise<Installed>

const PATHS = '/usr/sbin:/usr/bin:/sbin:/bin'
/** What a container runtime does before it starts a command: mounts and another root folder. */
const inside = (root: string, command: readonly string[]) => {
  const script = 'mount -t proc proc "$1/proc"; mount --bind /dev "$1/dev"; exec chroot "$@"'
  return ['unshare', '--mount', 'sh', '-ec', script, 'sh', root, ...command]
}

const executable: Install = async (release) => {
  const file = join(createFolder(), 'cork')
  copyFileSync(join(release, `cork-${version}-linux-x64`), file)
  await run(['chmod', '+x', file])
  return { command: [file], data: join(createFolder(), 'data') }
}

/** A minimal Debian, which is there before the clock starts. */
const emptyDebian = process.env.CORK_TEST_DEBIAN ?? join(createFolder(), 'debian')

const debianPackage: Install = async (release) => {
  copyFileSync(join(release, `corkboard_${version}_amd64.deb`), join(emptyDebian, 'corkboard.deb'))
  await run(inside(emptyDebian, ['dpkg', '--install', '/corkboard.deb']), { PATH: PATHS })
  return { command: inside(emptyDebian, ['/usr/bin/cork']), data: `/var/lib/data-${Date.now()}` }
}

const image: Install = async (release) => {
  const [layout, root] = [createFolder(), createFolder()]
  const archive = join(release, `corkboard-${version}-linux-x64.oci.tar`)
  await run(['tar', '--extract', '--file', archive, '--directory', layout])
  const blob = ({ digest }: { digest: string }) => join(layout, 'blobs', digest.replace(':', '/'))
  const { manifests } = await Bun.file(join(layout, 'index.json')).json()
  const { layers } = await Bun.file(blob(manifests[0])).json()
  const layer = join(layout, 'layer.tar')
  await Bun.write(layer, Bun.zstdDecompressSync(await Bun.file(blob(layers[0])).bytes()))
  await run(['tar', '--extract', '--file', layer, '--directory', root])
  for (const name of ['proc', 'dev']) mkdirSync(join(root, name), { recursive: true })
  return { command: inside(root, ['/usr/bin/cork']), data: '/data' }
}

/** The packages come from files, so that no download is measured. */
const npm: Install = async (release) => {
  const prefix = SCOPE.replace('@', '')
  const names = [`${prefix}-cork-linux-x64-${version}.tgz`, `${prefix}-cork-${version}.tgz`]
  const files = names.map((name) => join(release, name))
  const env = { npm_config_cache: createFolder(), npm_config_prefix: createFolder() }
  await run(['npm', 'install', '--global', '--offline', '--no-audit', '--no-fund', ...files], env)
  const command = [join(env.npm_config_prefix, 'bin/cork')]
  return { command, data: join(createFolder(), 'data') }
}

const INSTALLS: Record<string, Install> = {
  ...{ executable, 'Debian package': debianPackage, 'container image': image, npm },
}

export async function drill(): Promise<boolean> {
  const release = process.env.CORK_DRILL_RELEASE ?? (await buildRelease('http://127.0.0.1/'))
  if (!existsSync(join(emptyDebian, 'var/lib/dpkg')))
    await run(['debootstrap', '--variant=minbase', 'bookworm', emptyDebian])
  console.log(`Release: ${readdirSync(release).length} files. Seconds since the start:`)
  let port = 38_500
  for (const [name, install] of Object.entries(INSTALLS))
    console.log(`${name}: ${await timeSetup(() => install(release), port++)}`)
  cleanUp()
  return true
}

async function timeSetup(install: () => Promise<Installed>, port: number): Promise<string> {
  const startedAt = performance.now()
  const steps: string[] = []
  const step = (name: string) =>
    steps.push(`${name} ${((performance.now() - startedAt) / 1000).toFixed(2)}`)
  const { command, data } = await install()
  step('installed')
  const env = { PATH: process.env.PATH ?? PATHS, CORK_DATA: data }
  const person = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour', '--json']
  const { api_key, team_id } = JSON.parse(await run([...command, 'init', ...person], env))
  step('data folder')
  const serve = [...command, 'serve', '--port', String(port)]
  const server = Bun.spawn(serve, { env, stdout: 'ignore', stderr: 'inherit' })
  try {
    const url = `http://127.0.0.1:${port}`
    await untilReady(url, server)
    step('server ready')
    await workAsAgent(url, api_key, team_id)
    step('agent has completed a task')
  } finally {
    server.kill()
    await server.exited
  }
  return steps.join(', ')
}

/** A person creates a board, a task and an agent, which claims and completes the task. */
async function workAsAgent(url: string, key: string, team_id: number): Promise<void> {
  const post = async (path: string, body: object) =>
    (await sendRequest(url, key, 'POST', `/api/v1/${path}`, body)).body.data
  const sections = [{ title: 'Next' }, { title: 'Done', is_done: true }]
  const board = await post('projects', { team_id, title: 'Harbour', sections })
  const { project_id } = board
  const agent = await post('agents', { team_id, name: 'Lantern', project_ids: [project_id] })
  const { ticket_number } = await post('tasks', { project_id, title: 'Check the crane' })
  const client = await connectClient(agent.client_configuration)
  const { lease_id } = await client.callTool('svc_tasks', 'claim', { ticket_number })
  const section_id = board.sections.at(-1).section_id
  await client.callTool('svc_tasks', 'update', { ticket_number, section_id, lease_id })
  await client.close()
}

const READY_MS = 60_000

async function untilReady(url: string, server: Bun.Subprocess): Promise<void> {
  const deadline = performance.now() + READY_MS
  // Until the server listens, a request fails.
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null || performance.now() > deadline)
      throw new Error('The server did not become ready')
    await Bun.sleep(5)
  }
}
