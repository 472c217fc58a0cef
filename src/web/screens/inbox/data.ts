import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache, queryKeyOf, useOperation } from '../../data/cache.ts'
import { callOperation, type Input } from '../../data/client.ts'
import { useOptimisticChanges } from './optimistic.ts'
import type { Note } from './types.ts'

const PAGE = 50

export type InboxQuery = Pick<Input<'inbox.list'>, 'important' | 'archived' | 'project_id' | 'kind'>

const INBOX_OPERATIONS = /^inbox\./

/** Reloads the inbox queries and resolves when they are loaded. */
export const reloadInbox = () =>
  cache.invalidateQueries({
    predicate: ({ queryKey: [name] }) => INBOX_OPERATIONS.test(String(name)),
  })

export const decisionQuery = (decision_request_id: number) => ({ decision_request_id })
export const escalationsQuery = (task_id: number) => ({ task_id, limit: 50 })

/**
 * Loads the request of a notification before its row is shown, so that the row has its final
 * height.
 */
function loadRequest({
  decision_request_id,
  escalation_id,
  task,
}: Note): Promise<unknown> | undefined {
  if (decision_request_id !== undefined) {
    const input = decisionQuery(decision_request_id)
    return cache.ensureQueryData({
      queryKey: queryKeyOf('decision_requests.get', input),
      queryFn: () => callOperation('decision_requests.get', input),
    })
  }
  if (escalation_id === undefined) return undefined
  const input = escalationsQuery(task.task_id)
  return cache.ensureQueryData({
    queryKey: queryKeyOf('escalations.list', input),
    queryFn: () => callOperation('escalations.list', input),
  })
}

async function fetchPage(query: InboxQuery, cursor: string, signal: AbortSignal) {
  const paging = { limit: PAGE, ...(cursor && { cursor }) }
  const { items, page } = await callOperation('inbox.list', { ...query, ...paging }, { signal })
  const notes = items as Note[]
  // The notifications are readable even if a request fails to load.
  await Promise.allSettled(notes.map(loadRequest))
  return { notes, page }
}

/** The notifications that match a query, newest first, page by page. */
export function useInbox(query: InboxQuery) {
  const list = useInfiniteQuery({
    queryKey: ['inbox.list', query],
    queryFn: ({ pageParam, signal }) => fetchPage(query, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
  })
  const changes = useOptimisticChanges()
  const notes = useMemo(
    () =>
      list.data?.pages.flatMap((page) =>
        page.notes.flatMap((note): Note[] => {
          const change = changes.get(note.notification_id)
          return change === null ? [] : [change ? { ...note, ...change } : note]
        }),
      ),
    [list.data, changes],
  )
  return { notes, list }
}

/** The unread counts, and whether the inbox is empty. */
export const useSummary = () => useOperation('inbox.summary', {}).data

/** All read notifications that match a query, on all pages. */
export async function fetchAllRead(query: InboxQuery): Promise<Note[]> {
  const readNotes: Note[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const paging: { cursor?: string } = cursor ? { cursor } : {}
    const result = await callOperation('inbox.list', {
      ...query,
      unread: false,
      limit: PAGE,
      ...paging,
    })
    readNotes.push(...(result.items as Note[]))
    cursor = result.page.next_cursor
  }
  return readNotes
}
