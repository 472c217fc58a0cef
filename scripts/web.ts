/**
 * Builds dist/web: the app as files with hashed names, texts compressed with brotli.
 */
import { readFile, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { minify } from '@swc/core'
// @ts-expect-error It has no types.
import subsetFont from 'subset-font'
import { drawIcon, ICONS } from './icons.ts'
import { buildLanguages, findHomonyms } from './languages.ts'
import { compileMessages, type Lookups } from './messages.ts'
import { bundleStylesheets, divideStylesheets, LAYERED, layeredStyles } from './stylesheets.ts'

const root = join(import.meta.dir, '..')
export const web = join(root, 'dist/web')
const fonts = join(root, 'node_modules/@fontsource-variable/inter/files')
/** Below this size, compressing saves nothing. */
const MIN_COMPRESSED_BYTES = 1024
const TEXT = /\.(js|css|html|svg)$/

/** A smaller shared file is not worth a request of its own. It is merged into the frame. */
const MIN_CHUNK_BYTES = 3000

/** Modules to bundle together with another one, by the name of that one. */
type ExtraModules = Readonly<Record<string, readonly string[]>>

/** What the app looks up in the file of a language, and the messages without a text of their own. */
const lookups: Lookups = new Map()
const homonyms = await findHomonyms()

/** Bundles the app. */
const bundle = (extras: ExtraModules) =>
  Bun.build({
    entrypoints: [join(root, 'src/web/index.html')],
    outdir: web,
    target: 'browser',
    publicPath: '/',
    minify: true,
    metafile: true,
    splitting: true,
    // Otherwise the bundler would inline them into the stylesheet.
    external: ['/assets/*'],
    naming: {
      entry: '[name].[ext]',
      chunk: 'assets/[name]-[hash].[ext]',
      asset: 'assets/[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'app',
        setup(builder) {
          builder.onLoad({ filter: /\/src\/web\/.*\.tsx?$/ }, async ({ path }) => ({
            contents:
              importsOf(extras[nameOf(path)] ?? []) +
              compileMessages(await Bun.file(path).text(), {
                ...{ isTsx: path.endsWith('x'), homonyms, lookups },
              }),
            loader: path.endsWith('x') ? 'tsx' : 'ts',
          }))
          builder.onLoad({ filter: LAYERED }, async ({ path }) => ({
            contents: await layeredStyles(path),
            loader: 'css',
          }))
        },
      },
    ],
  })

const importsOf = (modules: readonly string[]) =>
  modules.map((module) => `import '${module}'\n`).join('')

