/** Compiles a program and its worker threads into one executable. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'

/** The platforms that a release is built for. */
export const TARGETS = [
  ...(['linux-x64', 'linux-arm64', 'linux-x64-musl', 'linux-arm64-musl'] as const),
  ...(['darwin-x64', 'darwin-arm64', 'windows-x64'] as const),
]
export type Target = (typeof TARGETS)[number]

interface Program {
  main: string
  /** The entry points of worker threads, which no module imports. */
  workers: readonly string[]
  /** The modules that every start needs. Only these and their static imports get bytecode. */
  started: readonly string[]
  /** A factor of how often code runs before it is compiled, until the program resets it. */
  jitPolicy: number
  /** Folders to embed. */
  assets: readonly string[]
  define: Record<string, string>
  outfile: string
  /** This machine, unless it is given. */
  target: Target | undefined
}

/**
 * Bytecode makes a start three times as fast, but it is four times as large as its source. So the
 * modules are bundled first. Then those that a start needs are compiled to bytecode, and the others
 * are embedded compressed, at the same paths with a suffix. All find each other by these paths.
 */
export async function compileProgram(program: Program): Promise<Sizes> {
  const folder = mkdtempSync(join(tmpdir(), 'cork-modules-'))
  try {
    const { outputs, metafile } = await bundle(program, folder)
    const pathsOf = (kind: 'asset' | 'code') =>
      outputs.filter((one) => (one.kind === 'asset') === (kind === 'asset')).map(({ path }) => path)
    await addressAssets(pathsOf('code'), pathsOf('asset'), program.target)
    const { started, plain } = partition(program, metafile!, folder)
    const onDemand = pathsOf('code').filter((path) => ![...started, ...plain].includes(path))
    const others = [...plain, ...(await compress(onDemand, pathsOf('code')))]
    const files = pathsOf('asset')
    await compileModules(program, { folder, started, others: [...others, ...files].sort() })
    return sizesOf(program, { started, others, files })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What an executable contains, in bytes. */
interface Sizes {
  total: number
  runtime: number
  startCode: number
  bytecode: number
  otherCode: number
  files: number
}

type Contents = Record<'started' | 'others' | 'files', string[]>

function sizesOf({ outfile, assets }: Program, { started, others, files }: Contents): Sizes {
  const embedded = assets.flatMap((folder) => [
    ...new Bun.Glob('**/*').scanSync({ cwd: folder, absolute: true }),
  ])
  const sizes = {
    total: sizeOf([outfile]),
    // The runtime of another platform is not at hand, and differs in size.
    runtime: sizeOf([process.execPath]),
    startCode: sizeOf(started),
    otherCode: sizeOf(others),
    files: sizeOf([...embedded, ...files]),
  }
  const { total, ...parts } = sizes
  return { ...sizes, bytecode: total - Object.values(parts).reduce((sum, size) => sum + size) }
}

const sizeOf = (paths: string[]) => paths.reduce((sum, path) => sum + statSync(path).size, 0)

const bundle = ({ main, workers, define }: Program, outdir: string) =>
  Bun.build({
    entrypoints: [main, ...workers],
    outdir,
    target: 'bun',
    format: 'esm',
    minify: true,
    // Loads the code of a command only if it is run, and stores code once that workers share.
    splitting: true,
    metafile: true,
    define,
  })

/** The bundler names embedded files relative to the working directory. */
async function addressAssets(code: string[], assets: string[], target: Target | undefined) {
  const isWindows = target ? target.startsWith('windows') : process.platform === 'win32'
  const embedded = isWindows ? 'B:/~BUN/root/' : '/$bunfs/root/'
  for (const path of code) {
    const text = await Bun.file(path).text()
    const addressed = assets.reduce(
      (result, asset) =>
        result.replaceAll(`"./${basename(asset)}"`, `"${embedded}${basename(asset)}"`),
      text,
    )
    if (addressed !== text) await Bun.write(path, addressed)
  }
}

/** Compresses modules, and adds the suffix to their imports for `kernel/compressed-modules.ts`. */
async function compress(modules: string[], code: string[]): Promise<string[]> {
  const names = new Set(modules.map((path) => basename(path)))
  for (const path of code) {
    const text = await Bun.file(path).text()
    const addressed = text.replace(/"(\.{1,2}\/[^"/]+\.js)"/g, (quoted, address) =>
      names.has(basename(address)) ? `"${address}.zst"` : quoted,
    )
    if (addressed !== text) await Bun.write(path, addressed)
  }
  for (const path of modules)
    await Bun.write(
      `${path}.zst`,
      Bun.zstdCompressSync(await Bun.file(path).bytes(), { level: 22 }),
    )
  return modules.map((path) => `${path}.zst`)
}

/**
 * The files that get bytecode: those of a start, and the entry points of the workers. What workers
 * import statically is loaded before they can decompress anything, so it is embedded as it is.
 */
function partition({ main, started, workers }: Program, meta: Bun.BuildMetafile, folder: string) {
  const entries = filesOf(workers, meta)
  const files = new Set([...withStaticImports(filesOf([main, ...started], meta), meta), ...entries])
  const plain = withStaticImports(entries, meta).filter((file) => !files.has(file))
  const toPath = (file: string) => join(folder, file)
  return { started: [...files].map(toPath), plain: plain.map(toPath) }
}

function filesOf(modules: readonly string[], { outputs }: Bun.BuildMetafile): string[] {
  const entries = modules.map((module) => relative(process.cwd(), module))
  return entries.map((entry) => Object.keys(outputs).find((file) => outputs[file]!.inputs[entry])!)
}

function withStaticImports(entries: string[], { outputs }: Bun.BuildMetafile): string[] {
  const files = [...entries]
  // The list grows during the iteration.
  for (const file of files)
    for (const { path, kind } of outputs[file]!.imports)
      if (kind === 'import-statement' && outputs[path] && !files.includes(path)) files.push(path)
  return files
}

interface Modules {
  folder: string
  started: string[]
  others: string[]
}

async function compileModules(program: Program, { folder, started, others }: Modules) {
  const { target, outfile, assets, jitPolicy } = program
  const targetOption = target && ({ target: `bun-${target}` } as const)
  await Bun.build({
    entrypoints: started,
    root: folder,
    compile: {
      ...{ outfile, autoloadDotenv: false, autoloadBunfig: false, ...targetOption },
      assets: [...assets, ...others],
      jitPolicy,
    },
    format: 'esm',
    minify: true,
    bytecode: true,
    // Deeper functions would be 4 MB, and save a start nothing.
    bytecodeDepth: 1,
    plugins: [
      {
        name: 'keeps modules apart',
        setup: (builder) =>
          void builder.onResolve({ filter: /^\.{1,2}\// }, ({ path }) => ({
            path,
            external: true,
          })),
      },
    ],
  })
}
