/**
 * Divides the app's CSS in two: the styles of the first screens, which the first paint waits for,
 * and those of everything else.
 */
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

/** The stylesheets of folders. Those of the app itself apply to every page. */
export const LAYERED = /\/src\/web\/.*\/.*\.css$/

/** A stylesheet in the cascade layer of its top folder. app.css orders the layers. */
export async function layeredStyles(path: string): Promise<string> {
  const css = await Bun.file(path).text()
  if (css.includes('@import'))
    throw new Error(`${path} imports a stylesheet, which a layer ignores: import it in a module`)
  const [, layer] = /\/src\/web\/(\w+)\//.exec(path)!
  return `@layer ${layer} {\n${css}}\n`
}

/**
 * The stylesheets of a build in the order of the cascade: those that these modules need without
 * lazily loaded code, and the others.
 */
export function divideStylesheets(
  { inputs, outputs }: Bun.BuildMetafile,
  firstModules: readonly string[],
) {
  const needed = new Set(firstModules)
  // The set grows during the iteration.
  for (const module of needed)
    for (const { path, kind } of inputs[module]?.imports ?? [])
      if (kind !== 'dynamic-import') needed.add(path)
  const [, all] = Object.entries(outputs).find(
    ([path, { entryPoint }]) => path.endsWith('.css') && entryPoint?.endsWith('index.html'),
  )!
  const paths = Object.keys(all.inputs).filter((path) => LAYERED.test(`/${path}`))
  return {
    first: paths.filter((path) => needed.has(path)),
    later: paths.filter((path) => !needed.has(path)),
  }
}

/** Bundles stylesheets into one, after those that an import at its top loads. */
export async function bundleStylesheets(paths: readonly string[], imports = '') {
  const styles = await Promise.all(paths.map((path) => layeredStyles(join(root, path))))
  const entry = join(root, 'src/web/bundle.css')
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: imports + styles.join('') },
    minify: true,
    external: ['/assets/*'],
  })
  return outputs[0]!.text()
}
