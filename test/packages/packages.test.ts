import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { cleanUp, createFolder, runCommand } from '../binary/cork.ts'
import { buildRelease, run, SCOPE } from './release.ts'

let folder: string
let publisher: ReturnType<typeof Bun.serve>
const read = (name: string) => readFileSync(join(folder, name))

beforeAll(async () => {
  publisher = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: respond })
  folder = await buildRelease(publisher.url.href)
}, 600_000)
afterAll(() => {
  publisher.stop(true)
  cleanUp()
})

/** Serves the files of the release, and below /npm a registry with its packages. */
async function respond({ url }: Request): Promise<Response> {
  const path = decodeURIComponent(new URL(url).pathname)
  if (!path.startsWith('/npm/@')) {
    const file = Bun.file(join(folder, path.replace('/npm', '')))
    return (await file.exists()) ? new Response(file) : new Response('', { status: 404 })
  }
  const name = path.slice('/npm/'.length)
  const file = `${name.slice(1).replace('/', '-')}-${version}.tgz`
  if (!existsSync(join(folder, file))) return new Response('{}', { status: 404 })
  const manifest = JSON.parse(
    await run([
      'tar',
      '--extract',
      '--to-stdout',
      '-zf',
      join(folder, file),
      'package/package.json',
    ]),
  )
  const dist = { tarball: `${publisher.url.href}npm/${file}` }
  const versions = { [version]: { ...manifest, dist } }
  return Response.json({ name, 'dist-tags': { latest: version }, versions })
}

test('every file of a release is listed with its checksum, and the list is signed', async () => {
  await run(['sh', '-c', `cd ${folder} && sha256sum --check --strict SHA256SUMS`])
  const names = read('SHA256SUMS')
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.slice(66))
  expect(names).toEqual([
    `cork-${version}-claude-code-plugin.zip`,
    `cork-${version}-linux-x64`,
    `cork-${version}-linux-x64.mcpb`,
    `cork-${version}.cdx.json`,
    `corkboard-${version}-linux-x64.oci.tar`,
    'corkboard.rb',
    `corkboard_${version}_amd64.deb`,
    `corkboard_${version}_amd64.rpm`,
    `example-cork-${version}.tgz`,
    `example-cork-linux-x64-${version}.tgz`,
    ...['flake.nix', 'install.sh', 'server.json'],
  ])
  const files = ['SHA256SUMS.pub', 'SHA256SUMS', 'SHA256SUMS.sig'].map((one) => join(folder, one))
  const verify = ['openssl', 'pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', files[0]!]
  await run([...verify, '-in', files[1]!, '-sigfile', files[2]!])
  const { subject } = JSON.parse(read('provenance.json').toString())
  expect(subject.map((one: { name: string }) => one.name)).toEqual(names)
  const { components } = JSON.parse(read(`cork-${version}.cdx.json`).toString())
  expect(components.map((one: { name: string }) => one.name)).toContain('react')
})

test('the install script installs a verified executable, and refuses a changed one', async () => {
  const target = createFolder()
  const install = () =>
    runCommand(['sh', join(folder, 'install.sh')], { env: { CORK_INSTALL_DIR: target } })
  const { out } = await install()
  expect(out).toContain(`Installed ${version} as ${target}/cork`)
  appendFileSync(join(folder, `cork-${version}-linux-x64`), 'x')
  const changed = await install()
  expect([changed.code, changed.err]).toEqual([1, expect.stringContaining('a wrong checksum')])
  const sums = read('SHA256SUMS')
  writeFileSync(join(folder, 'SHA256SUMS'), `${sums}\n`)
  const unsigned = await install()
  expect([unsigned.code, unsigned.err]).toEqual([1, expect.stringContaining('signature')])
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
}, 120_000)

test('npx runs the executable of this machine from a registry', async () => {
  const env = { npm_config_cache: createFolder(), npm_config_registry: `${publisher.url}npm/` }
  const out = await run(['npx', '--yes', `${SCOPE}/cork`, '--version'], env)
  expect(out.trim()).toBe(version)
}, 120_000)

test('the image is at most 60 MB, and its server runs without root and becomes healthy', async () => {
  const archive = join(folder, `corkboard-${version}-linux-x64.oci.tar`)
  expect(statSync(archive).size).toBeLessThanOrEqual(60e6)
  const root = await unpackImage(archive)
  const settings = { CORK_DATA: '/data', CORK_PORT: '38471', CORK_HOST: '0.0.0.0' }
  const env = { ...settings, PATH: process.env.PATH ?? '', HOME: '/data' }
  expect(await run(['unshare', '--mount', 'sh', '-ec', CONTAINER, 'sh', root], env)).toContain(
    '{"status":"ready"}',
  )
  expect(existsSync(join(root, 'bin/sh'))).toBe(false)
}, 120_000)

/** What a container runtime does: mounts, another account, the command and its health check. */
const CONTAINER = `
mkdir "$1/proc" "$1/dev"
mount -t proc proc "$1/proc"
mount --bind /dev "$1/dev"
cork() { chroot --userspec=10001:10001 "$1" /usr/bin/cork "$2"; }
if cork "$1" health; then exit 1; fi
cork "$1" serve >/dev/null 2>&1 &
for attempt in $(seq 60); do
  sleep 0.5
  if cork "$1" health; then
    kill -TERM $(pgrep -u 10001 -x cork)
    exit 0
  fi
done
exit 1`

async function unpackImage(archive: string): Promise<string> {
  const layout = createFolder()
  await run(['tar', '--extract', '--file', archive, '--directory', layout])
  const blob = ({ digest }: { digest: string }) => join(layout, 'blobs', digest.replace(':', '/'))
  const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const manifest = json(blob(json(join(layout, 'index.json')).manifests[0]))
  expect(json(blob(manifest.config)).config.User).toBe('10001:10001')
  const root = join(createFolder(), 'root')
  mkdirSync(root)
  const layer = join(layout, 'layer.tar')
  await Bun.write(layer, Bun.zstdDecompressSync(await Bun.file(blob(manifest.layers[0])).bytes()))
  await run(['tar', '--extract', '--file', layer, '--directory', root])
  return root
}
