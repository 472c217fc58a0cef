/** Builds dist/web: the app as files with hashed names, each in brotli and gzip beside itself. */
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dir, '..')
export const web = join(root, 'dist/web')
const fonts = join(root, 'node_modules/@fontsource-variable/inter/files')
/** Smaller than this, compressing saves nothing. */
const WORTH_IT = 1024
const TEXT = /\.(js|css|html|svg)$/

/** A shared file smaller than this is not worth a journey of its own: it comes with the frame. */
const WORTH_A_JOURNEY = 3000

/** The app as files; `along` names modules that come with the frame. */
const bundle = (along: readonly string[]) =>
  Bun.build({
    entrypoints: [join(root, 'src/web/index.html')],
    outdir: web,
    target: 'browser',
    publicPath: '/',
    minify: true,
    metafile: true,
    splitting: true,
    // A stylesheet would have them inside.
    external: ['/assets/*'],
    naming: {
      entry: '[name].[ext]',
      chunk: 'assets/[name]-[hash].[ext]',
      asset: 'assets/[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      { name: 'along', setup: (built) => void built.onLoad({ filter: MAIN }, fuller(along)) },
    ],
  })

const MAIN = /src\/web\/main\.tsx$/
const fuller =
  (along: readonly string[]) =>
  async ({ path }: { path: string }) => ({
    contents: [...along.map((one) => `import '${one}'`), await Bun.file(path).text()].join('\n'),
    loader: 'tsx' as const,
  })

/** What people begin with. */
const FIRST = ['board/screen', 'mine/screen', 'task/page']

/** Modules of small files that the first screens share, and that bring along nothing larger. */
function smallOf({ outputs }: Bun.BuildMetafile): string[] {
  const isSmall = (path: string): boolean => {
    const { bytes, entryPoint, imports } = outputs[path]!
    if (isMain(entryPoint)) return true
    const own = imports.filter(({ kind }) => kind === 'import-statement')
    return !entryPoint && bytes < WORTH_A_JOURNEY && own.every((one) => isSmall(one.path))
  }
  const parts = partsOf({ outputs } as Bun.BuildMetafile)
  const needed = new Set(FIRST.flatMap((name) => parts[name]!))
  return Object.entries(outputs)
    .filter(([path]) => needed.has(path.replace(/^\.?\/?/, '/')) && isSmall(path))
    .flatMap(([, { inputs }]) => Object.keys(inputs))
    .map((module) => join(root, module))
}

const isMain = (entryPoint: string | undefined) => entryPoint?.endsWith('index.html') === true

export async function buildWeb(): Promise<void> {
  await rm(web, { recursive: true, force: true })
  const along = smallOf((await bundle([])).metafile!)
  await rm(web, { recursive: true, force: true })
  const { outputs, metafile } = await bundle(along)
  await Bun.write(join(web, 'parts.json'), JSON.stringify(partsOf(metafile!)))
  for (const name of new Bun.Glob('*-wght-normal.woff2').scanSync({ cwd: fonts }))
    await copyFile(join(fonts, name), join(web, 'assets', name.replace('-wght-normal', '')))
  for (const { path } of outputs) {
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer())
    if (bytes.length < WORTH_IT || !TEXT.test(path)) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    await Bun.write(`${path}.br`, brotliCompressSync(bytes, { params }))
    await Bun.write(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/** What each part that is fetched by itself is made of, beyond what is there from the start. */
function partsOf({ outputs }: Bun.BuildMetafile): Record<string, string[]> {
  const parts = Object.entries(outputs).flatMap(([file, { entryPoint }]) => {
    const [, name] = /^src\/web\/(.+)\.tsx?$/.exec(entryPoint ?? '') ?? []
    return name && file.endsWith('.js') ? [[name, closure(file)] as const] : []
  })
  return Object.fromEntries(parts)

  function closure(first: string): string[] {
    const files = [first]
    // Grows while it is gone through.
    for (const file of files)
      for (const { path, kind } of outputs[file]!.imports)
        if (kind === 'import-statement' && !files.includes(path) && !isFrame(path)) files.push(path)
    return files.map((file) => file.replace(/^\.?\/?/, '/'))
  }
  function isFrame(path: string) {
    return isMain(outputs[path]?.entryPoint)
  }
}

if (import.meta.main) {
  await buildWeb()
  for (const file of [...new Bun.Glob('**/*.br').scanSync({ cwd: web })].sort())
    console.log(`${(Bun.file(join(web, file)).size / 1000).toFixed(1).padStart(8)} kB  ${file}`)
}
