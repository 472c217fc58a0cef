/** Builds dist/web: the app as files with hashed names, each in brotli and gzip beside itself. */
import { copyFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dir, '..')
export const web = join(root, 'dist/web')
const fonts = join(root, 'node_modules/@fontsource-variable/inter/files')
/** Smaller than this, compressing saves nothing. */
const WORTH_IT = 1024
const TEXT = /\.(js|css|html|svg)$/

/** A shared file smaller than this is not worth a journey of its own: it comes with the frame. */
const WORTH_A_JOURNEY = 3000

/** Modules that are to come along with another. */
type Along = Readonly<Record<string, readonly string[]>>

/** The app as files. */
const bundle = (along: Along) =>
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
      {
        name: 'along',
        setup(built) {
          for (const [name, more] of Object.entries(along))
            built.onLoad({ filter: new RegExp(`src/web/${name}\\.tsx?$`) }, fuller(more))
        },
      },
    ],
  })

const fuller =
  (more: readonly string[]) =>
  async ({ path }: { path: string }) => ({
    contents: [...more.map((one) => `import '${one}'`), await Bun.file(path).text()].join('\n'),
    loader: 'tsx' as const,
  })

/** What people begin with: small files that two of these need come with the frame. */
const FIRST = ['board/screen', 'mine/screen', 'task/page']
/** Other small files of these are one file. */
const LATER = [
  ...['agents/screen', 'agents/run', 'archive/screen', 'inbox/screen', 'pages/screen'],
  ...['reports/screen', 'search/screen', 'settings/screen'],
]

/** Files that so many of these parts need, that are small, and bring along nothing larger. */
function smallOf({ outputs }: Bun.BuildMetafile, names: readonly string[], many = 1): string[] {
  const isSmall = (path: string): boolean => {
    const { bytes, entryPoint, imports } = outputs[path]!
    if (isMain(entryPoint)) return true
    const own = imports.filter(({ kind }) => kind === 'import-statement')
    return !entryPoint && bytes < WORTH_A_JOURNEY && own.every((one) => isSmall(one.path))
  }
  const parts = partsOf({ outputs } as Bun.BuildMetafile)
  const isNeeded = (path: string) =>
    names.filter((name) => parts[name]!.includes(addressOf(path))).length >= many
  return Object.keys(outputs).filter((path) => isNeeded(path) && isSmall(path))
}

const addressOf = (path: string) => path.replace(/^\.?\/?/, '/')

/** The modules that these files are made of. */
const modulesOf = ({ outputs }: Bun.BuildMetafile, files: readonly string[]) =>
  files.flatMap((path) => Object.keys(outputs[path]!.inputs)).map((module) => join(root, module))

/** Whatever needs one of the small files of these parts gets all of them, so that they are one. */
function together(along: Along, metafile: Bun.BuildMetafile, names: readonly string[]): Along {
  const small = smallOf(metafile, names)
  const modules = modulesOf(metafile, small)
  const addresses = new Set(small.map(addressOf))
  const users = Object.entries(partsOf(metafile)).filter(
    ([name, files]) =>
      (!FIRST.includes(name) || names.includes(name)) && files.some((file) => addresses.has(file)),
  )
  const more = users.map(([name]) => [name, [...(along[name] ?? []), ...modules]])
  return { ...along, ...Object.fromEntries(more) }
}

const isMain = (entryPoint: string | undefined) => entryPoint?.endsWith('index.html') === true

/** Answers the paths of all modules that the app is made of. */
export async function buildWeb(): Promise<string[]> {
  await rm(web, { recursive: true, force: true })
  const bare = await triedOut({})
  let along: Along = { main: modulesOf(bare, smallOf(bare, FIRST, 2)) }
  for (const names of [['task/page'], LATER]) along = together(along, await triedOut(along), names)
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
  // Fonts are copied, so no module names them.
  return [...Object.keys(metafile!.inputs), relative(root, fonts)]
}

/** What a bundle comes to, without leaving it there. */
async function triedOut(along: Along): Promise<Bun.BuildMetafile> {
  const { metafile } = await bundle(along)
  await rm(web, { recursive: true, force: true })
  return metafile!
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
    return files.map(addressOf)
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
