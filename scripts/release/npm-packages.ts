/**
 * The npm packages: one for each platform with its executable, and one that runs that of the
 * machine. npm installs only the platform package that fits.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import pkg from '../../package.json' with { type: 'json' }
import type { Target } from '../executable.ts'
import { type TarEntry, tar } from './tar.ts'

const text = (path: string, content: string, mode = 0o644): TarEntry => ({
  ...{ path: `package/${path}`, bytes: new TextEncoder().encode(content), mode },
})
const json = (path: string, value: unknown) => text(path, `${JSON.stringify(value, null, 2)}\n`)

const pack = (entries: TarEntry[], seconds: number) => gzipSync(tar(entries, seconds), { level: 9 })

/** `linux-x64-musl`: the system, the processor and the C library. */
function platformOf(target: Target) {
  const [system = '', cpu = '', libc] = target.split('-')
  const os = system === 'windows' ? 'win32' : system
  return {
    ...{ os: [os], cpu: [cpu] },
    ...(os === 'linux' && { libc: [libc ?? 'glibc'] }),
  }
}

export const npmName = (scope: string, target?: Target) =>
  `${scope}/cork${target ? `-${target}` : ''}`

/** The name that `npm pack` gives a package. */
export const npmFile = (scope: string, target?: Target) =>
  `${npmName(scope, target).slice(1).replace('/', '-')}-${pkg.version}.tgz`

const about = { version: pkg.version, license: pkg.license }

interface Input {
  executable: string
  target: Target
  scope: string
  seconds: number
}

export function platformPackage({ executable, target, scope, seconds }: Input): Uint8Array {
  const program = target.startsWith('windows') ? 'bin/cork.exe' : 'bin/cork'
  const name = npmName(scope, target)
  const description = `Corkboard for ${target}; install ${npmName(scope)} instead`
  const file = { path: `package/${program}`, bytes: readFileSync(executable), mode: 0o755 }
  return pack(
    [json('package.json', { name, description, ...about, ...platformOf(target) }), file],
    seconds,
  )
}

export function mainPackage(scope: string, targets: readonly Target[], seconds: number) {
  const name = npmName(scope)
  const optionalDependencies = Object.fromEntries(
    targets.map((target) => [npmName(scope, target), pkg.version]),
  )
  const names = targets.map((target) => [target, npmName(scope, target)])
  return pack(
    [
      json('package.json', {
        ...{ name, description: pkg.description, ...about },
        ...{ bin: { cork: 'cork.js' }, engines: { node: '>=18' }, optionalDependencies },
      }),
      text('README.md', `# Corkboard\n\n${pkg.description}.\n\n    npx ${name} serve\n`),
      text('cork.js', launcher(Object.fromEntries(names)), 0o755),
    ],
    seconds,
  )
}

const launcher = (names: Record<string, string>) => `#!/usr/bin/env node
const { spawn } = require('node:child_process')

const system = process.platform === 'win32' ? 'windows' : process.platform
const isMusl = system === 'linux' && !process.report.getReport().header.glibcVersionRuntime
const target = system + '-' + process.arch + (isMusl ? '-musl' : '')
const name = ${JSON.stringify(names)}[target]
let program
try {
  program = require.resolve(name + '/bin/cork' + (system === 'windows' ? '.exe' : ''))
} catch {
  console.error('cork: there is no package for ' + target + '. If you omitted optional ' +
    'dependencies, install again with them.')
  process.exit(1)
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
`
