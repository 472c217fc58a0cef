import type { Output } from '../../data/client.ts'

export type PinEntry = Output<'sidebar.get'>['entries'][number]
export type Entries = readonly PinEntry[]

/** Where an entry goes: before another entry, or to the end of a folder or of the top level. */
export interface PinPlace {
  folder_id?: string | undefined
  before?: string | undefined
}

export const isFolder = ({ path }: PinEntry) => path === undefined

const inFolder = ({ folder_id: _, ...entry }: PinEntry, folder_id: string | undefined): PinEntry =>
  folder_id === undefined ? entry : { ...entry, folder_id }

/** Folders are only at the top level. A folder that is gone by now stands for the top level. */
export function moveEntry(entries: Entries, id: string, { folder_id, before }: PinPlace): Entries {
  const entry = entries.find((one) => one.id === id)
  if (!entry || before === id) return entries
  const folder = entries.find((one) => one.id === folder_id && isFolder(one))
  const moved = inFolder(entry, isFolder(entry) ? undefined : folder?.id)
  const others = entries.filter((one) => one !== entry)
  const at = others.findIndex((one) => one.id === before)
  return at < 0 ? [...others, moved] : others.toSpliced(at, 0, moved)
}

/** Removes an entry. What is in a removed folder stays, at the top level. */
export const removeEntry = (entries: Entries, id: string): Entries =>
  entries
    .filter((one) => one.id !== id)
    .map((one) => (one.folder_id === id ? inFolder(one, undefined) : one))

export const renameEntry = (entries: Entries, id: string, title: string): Entries =>
  entries.map((one) => (one.id === id ? { ...one, title } : one))

export interface PinNode {
  entry: PinEntry
  level: 1 | 2
  isOpen: boolean
}

/** The visible entries in their order; those in closed folders are left out. */
export function visiblePins(entries: Entries, closed: ReadonlySet<string>): PinNode[] {
  const folders = new Set(entries.filter(isFolder).map(({ id }) => id))
  const isTop = ({ folder_id }: PinEntry) => folder_id === undefined || !folders.has(folder_id)
  return entries.filter(isTop).flatMap((entry): PinNode[] => {
    const isOpen = isFolder(entry) && !closed.has(entry.id)
    const children = isOpen ? entries.filter(({ folder_id }) => folder_id === entry.id) : []
    return [
      { entry, level: 1, isOpen },
      ...children.map((child) => ({ entry: child, level: 2 as const, isOpen: false })),
    ]
  })
}

/** The place one step up or down, in and out of open folders; undefined at the ends. */
export function stepPlace(
  nodes: readonly PinNode[],
  index: number,
  by: 1 | -1,
): PinPlace | undefined {
  const { entry } = nodes[index]!
  return isFolder(entry)
    ? folderStep(nodes, index, by)
    : by < 0
      ? placeAbove(nodes, index)
      : placeBelow(nodes, index)
}

function folderStep(nodes: readonly PinNode[], index: number, by: 1 | -1): PinPlace | undefined {
  const tops = nodes.filter(({ level }) => level === 1)
  const at = tops.indexOf(nodes[index]!)
  const next = tops[at + by]
  if (!next) return undefined
  return by < 0 ? { before: next.entry.id } : { before: tops[at + 2]?.entry.id }
}

function placeAbove(nodes: readonly PinNode[], index: number): PinPlace | undefined {
  const { entry, level } = nodes[index]!
  const above = nodes[index - 1]
  if (!above) return undefined
  if (level === 2)
    return { before: above.entry.id, ...(above.level === 2 && { folder_id: entry.folder_id }) }
  if (above.level === 2) return { folder_id: above.entry.folder_id }
  return above.isOpen ? { folder_id: above.entry.id } : { before: above.entry.id }
}

function placeBelow(nodes: readonly PinNode[], index: number): PinPlace | undefined {
  const { entry, level } = nodes[index]!
  const below = nodes[index + 1]
  const next = nodes[index + 2]
  if (level === 2) {
    if (below?.level !== 2) return { before: below?.entry.id }
    return { folder_id: entry.folder_id, before: next?.level === 2 ? next.entry.id : undefined }
  }
  if (!below) return undefined
  if (!below.isOpen) return { before: next?.entry.id }
  return { folder_id: below.entry.id, before: next?.level === 2 ? next.entry.id : undefined }
}
