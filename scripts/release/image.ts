/**
 * The container image as an archive in the OCI layout, which `docker load`, `podman load` and
 * `skopeo copy oci-archive:` read. It contains the executable, glibc and nothing else: no shell.
 */
import { createHash } from 'node:crypto'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pkg from '../../package.json' with { type: 'json' }
import type { Target } from '../executable.ts'
import { type TarEntry, tar } from './tar.ts'

/** Compresses to 54 MB in ten seconds. The best level takes a minute, and saves 4 MB. */
const LEVEL = 9
const USER = 10001

const ARCHITECTURES: Partial<Record<Target, { oci: string; loader: string }>> = {
  'linux-x64': { oci: 'amd64', loader: 'lib64' },
  'linux-arm64': { oci: 'arm64', loader: 'lib' },
}

export const imageOf = (target: Target) =>
  ARCHITECTURES[target] && `corkboard-${pkg.version}-${target}.oci.tar`

interface Input {
  executable: string
  target: Target
  /** The name under which the image is loaded. */
  name: string
  seconds: number
}

export function image({ executable, target, name, seconds }: Input): Uint8Array {
  const { oci } = ARCHITECTURES[target]!
  const layer = tar(
    [
      ...libraries(target),
      { path: 'etc', folder: true },
      textEntry('etc/passwd', `root:x:0:0::/:\ncork:x:${USER}:${USER}::/data:/nonexistent\n`),
      textEntry('etc/group', `root:x:0:\ncork:x:${USER}:\n`),
      textEntry('etc/nsswitch.conf', 'hosts: files dns\n'),
      { path: 'tmp', folder: true, mode: 0o1777 },
      { path: 'data', folder: true, mode: 0o700, owner: USER },
      { path: 'usr/bin/cork', bytes: readFileSync(executable), mode: 0o755 },
    ],
    seconds,
  )
  const packed = new Uint8Array(Bun.zstdCompressSync(layer, { level: LEVEL }))
  const config = jsonBytes({
    ...{ architecture: oci, os: 'linux', created: new Date(seconds * 1000).toISOString() },
    config: CONFIG,
    rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
    history: [{ created_by: 'npm run release' }],
  })
  const type = 'application/vnd.oci.image'
  const manifest = jsonBytes({
    ...{ schemaVersion: 2, mediaType: `${type}.manifest.v1+json` },
    config: descriptor(`${type}.config.v1+json`, config),
    layers: [descriptor(`${type}.layer.v1.tar+zstd`, packed)],
  })
  const index = jsonBytes({
    ...{ schemaVersion: 2, mediaType: `${type}.index.v1+json` },
    manifests: [
      {
        ...descriptor(`${type}.manifest.v1+json`, manifest),
        platform: { architecture: oci, os: 'linux' },
        annotations: {
          'io.containerd.image.name': `${name}:${pkg.version}`,
          'org.opencontainers.image.ref.name': pkg.version,
        },
      },
    ],
  })
  const pathOf = (bytes: Uint8Array) => `blobs/${digestOf(bytes).replace(':', '/')}`
  const blobs = [config, manifest, packed].map((bytes) => ({ path: pathOf(bytes), bytes }))
  // For a Docker without containerd's image store, which does not read the index.
  const tags = { RepoTags: [`${name}:${pkg.version}`], Config: pathOf(config) }
  const dockerManifest = jsonBytes([{ ...tags, Layers: [pathOf(packed)] }])
  const layout = jsonBytes({ imageLayoutVersion: '1.0.0' })
  const files = [
    { path: 'oci-layout', bytes: layout },
    { path: 'index.json', bytes: index },
    { path: 'manifest.json', bytes: dockerManifest },
  ]
  return tar([...files, ...blobs], seconds)
}

const SECOND = 1e9
const CONFIG = {
  User: `${USER}:${USER}`,
  Env: ['PATH=/usr/bin', 'CORK_DATA=/data', 'CORK_HOST=0.0.0.0', 'CORK_PORT=3210'],
  Entrypoint: ['/usr/bin/cork'],
  Cmd: ['serve'],
  WorkingDir: '/data',
  Volumes: { '/data': {} },
  ExposedPorts: { '3210/tcp': {} },
  StopSignal: 'SIGTERM',
  // OCI has no health check. Docker reads this one; orchestrators have their own.
  Healthcheck: {
    Test: ['CMD', '/usr/bin/cork', 'health'],
    ...{ Interval: 30 * SECOND, Timeout: 5 * SECOND, StartPeriod: 10 * SECOND },
  },
  Labels: {
    'org.opencontainers.image.title': 'Corkboard',
    'org.opencontainers.image.version': pkg.version,
    'org.opencontainers.image.licenses': pkg.license,
  },
}

/** glibc and its licence, from the Debian package of the target's architecture. */
function libraries(target: Target): TarEntry[] {
  const { oci, loader } = ARCHITECTURES[target]!
  const work = mkdtempSync(join(tmpdir(), 'cork-image-'))
  try {
    const run = Bun.spawnSync(['sh', '-ec', DOWNLOAD, 'sh', oci], { cwd: work })
    if (!run.success)
      throw new Error(`The image needs libc6 from apt-get: ${run.stderr.toString().trim()}`)
    const root = join(work, 'root')
    const all = entriesBelow(root).filter(({ path }) => LIBRARIES.test(path))
    const library = all.map(({ path }) => path).find((path) => path.includes('/ld-linux'))
    if (!library) throw new Error('The package libc6 has no loader')
    const name = library.slice(library.lastIndexOf('/') + 1)
    const isThere = all.some(({ path }) => path === `${loader}/${name}`)
    return isThere ? all : [...all, { path: `${loader}/${name}`, link: `/${library}` }]
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** In folders of its own, because the machine may have no list of another architecture. */
const DOWNLOAD = `
mkdir -p state/lists/partial cache/archives/partial root
options="-o APT::Architecture=$1 -o APT::Architectures=$1 -o Dir::State=$PWD/state
  -o Dir::State::status=$PWD/state/status -o Dir::Cache=$PWD/cache -o APT::Sandbox::User=root"
touch state/status
apt-get $options update
apt-get $options download libc6
dpkg-deb -x libc6_*.deb root`

const LIBRARIES =
  /^(usr\/)?(lib|lib64)(\/[a-z0-9_-]+-linux-gnu)?(\/(ld-linux[^/]*|lib(c|m|dl|pthread|resolv|rt|nss_dns|nss_files)\.so\.\d+))?$|^usr\/share\/doc\/libc6\/copyright$/

function entriesBelow(root: string): TarEntry[] {
  return (readdirSync(root, { recursive: true }) as string[]).sort().map((path) => {
    const absolute = join(root, path)
    const stat = lstatSync(absolute)
    if (stat.isSymbolicLink()) return { path, link: readlinkSync(absolute), mode: 0o777 }
    if (stat.isDirectory()) return { path, folder: true }
    return { path, bytes: readFileSync(absolute), mode: stat.mode & 0o777 }
  })
}

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

const textEntry = (path: string, text: string): TarEntry => ({
  path,
  bytes: new TextEncoder().encode(text),
})

const descriptor = (mediaType: string, bytes: Uint8Array) => ({
  ...{ mediaType, digest: digestOf(bytes), size: bytes.length },
})
