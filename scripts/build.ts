/** Builds dist/cork: the whole product in one executable. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import pkg from '../package.json' with { type: 'json' }

const root = join(import.meta.dir, '..')
export const binary = join(root, 'dist', process.platform === 'win32' ? 'cork.exe' : 'cork')

export async function build(): Promise<void> {
  const began = performance.now()
  await Bun.build({
    entrypoints: [join(root, 'src/main.ts')],
    compile: { outfile: binary, autoloadDotenv: false, autoloadBunfig: false },
    minify: true,
    bytecode: true,
    format: 'esm',
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.CORK_VERSION': JSON.stringify(pkg.version),
    },
  })
  const size = (statSync(binary).size / 1e6).toFixed(0)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`dist/cork ${pkg.version}: ${size} MB in ${seconds} s`)
}

if (import.meta.main) await build()
