import { fault } from '../../../../kernel/fault.ts'
import type { SidebarEntry } from './schema.ts'

/** Refuses duplicate ids and entries in something that is no folder at the top level. */
export function checkEntries(entries: readonly SidebarEntry[]): void {
  const folders = new Set<string>()
  const ids = new Set<string>()
  for (const { id, path, folder_id } of entries) {
    if (ids.has(id)) throw invalid('conflict', `Two entries have the id ${id}`, id)
    ids.add(id)
    if (path === undefined && folder_id === undefined) folders.add(id)
    if (path === undefined && folder_id !== undefined)
      throw invalid('conflict', `Folder ${id} cannot be in another folder`, id)
  }
  const stray = entries.find(({ folder_id }) => folder_id !== undefined && !folders.has(folder_id))
  if (stray) throw invalid('not_found', `There is no folder ${stray.folder_id}`, stray.folder_id)
}

const invalid = (reason: 'conflict' | 'not_found', message: string, value: unknown) =>
  fault.invalid('entries', reason, message, value)

const PAGE_PATH = /^\/p\/([\w-]+)$/

/** The id or the public id of the page at an address. */
export const pageIdIn = ({ path }: SidebarEntry): string | undefined =>
  PAGE_PATH.exec(path ?? '')?.[1]
