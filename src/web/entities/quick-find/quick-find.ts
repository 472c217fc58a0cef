import { useOperation } from '../../data/cache.ts'
import type { Input, Output } from '../../data/client.ts'
import { useDebounced } from '../../kit/use-debounced.ts'

export type QuickMatch = Output<'search.quick'>[number]

/** A response takes a few milliseconds, so a pause is only needed between fast keys. */
const DEBOUNCE_MS = 40
/** The server refuses longer queries; no title is found by more words. */
const MAX_LENGTH = 500

/** Finds tasks, pages, boards, people and skills by name while the text is typed. */
export function useQuickFind(text: string, options: Omit<Input<'search.quick'>, 'query'>) {
  const trimmed = text.trim().slice(0, MAX_LENGTH)
  const query = useDebounced(trimmed, DEBOUNCE_MS)
  const list = useOperation(
    'search.quick',
    { query, ...options },
    { enabled: query !== '', keepPrevious: true, isVolatile: true },
  )
  const matches = query && trimmed ? (list.data ?? []) : []
  return { matches, list, isBusy: list.isFetching || query !== trimmed }
}

/** A match with the fields that every list of tasks shows. */
export interface QuickTask {
  task_id: number
  ticket_number: string
  title: string
  project_id: number
  done: boolean
}

export const tasksIn = (matches: readonly QuickMatch[]): QuickTask[] =>
  matches
    .filter(({ kind }) => kind === 'task')
    .map(({ id, key, title, project_id, done }) => ({
      ...{ task_id: Number(id), ticket_number: key ?? '', title },
      ...{ project_id: project_id ?? 0, done },
    }))
