import { copyFileSync, existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import pkg from '../../package.json' with { type: 'json' }
import type { Target } from '../executable.ts'

const NFPM = 'github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0'
const root = join(import.meta.dir, '../..')
const packaging = join(root, 'packaging/linux')

/** The packages of each target. Alpine Linux has musl, the others have glibc. */
const FORMATS: Partial<Record<Target, readonly string[]>> = {
  'linux-x64': ['deb', 'rpm'],
  'linux-arm64': ['deb', 'rpm'],
  'linux-x64-musl': ['apk'],
  'linux-arm64-musl': ['apk'],
}
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }

interface Input {
  executable: string
  target: Target
  folder: string
  seconds: number
}

export const packagesOf = (target: Target): string[] =>
  (FORMATS[target] ?? []).map((format) => `corkboard_${pkg.version}_${archOf(target)}.${format}`)

const archOf = (target: Target) => ARCHITECTURES[target.includes('arm64') ? 'arm64' : 'x64']

/** Writes the packages of one target, with the service, its account, settings and data folder. */
export async function linuxPackages({ executable, target, folder, seconds }: Input) {
  const formats = FORMATS[target] ?? []
  const work = mkdtempSync(join(tmpdir(), 'cork-packages-'))
  try {
    const config = join(work, 'nfpm.json')
    await Bun.write(config, JSON.stringify(configOf({ executable, target, seconds }, work)))
    await Bun.write(join(work, 'cork.1'), Bun.spawnSync([ownBinary(), 'man']).stdout)
    for (const shell of ['bash', 'zsh', 'fish'])
      await Bun.write(join(work, shell), Bun.spawnSync([ownBinary(), 'completion', shell]).stdout)
    for (const [nth, format] of formats.entries())
      nfpm(['--config', config, '--packager', format], join(folder, packagesOf(target)[nth]!))
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** The executable of this machine has the same commands as those for others. */
const ownBinary = () => join(root, 'dist/cork')

function nfpm(args: string[], target: string) {
  const go = Bun.which('go') ?? (existsSync('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : '')
  if (!go) throw new Error('Linux packages need Go: install it, or choose --only darwin-arm64')
  const run = Bun.spawnSync([go, 'run', NFPM, 'package', ...args, '--target', target], {
    // Go looks for its cache in the home folder.
    env: { HOME: homedir(), ...process.env, GOFLAGS: '-mod=mod' },
    cwd: tmpdir(),
  })
  if (!run.success) throw new Error(`nfpm failed: ${run.stderr.toString()}${run.stdout.toString()}`)
}

type Config = Pick<Input, 'executable' | 'target' | 'seconds'>

function configOf({ executable, target, seconds }: Config, work: string) {
  const mtime = new Date(seconds * 1000).toISOString()
  const file = (src: string, dst: string, mode = 0o644, type?: string) => ({
    ...{ src, dst, file_info: { mode, mtime } },
    ...(type && { type }),
  })
  // An apk contains the times of these files, which are those of the checkout.
  const script = (name: string) => {
    const copy = join(work, name)
    copyFileSync(join(packaging, name), copy)
    utimesSync(copy, seconds, seconds)
    return copy
  }
  const rpm = { group: 'Applications/Productivity', compression: 'zstd', buildhost: 'localhost' }
  return {
    ...{ name: pkg.name, arch: archOf(target), platform: 'linux', version: pkg.version, mtime },
    ...{ description: pkg.description, license: pkg.license, section: 'web', priority: 'optional' },
    maintainer: 'Corkboard <corkboard@localhost>',
    contents: [
      file(executable, '/usr/bin/cork', 0o755),
      file(join(packaging, 'corkboard.service'), '/usr/lib/systemd/system/corkboard.service'),
      file(join(packaging, 'corkboard.env'), '/etc/corkboard.env', 0o600, 'config|noreplace'),
      file(join(root, 'LICENSE'), '/usr/share/doc/corkboard/copyright'),
      file(join(work, 'cork.1'), '/usr/share/man/man1/cork.1'),
      file(join(work, 'bash'), '/usr/share/bash-completion/completions/cork'),
      file(join(work, 'zsh'), '/usr/share/zsh/vendor-completions/_cork'),
      file(join(work, 'fish'), '/usr/share/fish/vendor_completions.d/cork.fish'),
    ],
    scripts: {
      postinstall: script('postinstall.sh'),
      preremove: script('preremove.sh'),
      postremove: script('postremove.sh'),
    },
    deb: { compression: 'zstd' },
    rpm,
    ...(target.endsWith('musl') && { depends: ['libstdc++', 'libgcc'] }),
  }
}
