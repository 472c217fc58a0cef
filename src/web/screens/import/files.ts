import { PRODUCTS } from '../../entities/import/products.ts'
import type { PickedFile } from './worker-types.ts'

const IGNORED = /(^|\/)(node_modules|\.git)\//
const patterns = PRODUCTS.flatMap(({ inFolder }) => (inFolder ? [new RegExp(...inFolder)] : []))

/** Whether some source reads such a file of a folder. */
export const isImportable = (path: string) =>
  !IGNORED.test(path) && patterns.some((pattern) => pattern.test(path))

/** A path without the name of the chosen folder. */
const insideFolder = (path: string) => path.replace(/^\/?[^/]*\//, '')

/** The files of a file picker or a folder picker. */
export const filesOf = (list: Iterable<File>): PickedFile[] =>
  [...list].flatMap((file) => {
    if (!file.webkitRelativePath) return [{ path: file.name, file }]
    const path = insideFolder(file.webkitRelativePath)
    return isImportable(path) ? [{ path, file }] : []
  })

/** The files that were dropped, and those in folders that were dropped. */
export async function droppedFiles({ items }: DataTransfer): Promise<PickedFile[]> {
  // The items are gone after the first await.
  const found = [...items].map((item) => {
    const entry = item.webkitGetAsEntry()
    return entry ? filesIn(entry) : filesOf([item.getAsFile()].filter((file) => file !== null))
  })
  return (await Promise.all(found)).flat()
}

async function filesIn(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const path = insideFolder(entry.fullPath)
    const isInFolder = entry.fullPath.lastIndexOf('/') > 0
    if (isInFolder && !isImportable(path)) return []
    return [{ path, file: await fileOf(entry as FileSystemFileEntry) }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: PickedFile[] = []
  // A reader returns the entries of a large folder in several lists, and ends with an empty one.
  for (let entries = await readEntries(reader); entries.length; entries = await readEntries(reader))
    for (const inner of entries) found.push(...(await filesIn(inner)))
  return found
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

const readEntries = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
