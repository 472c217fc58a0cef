import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { Asked } from './data.ts'
import type { Kind } from './shapes.ts'
import { KINDS } from './words.ts'

export const FOLDERS = {
  important: { name: 'Important', asked: { important: true } },
  other: { name: 'Other', asked: { important: false } },
  all: { name: 'All', asked: {} },
  archived: { name: 'Archived', asked: { archived: true } },
} as const
export type Folder = keyof typeof FOLDERS

const isFolder = (name: string | null): name is Folder =>
  name !== null && Object.hasOwn(FOLDERS, name)
const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name)

function pathOf(to: Folder, board: number | undefined): string {
  const some = new URLSearchParams()
  if (to !== 'important') some.set('in', to)
  if (board) some.set('board', String(board))
  const text = String(some)
  return text ? `/inbox?${text}` : '/inbox'
}

/** Which part of the inbox is shown; it stands in the address. */
export function useLook() {
  const [query, setQuery] = useSearchParams()
  const named = query.get('in')
  const folder: Folder = isFolder(named) ? named : 'important'
  const board = Number(query.get('board')) || undefined
  const spelled = query.getAll('kind').filter(isKind).join()
  const asked = useMemo((): Asked => {
    const kind = spelled.split(',').filter(isKind)
    return {
      ...FOLDERS[folder].asked,
      ...(board && { project_id: board }),
      ...(kind.length > 0 && { kind }),
    }
  }, [folder, board, spelled])
  const set = (change: (now: URLSearchParams) => void) =>
    setQuery(
      (now) => {
        change(now)
        return now
      },
      { replace: true },
    )
  const kinds = spelled ? spelled.split(',') : []
  return {
    ...{ folder, board, asked, kinds, isArchive: folder === 'archived' },
    isNarrow: board !== undefined || kinds.length > 0,
    pathOf: (to: Folder) => pathOf(to, board),
    /** Another board counts kinds of its own. */
    setBoard: (project_id: number | undefined) =>
      set((now) => {
        now.delete('kind')
        if (project_id) now.set('board', String(project_id))
        else now.delete('board')
      }),
    turnKind: (kind: Kind) =>
      set((now) => {
        if (kinds.includes(kind)) now.delete('kind', kind)
        else now.append('kind', kind)
      }),
    clear: () =>
      set((now) => {
        now.delete('kind')
        now.delete('board')
      }),
  }
}
export type Look = ReturnType<typeof useLook>
