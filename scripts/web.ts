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

export async function buildWeb(): Promise<void> {
  await rm(web, { recursive: true, force: true })
  const { outputs, metafile } = await Bun.build({
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
  })
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
        if (kind === 'import-statement' && !files.includes(path) && !isMain(path)) files.push(path)
    return files.map((file) => file.replace(/^\.?\/?/, '/'))
  }
  function isMain(path: string) {
    return outputs[path]?.entryPoint?.endsWith('index.html') === true
  }
}

if (import.meta.main) {
  await buildWeb()
  for (const file of [...new Bun.Glob('**/*.br').scanSync({ cwd: web })].sort())
    console.log(`${(Bun.file(join(web, file)).size / 1000).toFixed(1).padStart(8)} kB  ${file}`)
}
