import { ImportProblem } from './problem.ts'
import type { Source, SourceFile } from './source.ts'
import { SOURCES } from './sources/index.ts'
import { unzip } from './unzip.ts'

export type Sources = Readonly<Record<string, () => Promise<Source>>>

/** Files that systems add to archives and folders. */
const JUNK = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/

/** The files to import: those given, or what is in them if all of them are zip archives. */
export async function openFiles(files: readonly SourceFile[]): Promise<SourceFile[]> {
  if (!(await areArchives(files))) return withoutJunk(files)
  const unpacked = withoutJunk(await unpack(files))
  refuseDocument(files[0]!, unpacked)
  // Some products split a large export into archives inside of an archive.
  return (await areArchives(unpacked)) ? withoutJunk(await unpack(unpacked)) : unpacked
}

const withoutJunk = (files: readonly SourceFile[]) => files.filter(({ path }) => !JUNK.test(path))

async function unpack(archives: readonly SourceFile[]): Promise<SourceFile[]> {
  const unpacked: SourceFile[] = []
  for (const archive of archives) unpacked.push(...(await unzip(archive)))
  return unpacked
}

async function areArchives(files: readonly SourceFile[]): Promise<boolean> {
  const mayBe = files.length === 1 || files.every(({ path }) => /\.zip$/i.test(path))
  if (!mayBe) return false
  for (const file of files) if (!(await isZip(file))) return false
  return files.length > 0
}

async function isZip(file: SourceFile): Promise<boolean> {
  if (file.size < 22) return false
  const [p, k, three, four] = await file.bytes()
  return p === 0x50 && k === 0x4b && (three === 3 || three === 5) && four === three + 1
}

/** Documents of Office are zip archives too. */
function refuseDocument({ path }: SourceFile, unpacked: readonly SourceFile[]): void {
  if (unpacked.some((file) => file.path === '[Content_Types].xml'))
    throw new ImportProblem(
      'The file is a spreadsheet or document of Office',
      'Save it as CSV, then import that',
      { file: path },
    )
}

/** The source that is named, or the first one that knows the files. */
export async function detect(
  files: readonly SourceFile[],
  name?: string,
  sources: Sources = SOURCES,
): Promise<Source> {
  if (name !== undefined) return sourceNamed(name, sources)
  let firstProblem: ImportProblem | undefined
  for (const load of Object.values(sources)) {
    const source = await load()
    try {
      if (await source.detects(files)) return source
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error
      firstProblem ??= error
    }
  }
  const [first] = files
  const what = files.length === 1 ? first!.path : `${files.length} files`
  const reason = firstProblem ? ` (${firstProblem.message})` : ''
  throw new ImportProblem(
    files.length ? `No source recognizes ${what}${reason}` : 'There are no files to import',
    await describeSources(sources),
  )
}

/** Like `detect`, for the files of a folder: each source gets only the files that it reads there. */
export async function detectInFolder(
  files: readonly SourceFile[],
  name?: string,
  sources: Sources = SOURCES,
): Promise<{ source: Source; files: SourceFile[] }> {
  const candidates = name === undefined ? Object.keys(sources) : [name]
  for (const candidate of candidates) {
    const source = await sourceNamed(candidate, sources)
    const { inFolder } = source
    const own = files.filter(({ path }) => inFolder?.test(path))
    if (own.length && (name !== undefined || (await source.detects(own))))
      return { source, files: own }
  }
  throw new ImportProblem(
    name === undefined
      ? 'The folder contains no files of a source'
      : `The folder contains no files of "${name}"`,
    await describeSources(sources),
  )
}

/** Whether some source reads a file with this path in a folder. */
export async function folderFilter(sources: Sources = SOURCES): Promise<(path: string) => boolean> {
  const loaded = await Promise.all(Object.values(sources).map((load) => load()))
  return (path) => loaded.some(({ inFolder }) => inFolder?.test(path))
}

async function sourceNamed(name: string, sources: Sources): Promise<Source> {
  const load = Object.hasOwn(sources, name) ? sources[name] : undefined
  if (load) return load()
  throw new ImportProblem(`There is no source "${name}"`, await describeSources(sources))
}

/** Says in one line for each source what can be imported from it. */
async function describeSources(sources: Sources): Promise<string> {
  const loaded = await Promise.all(Object.values(sources).map((load) => load()))
  const width = Math.max(0, ...loaded.map(({ name }) => name.length))
  const lines = loaded.map(
    ({ name, title, accepts }) => `  ${name.padEnd(width)}  ${title}: ${accepts}`,
  )
  return ['These can be imported:', ...lines].join('\n')
}