/** `screens/board/screen`: a module of the app, without its folder and ending. */
const nameOf = (path: string) => path.replace(/^.*\/src\/web\//, '').replace(/\.tsx?$/, '')

/**
 * The screens that people open first, the calls of `firstScreen` in the app. Small files that a
 * board and another one need are merged into the frame, and those of the others into one. Their
 * styles are in the first stylesheet.
 */
const BOARD = 'screens/board/screen'
const OTHERS = ['screens/mine/screen', 'screens/task/page']
const FIRST = [BOARD, ...OTHERS]
/** The small files of these screens are merged into one. */
const LATER = [
  ...['agents/screen', 'agents/run', 'archive/screen', 'inbox/screen', 'pages/screen'],
  ...['reports/screen', 'search/screen', 'settings/screen'],
].map((name) => `screens/${name}`)

/** Small files that at least so many of these parts need, and that import only small files. */
function smallFilesOf(
  { outputs }: Bun.BuildMetafile,
  names: readonly string[],
  minUsers = 1,
): string[] {
  const isSmall = (path: string): boolean => {
    const { bytes, entryPoint, imports } = outputs[path]!
    if (isMain(entryPoint)) return true
    const staticImports = imports.filter(({ kind }) => kind === 'import-statement')
    return (
      !entryPoint &&
      bytes < MIN_CHUNK_BYTES &&
      staticImports.every((imported) => isSmall(imported.path))
    )
  }
  const parts = partsOf({ outputs } as Bun.BuildMetafile)
  const isNeeded = (path: string) =>
    names.filter((name) => parts[name]!.includes(addressOf(path))).length >= minUsers
  return Object.keys(outputs).filter((path) => isNeeded(path) && isSmall(path))
}

const addressOf = (path: string) => path.replace(/^\.?\/?/, '/')

/** The source modules in these files. */
const modulesOf = ({ outputs }: Bun.BuildMetafile, files: readonly string[]) =>
  files.flatMap((path) => Object.keys(outputs[path]!.inputs)).map((module) => join(root, module))

/**
 * Bundles all small files of these parts into every part that needs one, so that they become one.
 */
function mergeSmallFiles(
  extras: ExtraModules,
  metafile: Bun.BuildMetafile,
  names: readonly string[],
): ExtraModules {
  const small = smallFilesOf(metafile, names)
  const modules = modulesOf(metafile, small)
  const addresses = new Set(small.map(addressOf))
  const users = Object.entries(partsOf(metafile)).filter(
    ([name, files]) =>
      (!FIRST.includes(name) || names.includes(name)) && files.some((file) => addresses.has(file)),
  )
  const changed = users.map(([name]) => [name, [...(extras[name] ?? []), ...modules]])
  return { ...extras, ...Object.fromEntries(changed) }
}

const isMain = (entryPoint: string | undefined) => entryPoint?.endsWith('index.html') === true

/** Builds the app. Returns the paths of all modules in it. */
export async function buildWeb(): Promise<string[]> {
  await rm(web, { recursive: true, force: true })
  const plainBuild = await trialBuild({})
  const boardFiles = smallFilesOf(plainBuild, [BOARD])
  const shared = smallFilesOf(plainBuild, FIRST, 2).filter((file) => boardFiles.includes(file))
  let extras: ExtraModules = { main: modulesOf(plainBuild, shared) }
  for (const names of [[BOARD], OTHERS, LATER])
    extras = mergeSmallFiles(extras, await trialBuild(extras), names)
  const { outputs, metafile } = await bundle(extras)
  const importWorker = await bundleImportWorker()
  const serviceWorker = await bundleServiceWorker()
  // The bundler reads modules in any order, and the files must be the same at every build.
  const ordered: Lookups = new Map([...lookups].sort(([a], [b]) => (a < b ? -1 : 1)))
  const languages = await buildLanguages(join(web, 'assets'), ordered)
  await Bun.write(join(web, 'languages.json'), JSON.stringify(languages))
  await writeParts(partsOf(metafile!), await writeStylesheets(plainBuild, outputs))
  for (const name of new Bun.Glob('*-wght-normal.woff2').scanSync({ cwd: fonts })) {
    const font = await reduceFont(await readFile(join(fonts, name)))
    await Bun.write(join(web, 'assets', name.replace('-wght-normal', '')), font)
  }
  await addWarmUp()
  await addIcons()
  for (const { path } of [...outputs, ...importWorker.outputs, ...serviceWorker.outputs])
    if (path.endsWith('.js')) await minifyAgain(path)
  for (const name of new Bun.Glob('assets/*').scanSync({ cwd: web }))
    await compress(join(web, name))
  // Fonts are copied, so they are not in the module list.
  const builds = [metafile!, importWorker.metafile!, serviceWorker.metafile!]
  const modules = builds.flatMap(({ inputs }) => Object.keys(inputs))
  return [...new Set(modules), relative(root, fonts)]
}

/** Bundles the worker that reads files to import, with a file for each reader, apart from the app. */
async function bundleImportWorker() {
  const built = await Bun.build({
    entrypoints: [join(root, 'src/web/screens/import/worker.ts')],
    outdir: join(web, 'assets'),
    target: 'browser',
    publicPath: './',
    minify: true,
    metafile: true,
    splitting: true,
    naming: { entry: 'import-[name]-[hash].[ext]', chunk: 'import-[name]-[hash].[ext]' },
  })
  const { path } = built.outputs.find(({ kind }) => kind === 'entry-point')!
  await addToHead(`<meta name="import-worker" content="/assets/${basename(path)}">`)
  return built
}

/** Bundles the program that the browser runs without a page. Its name is fixed. */
const bundleServiceWorker = () =>
  Bun.build({
    entrypoints: [join(root, 'src/web/shell/service-worker/worker.ts')],
    outdir: web,
    target: 'browser',
    minify: true,
    metafile: true,
    naming: 'service-worker.[ext]',
  })

/** Writes the icons of the installed app, and names them and its manifest in the page. */
async function addIcons() {
  for (const [name, options] of Object.entries(ICONS))
    await Bun.write(join(web, 'assets', name), drawIcon(options))
  await addToHead(`<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">
<link rel="apple-touch-icon" href="/assets/icon-180.png">`)
}

/** Keeps the weights (fonts.css names them too) and OpenType features that the app uses. */
const reduceFont = (font: Buffer): Promise<Buffer> =>
  subsetFont(font, undefined, {
    targetFormat: 'woff2',
    keepAllGlyphs: true,
    variationAxes: { wght: { min: 400, max: 700 } },
    keepFeatures: ['calt', 'ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'tnum'],
  })

/** Writes which files each part needs. */
async function writeParts(parts: Record<string, string[]>, laterStyles: string) {
  const complete = Object.entries(parts).map(([name, files]) => [
    name,
    FIRST.includes(name) ? files : [...files, laterStyles],
  ])
  await Bun.write(join(web, 'parts.json'), JSON.stringify(Object.fromEntries(complete)))
}

/** The bundler's minifier leaves three percent of the compressed bytes that this one removes. */
async function minifyAgain(path: string) {
  const options = { module: true, compress: true, mangle: true }
  const { code } = await minify(withRelativeAddresses(await Bun.file(path).text()), options)
  await Bun.write(path, code)
}

/** Files in assets/ name each other relative to themselves, so they work below every path. */
const withRelativeAddresses = (text: string) => text.replace(/(["(])\/assets\//g, '$1./')

async function compress(path: string) {
  const bytes = new Uint8Array(await Bun.file(path).arrayBuffer())
  if (bytes.length < MIN_COMPRESSED_BYTES || !TEXT.test(path)) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await Bun.write(`${path}.br`, brotliCompressSync(bytes, { params }))
  await rm(path)
}

/**
 * Writes the stylesheet of the first screens and that of the others. The bundler has put all styles
 * into the first one, and again into one for each part, which nothing loads. Returns the address of
 * the second one.
 */
async function writeStylesheets(metafile: Bun.BuildMetafile, outputs: Bun.BuildArtifact[]) {
  const firstModules = ['main', ...FIRST].map((name) => `src/web/${name}.tsx`)
  const { first, later } = divideStylesheets(metafile, firstModules)
  const laterStyles = await bundleStylesheets(later)
  const address = `/assets/later-${hashOf(laterStyles)}.css`
  const page = await addToHead(`<meta name="later-styles" content="${address}">`)
  for (const { path } of outputs)
    if (path.endsWith('.css') && !page.includes(basename(path))) await rm(path)
    else if (path.endsWith('.css'))
      await writeStyles(path, await bundleStylesheets(first, '@import "./app.css";\n'))
  await writeStyles(join(web, address), laterStyles)
  return address
}

const writeStyles = (path: string, styles: string) => Bun.write(path, withRelativeAddresses(styles))

/** Adds a script that runs while the app is downloaded. The bundler would merge it into the app. */
async function addWarmUp() {
  const script = await Bun.file(join(root, 'src/web/warm-up.js')).text()
  const address = `/assets/warm-up-${hashOf(script)}.js`
  await Bun.write(join(web, address), script)
  await addToHead(`<script async src="${address}"></script>`)
}

const hashOf = (text: string) => Bun.hash(text).toString(36).slice(0, 8)

/** Returns the page. */
async function addToHead(tag: string): Promise<string> {
  const page = Bun.file(join(web, 'index.html'))
  const text = (await page.text()).replace('</head>', `${tag}\n</head>`)
  await page.write(text)
  return text
}

/** Bundles the app only to get the metafile, and deletes the result. */
async function trialBuild(extras: ExtraModules): Promise<Bun.BuildMetafile> {
  const { metafile } = await bundle(extras)
  await rm(web, { recursive: true, force: true })
  return metafile!
}

/** The files of each lazily loaded part, apart from those of the frame. */
function partsOf({ outputs }: Bun.BuildMetafile): Record<string, string[]> {
  const parts = Object.entries(outputs).flatMap(([file, { entryPoint }]) => {
    const [, name] = /^src\/web\/(.+)\.tsx?$/.exec(entryPoint ?? '') ?? []
    return name && file.endsWith('.js') ? [[name, closure(file)] as const] : []
  })
  return Object.fromEntries(parts)

  function closure(entry: string): string[] {
    const files = [entry]
    // The list grows during the iteration.
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
