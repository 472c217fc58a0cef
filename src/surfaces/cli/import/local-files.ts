import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SourceFile } from '../../../import/source.ts'
import { CommandError } from '../command.ts'

/** Folders without files of people. */
const SKIPPED = ['node_modules', '.git']
const MAX_ENTRIES = 1_000_000

/** A file that somebody named. */
export async function localFile(path: string): Promise<SourceFile> {
  const { size } = await statOf(path)
  return fileAt(path, basename(path), size)
}

export const isFolder = async (path: string): Promise<boolean> => (await statOf(path)).isDirectory()

/** The files of a folder, and of the folders in it, with a path that is wanted. */
export async function filesInFolder(
  root: string,
  isWanted: (path: string) => boolean,
): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  const waiting = ['']
  let entries = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const entry of await entriesOf(join(root, folder))) {
      if (++entries > MAX_ENTRIES)
        throw new CommandError(`${root} has too many files. Name the folder with those to import`)
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (entry.isDirectory() && !SKIPPED.includes(entry.name)) waiting.push(path)
      if (!entry.isFile() || !isWanted(path)) continue
      const { size } = await statOf(join(root, path))
      files.push(fileAt(join(root, path), path, size))
    }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const fileAt = (location: string, path: string, size: number): SourceFile => ({
  path,
  size,
  bytes: () => readFile(location).catch((error) => unreadable(location, error)),
})

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error) => unreadable(folder, error))

const statOf = (path: string) => stat(path).catch((error) => unreadable(path, error))

function unreadable(path: string, error: Error & { code?: string }): never {
  if (error.code === 'ENOENT') throw new CommandError(`File not found: ${path}`)
  throw new CommandError(`${path} cannot be read: ${error.message}`)
}
