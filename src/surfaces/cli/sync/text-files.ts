import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Source, SourceFile } from '../../../import/source.ts'
import { CommandError } from '../command.ts'
import { filesInFolder } from '../import/local-files.ts'

/** The files of a source in a folder, as they are now. */
export async function readFiles(folder: string, source: Source): Promise<SourceFile[]> {
  const files = await filesInFolder(folder, (path) => source.inFolder?.test(path) ?? false)
  return Promise.all(
    files.map(async ({ path, bytes }) => {
      const content = await bytes()
      return { path, size: content.length, bytes: async () => content }
    }),
  )
}

/** The files after changes. */
export function withChanges(
  files: readonly SourceFile[],
  changes: ReadonlyMap<string, string | undefined>,
): SourceFile[] {
  const remaining = files.filter(({ path }) => !changes.has(path))
  const written = [...changes].flatMap(([path, text]) => {
    if (text === undefined) return []
    const bytes = new TextEncoder().encode(text)
    return { path, size: bytes.length, bytes: async () => bytes }
  })
  return [...remaining, ...written].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Writes changed files, each completely or not at all. Refuses if somebody changed one of them since
 * it was read.
 */
export async function writeChanges(
  folder: string,
  files: readonly SourceFile[],
  changes: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const read = new Map(files.map((file) => [file.path, file]))
  for (const path of changes.keys()) await checkUnchanged(join(folder, path), read.get(path))
  const moves = movesIn(changes)
  for (const [path, text] of changes)
    if (text !== undefined) await writeAtomically(join(folder, moves.get(path) ?? path), text)
  for (const [to, from] of moves) {
    await mkdir(dirname(join(folder, to)), { recursive: true })
    await rename(join(folder, from), join(folder, to))
  }
  const moved = new Set(moves.values())
  for (const [path, text] of changes)
    if (text === undefined && !moved.has(path)) await rm(join(folder, path), { force: true })
}

/** The old path of each file that moves. It moves in one step, so that it is never there twice. */
function movesIn(changes: ReadonlyMap<string, string | undefined>): Map<string, string> {
  const removed = [...changes].flatMap(([path, text]) => (text === undefined ? path : []))
  const moves = new Map<string, string>()
  for (const [path, text] of changes) {
    const from = removed.find((one) => basename(one) === basename(path))
    if (text !== undefined && from !== undefined) moves.set(path, from)
  }
  return moves
}

async function checkUnchanged(path: string, read: SourceFile | undefined): Promise<void> {
  const now = await readFile(path).catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw new CommandError(`${path} cannot be read: ${error.message}`)
  })
  const before = read && Buffer.from(await read.bytes())
  if (now === undefined ? before === undefined : before?.equals(now)) return
  throw new CommandError(`${path} was changed during the sync. Run the same command again`)
}

export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.part`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, text)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new CommandError(`${path} could not be written: ${(error as Error).message}`)
  }
}
