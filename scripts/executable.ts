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
  /** Modules that a start needs too, but that are too large to get bytecode. */
  large: readonly string[]
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
 * are embedded as they are, at the same paths. Both find each other by these paths.
 */
export async function compileProgram(program: Program): Promise<Sizes> {
  const folder = mkdtempSync(join(tmpdir(), 'cork-modules-'))
  try {
    const { outputs, metafile } = await bundle(program, folder)
    const pathsOf = (kind: 'asset' | 'code') =>
      outputs.filter((one) => (one.kind === 'asset') === (kind === 'asset')).map(({ path }) => path)
    await addressAssets(pathsOf('code'), pathsOf('asset'), program.target)
    const started = startedFiles(program, metafile!).map((path) => join(folder, path))
    const others = [...pathsOf('code'), ...pathsOf('asset')].filter((it) => !started.includes(it))
    await compileModules(program, { folder, started, others: others.sort() })
    return sizesOf(program, { started, others, files: pathsOf('asset') })
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
    otherCode: sizeOf(others) - sizeOf(files),
    files: sizeOf([...embedded, ...files]),
  }
  const { total, ...parts } = sizes
  return { ...sizes, bytecode: total - Object.values(parts).reduce((sum, size) => sum + size) }
}

const sizeOf = (paths: string[]) => paths.reduce((sum, path) => sum + statSync(path).size, 0)

const bundle = ({ main, workers, large, define }: Program, outdir: string) =>
  Bun.build({
    // A large module gets a file of its own.
    entrypoints: [main, ...workers, ...large],
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

/**
 * The files of the main module and of `started` with all their static imports, and those of the
 * workers without.
 */
function startedFiles(program: Program, { outputs }: Bun.BuildMetafile): string[] {
  const { main, started, workers, large } = program
  const fileOf = (module: string) => {
    const entry = relative(process.cwd(), module)
    return Object.keys(outputs).find((file) => outputs[file]!.inputs[entry])!
  }
  const files = [main, ...started].map(fileOf)
  // The list grows during the iteration.
  for (const file of files)
    for (const { path, kind } of outputs[file]!.imports)
      if (kind === 'import-statement' && outputs[path] && !files.includes(path)) files.push(path)
  const without = large.map(fileOf)
  const needed = files.filter((file) => !without.includes(file))
  return [...new Set([...needed, ...workers.map(fileOf)])]
}

interface Modules {
  folder: string
  started: string[]
  others: string[]
}

async function compileModules(program: Program, { folder, started, others }: Modules) {
  const { target, outfile, assets } = program
  const targetOption = target && ({ target: `bun-${target}` } as const)
  await Bun.build({
    entrypoints: started,
    root: folder,
    compile: {
      ...{ outfile, autoloadDotenv: false, autoloadBunfig: false, ...targetOption },
      assets: [...assets, ...others],
    },
    format: 'esm',
    minify: true,
    bytecode: true,
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
