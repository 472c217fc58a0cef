import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { t } from '../../messages/t.ts'
import type { InboxQuery } from './data.ts'
import { KINDS } from './texts.ts'
import type { Kind } from './types.ts'

export const FOLDERS = {
  important: { name: t('inbox.important'), filter: { important: true } },
  other: { name: t('inbox.other'), filter: { important: false } },
  all: { name: t('common.all'), filter: {} },
  archived: { name: t('common.archived'), filter: { archived: true } },
} as const
export type Folder = keyof typeof FOLDERS

const isFolder = (name: string | null): name is Folder =>
  name !== null && Object.hasOwn(FOLDERS, name)
const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name)

function pathOf(to: Folder, board: number | undefined): string {
  const params = new URLSearchParams()
  if (to !== 'important') params.set('in', to)
  if (board) params.set('board', String(board))
  const text = String(params)
  return text ? `/inbox?${text}` : '/inbox'
}

/** The folder and filters of the inbox, kept in the URL. */
export function useInboxView() {
  const [query, setQuery] = useSearchParams()
  const folderParam = query.get('in')
  const folder: Folder = isFolder(folderParam) ? folderParam : 'important'
  const board = Number(query.get('board')) || undefined
  const kindParam = query.getAll('kind').filter(isKind).join()
  const listQuery = useMemo((): InboxQuery => {
    const kind = kindParam.split(',').filter(isKind)
    return {
      ...FOLDERS[folder].filter,
      ...(board && { project_id: board }),
      ...(kind.length > 0 && { kind }),
    }
  }, [folder, board, kindParam])
  const set = (change: (params: URLSearchParams) => void) =>
    setQuery(
      (params) => {
        change(params)
        return params
      },
      { replace: true },
    )
  const kinds = kindParam ? kindParam.split(',') : []
  return {
    ...{ folder, board, listQuery, kinds, isArchive: folder === 'archived' },
    isFiltered: board !== undefined || kinds.length > 0,
    pathOf: (to: Folder) => pathOf(to, board),
    /** Changing the board clears the kinds, because each board has its own. */
    setBoard: (project_id: number | undefined) =>
      set((params) => {
        params.delete('kind')
        if (project_id) params.set('board', String(project_id))
        else params.delete('board')
      }),
    toggleKind: (kind: Kind) =>
      set((params) => {
        if (kinds.includes(kind)) params.delete('kind', kind)
        else params.append('kind', kind)
      }),
    clear: () =>
      set((params) => {
        params.delete('kind')
        params.delete('board')
      }),
  }
}
export type InboxView = ReturnType<typeof useInboxView>
