/** Builds dist/cork: the whole product in one executable. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pkg from '../package.json' with { type: 'json' }
import { noticesOf } from './licenses.ts'
import { buildWeb, web } from './web.ts'

const root = join(import.meta.dir, '..')
export const main = join(root, 'src/main.ts')
/** What runs in threads of its own, and is named there by its address only. */
const workers = ['src/search/library/work.ts', 'src/text-worker.ts'].map((file) => join(root, file))
export const binary = join(root, 'dist', process.platform === 'win32' ? 'cork.exe' : 'cork')

const define = {
  'process.env.NODE_ENV': '"production"',
  'process.env.CORK_VERSION': JSON.stringify(pkg.version),
}

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
    define,
  })
}

/** The modules of the executable, without what is bundled for browsers. */
async function modulesOf(entrypoints: string[]): Promise<string[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'cork-modules-'))
  const { metafile } = await Bun.build({
    entrypoints,
    outdir,
    target: 'bun',
    metafile: true,
    define,
  })
  rmSync(outdir, { recursive: true })
  return Object.keys(metafile!.inputs)
}

/** What `cork licenses` prints, made from the modules that are really in the executable. */
async function writeNotices(ofWeb: readonly string[]): Promise<void> {
  const notices = noticesOf([...ofWeb, ...(await modulesOf([main, ...workers]))])
  await Bun.write(join(web, 'licenses.json'), JSON.stringify(notices))
}

export async function build(): Promise<void> {
  const began = performance.now()
  await writeNotices(await buildWeb())
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
  return [...sources, 'package.json', 'bun.lock', 'scripts/build.ts', 'scripts/licenses.ts'].some(
    (file) => statSync(join(root, file)).mtimeMs > built,
  )
}

if (import.meta.main) await build()
