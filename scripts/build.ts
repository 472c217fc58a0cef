/** Builds dist/cork: the whole product in one executable. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pkg from '../package.json' with { type: 'json' }
import { stringifyCatalog } from '../src/surfaces/cli/catalog-text.ts'
import { compileProgram, type Target } from './executable.ts'
import { noticesOf } from './licenses.ts'
import { buildWeb, web } from './web.ts'

const root = join(import.meta.dir, '..')
const main = join(root, 'src/main.ts')
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
/** The modules that every start of the server waits for, beside the program itself. */
const started = [join(root, 'src/commands/serve.ts')]
export const binary = join(root, 'dist', process.platform === 'win32' ? 'cork.exe' : 'cork')

const define = {
  'process.env.NODE_ENV': '"production"',
  'process.env.CORK_VERSION': JSON.stringify(pkg.version),
  'Bun.isStandaloneExecutable': 'true',
  // The bundler would write the folder of the build.
  __dirname: '"/"',
  __filename: '"/index.js"',
}

/** Compiles for this machine unless a target is given. */
export const compile = (outfile: string, target?: Target) =>
  compileProgram({ main, workers, started, jitPolicy: 16, assets: [web], define, outfile, target })

/** Libraries that are needed so rarely that the executable contains them compressed. */
const LARGE_LIBRARIES = {
  'viewer.js': '@scalar/api-reference/dist/browser/standalone.js',
  'pdfjs.mjs': 'unpdf/dist/pdfjs.mjs',
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
  const libraries = Object.values(LARGE_LIBRARIES).map((path) => `node_modules/${path}`)
  const modules = await modulesOf([main, ...workers])
  const notices = noticesOf([...webModules, ...modules, ...libraries])
  await writeBuiltFile('licenses.json', JSON.stringify(notices))
}

/** Writes what the command line knows of the operations. */
async function writeCatalog(): Promise<void> {
  const { catalog } = await import('../src/catalog.ts')
  await writeBuiltFile('catalog.json', stringifyCatalog(catalog))
}

async function writeLargeLibraries(): Promise<void> {
  for (const [name, path] of Object.entries(LARGE_LIBRARIES))
    await writeBuiltFile(name, await Bun.file(join(root, 'node_modules', path)).text())
}

const writeBuiltFile = async (name: string, text: string) =>
  Bun.write(join(web, `${name}.zst`), await Bun.zstdCompress(text, { level: 19 }))

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

export async function build(): Promise<void> {
  const startedAt = performance.now()
  await writeNotices(await buildWeb())
  await writeCatalog()
  await writeLargeLibraries()
  const { total, runtime, startCode, bytecode, otherCode, files } = await compile(binary)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`dist/cork ${pkg.version}: ${megabytes(total)} MB in ${seconds} s`)
  console.log(
    `  Bun ${megabytes(runtime)}, code of a start ${megabytes(startCode)}, its bytecode and the ` +
      `table of contents ${megabytes(bytecode)}, other code ${megabytes(otherCode)}, ` +
      `the web app, libraries and pictures ${megabytes(files)}`,
  )
}

/** Whether a source is newer than the executable, or there is none yet. */
export function isStale(): boolean {
  if (!existsSync(binary)) return true
  const builtAt = statSync(binary).mtimeMs
  const sources = [...new Bun.Glob('{src,drizzle,docs}/**/*').scanSync({ cwd: root })].filter(
    // The screenshots are made with the executable, so they do not make it stale.
    (file) => !file.startsWith('docs/screens/'),
  )
  const builders = [
    ...['build', 'executable', 'languages', 'licenses', 'messages', 'stylesheets', 'web'],
  ]
  return [
    ...[...sources, 'package.json', 'bun.lock'],
    ...builders.map((name) => `scripts/${name}.ts`),
  ].some((file) => statSync(join(root, file)).mtimeMs > builtAt)
}

if (import.meta.main) await build()
