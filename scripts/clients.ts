/**
 * Builds the clients of the API in `dist/clients`, from `clients` and the OpenAPI document:
 *
 *   npm run clients
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'bun'
import { brunoFilesOf } from './clients/bruno.ts'
import type { OpenApiDocument } from './clients/document.ts'
import { pythonOf } from './clients/python.ts'
import { typescriptOf } from './clients/typescript.ts'

const root = join(import.meta.dir, '..')
const sources = join(root, 'clients')
const target = join(root, 'dist/clients')

export async function buildClients(document: OpenApiDocument) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  await buildTypeScript(document)
  await buildPython(document)
  for (const [path, text] of Object.entries(brunoFilesOf(document)))
    await Bun.write(join(target, 'bruno', path), text)
  return target
}

async function buildTypeScript(document: OpenApiDocument) {
  const folder = join(target, 'typescript')
  cpSync(join(sources, 'typescript'), folder, { recursive: true })
  const source = join(folder, 'src')
  await Bun.write(join(source, 'generated.ts'), typescriptOf(document))
  const entrypoints = [join(source, 'index.ts')]
  await Bun.build({ entrypoints, outdir: folder, target: 'browser', minify: true })
  const options =
    '--strict --target es2022 --module esnext --moduleResolution bundler --declaration'
  const emit =
    '--ignoreConfig --emitDeclarationOnly --allowImportingTsExtensions --rewriteRelativeImportExtensions'
  await run([
    ...[join(root, 'node_modules/.bin/tsc'), ...options.split(' '), ...emit.split(' ')],
    ...['--lib', 'es2022,dom,dom.iterable,dom.asynciterable', '--types', '', '--outDir', folder],
    ...entrypoints,
  ])
  rmSync(source, { recursive: true })
  for (const name of new Bun.Glob('*.d.ts').scanSync(folder)) {
    const file = Bun.file(join(folder, name))
    await file.write((await file.text()).replace(/(from '\.\/\w+)\.ts'/g, "$1.js'"))
  }
}

async function buildPython(document: OpenApiDocument) {
  const folder = join(target, 'python')
  cpSync(join(sources, 'python'), folder, { recursive: true })
  await Bun.write(join(folder, 'corkboard_client/generated.py'), pythonOf(document))
}

async function run(command: string[]) {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const output = await new Response(child.stdout).text()
  if (await child.exited) throw new Error(`${command[0]} failed:\n${output}`)
}

/** The size of the client in a web app. */
export const typescriptSize = async (folder: string) =>
  gzipSync(await Bun.file(join(folder, 'typescript/index.js')).bytes()).length

if (import.meta.main) {
  const { fetchOpenApi } = await import('../test/contract/document.ts')
  const folder = await buildClients(JSON.parse(await fetchOpenApi()))
  console.log(`${folder}: the TypeScript client has ${await typescriptSize(folder)} bytes (gzip)`)
  process.exit()
}
