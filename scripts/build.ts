/** Builds dist/cork: the whole product in one executable. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pkg from '../package.json' with { type: 'json' }
import { stringifyCatalog } from '../src/surfaces/cli/catalog-text.ts'
import { noticesOf } from './licenses.ts'
import { buildWeb, web } from './web.ts'

const root = join(import.meta.dir, '..')
export const main = join(root, 'src/main.ts')
/**
 * The entry points of worker threads. No module imports them: `src/server` starts them by their
 * address, so the build has to name them.
 */
const workers = [
  'src/search/file-text/worker.ts',
  'src/search/passage-index/worker.ts',
  'src/server/text-worker.ts',
  'src/server/reader-thread.ts',
].map((file) => join(root, file))
export const binary = join(root, 'dist', process.platform === 'win32' ? 'cork.exe' : 'cork')

const define = {
  'process.env.NODE_ENV': '"production"',
  'process.env.CORK_VERSION': JSON.stringify(pkg.version),
}

/** The platforms that a release is built for. */
export type Target = 'linux-x64' | 'linux-arm64' | 'darwin-arm64' | 'windows-x64'

/**
 * Compiles for this machine unless a target is given. The bench compiles its baseline with it too.
 */
export async function compile(entry: string, outfile: string, target?: Target): Promise<void> {
  const extraEntries = entry === main ? workers : []
  const targetOption = target && ({ target: `bun-${target}` } as const)
  await Bun.build({
    entrypoints: [entry, ...extraEntries],
    compile: {
      ...{ outfile, autoloadDotenv: false, autoloadBunfig: false, ...targetOption },
      ...(entry === main && { assets: [web] }),
    },
    minify: true,
    bytecode: true,
    // Loads the code of a command only if it is run, and stores code once that workers share.
    splitting: true,
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

/** Writes what `cork licenses` prints, from the modules that are actually in the executable. */
async function writeNotices(webModules: readonly string[]): Promise<void> {
  const notices = noticesOf([...webModules, ...(await modulesOf([main, ...workers]))])
  await Bun.write(join(web, 'licenses.json'), JSON.stringify(notices))
}

/** Writes what the command line knows of the operations. */
async function writeCatalog(): Promise<void> {
  const { catalog } = await import('../src/catalog.ts')
  await Bun.write(join(web, 'catalog.json'), stringifyCatalog(catalog))
}

export async function build(): Promise<void> {
  const startedAt = performance.now()
  await writeNotices(await buildWeb())
  await writeCatalog()
  await compile(main, binary)
  const size = (statSync(binary).size / 1e6).toFixed(0)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`dist/cork ${pkg.version}: ${size} MB in ${seconds} s`)
}

/** Whether a source is newer than the executable, or there is none yet. */
export function isStale(): boolean {
  if (!existsSync(binary)) return true
  const builtAt = statSync(binary).mtimeMs
  const sources = [...new Bun.Glob('{src,drizzle,docs}/**/*').scanSync({ cwd: root })].filter(
    // The screenshots are made with the executable, so they do not make it stale.
    (file) => !file.startsWith('docs/screens/'),
  )
  const builders = ['build', 'licenses', 'messages', 'stylesheets', 'web']
  return [
    ...[...sources, 'package.json', 'bun.lock'],
    ...builders.map((name) => `scripts/${name}.ts`),
  ].some((file) => statSync(join(root, file)).mtimeMs > builtAt)
}

if (import.meta.main) await build()
