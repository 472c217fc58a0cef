/** Builds dist/cork: the whole product in one executable. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pkg from '../package.json' with { type: 'json' }
import { buildWeb, web } from './web.ts'

const root = join(import.meta.dir, '..')
export const main = join(root, 'src/main.ts')
/** What runs in threads of its own, and is named there by its address only. */
const workers = ['src/search/library/work.ts', 'src/text-worker.ts'].map((file) => join(root, file))
export const binary = join(root, 'dist', process.platform === 'win32' ? 'cork.exe' : 'cork')

/** The systems that a release is built for. */
export type Target = 'linux-x64' | 'linux-arm64' | 'darwin-arm64' | 'windows-x64'

/** For this machine unless a target is named. The bench compiles its yardstick in the same way. */
export async function compile(entry: string, outfile: string, target?: Target): Promise<void> {
  const beside = entry === main ? workers : []
  const where = target && ({ target: `bun-${target}` } as const)
  await Bun.build({
    entrypoints: [entry, ...beside],
    compile: {
      ...{ outfile, autoloadDotenv: false, autoloadBunfig: false, ...where },
      ...(entry === main && { assets: [web] }),
    },
    minify: true,
    bytecode: true,
    format: 'esm',
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.CORK_VERSION': JSON.stringify(pkg.version),
    },
  })
}

export async function build(): Promise<void> {
  const began = performance.now()
  await buildWeb()
  await compile(main, binary)
  const size = (statSync(binary).size / 1e6).toFixed(0)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`dist/cork ${pkg.version}: ${size} MB in ${seconds} s`)
}

/** Whether a source is newer than the executable, or there is none yet. */
export function stale(): boolean {
  if (!existsSync(binary)) return true
  const built = statSync(binary).mtimeMs
  const sources = [...new Bun.Glob('{src,drizzle,docs}/**/*').scanSync({ cwd: root })].filter(
    // Taken of the executable: it is not made anew for them.
    (file) => !file.startsWith('docs/screens/'),
  )
  return [...sources, 'package.json', 'bun.lock', 'scripts/build.ts'].some(
    (file) => statSync(join(root, file)).mtimeMs > built,
  )
}

if (import.meta.main) await build()
