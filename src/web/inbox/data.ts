import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache, keyOf, useAsk } from '../data/cache.ts'
import { ask, type Input } from '../data/client.ts'
import { useFollow } from '../frame/follow.ts'
import { useAhead } from './ahead.ts'
import type { Note } from './shapes.ts'

const PAGE = 50

export type Asked = Pick<Input<'inbox.list'>, 'important' | 'archived' | 'project_id' | 'kind'>

const READS = /^inbox\./
const CONCERNS =
  /^(notification|inbox|task|section|project|member)\.|^(comment\.deleted|comment\.reaction)$|^(decision|escalation)\.(answered|cancelled|resolved)$/

/** Asks again for everything that is shown of the inbox, and waits until it is there. */
export const readInbox = () =>
  cache.invalidateQueries({ predicate: ({ queryKey: [name] }) => READS.test(String(name)) })

export const decisionOf = (decision_request_id: number) => ({ decision_request_id })
export const escalationsOf = (task_id: number) => ({ task_id, limit: 50 })

/** What is asked of somebody stands in the row, which is as high as that from the first. */
function askWith({ decision_request_id, escalation_id, task }: Note): Promise<unknown> | undefined {
  if (decision_request_id !== undefined) {
    const input = decisionOf(decision_request_id)
    return cache.ensureQueryData({
      queryKey: keyOf('decision_requests.get', input),
      queryFn: () => ask('decision_requests.get', input),
    })
  }
  if (escalation_id === undefined) return undefined
  const input = escalationsOf(task.task_id)
  return cache.ensureQueryData({
    queryKey: keyOf('escalations.list', input),
    queryFn: () => ask('escalations.list', input),
  })
}

async function pageOf(asked: Asked, cursor: string, signal: AbortSignal) {
  const more = { limit: PAGE, ...(cursor && { cursor }) }
  const { items, page } = await ask('inbox.list', { ...asked, ...more }, { signal })
  const notes = items as Note[]
  // Without that the rest can be read all the same.
  await Promise.allSettled(notes.map(askWith))
  return { notes, page }
}

/** The notifications that are asked for, the newest first, page by page. */
export function useInbox(asked: Asked) {
  const list = useInfiniteQuery({
    queryKey: ['inbox.list', asked],
    queryFn: ({ pageParam, signal }) => pageOf(asked, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
  })
  const ahead = useAhead()
  const notes = useMemo(
    () =>
      list.data?.pages.flatMap((page) =>
        page.notes.flatMap((note): Note[] => {
          const change = ahead.get(note.notification_id)
          return change === null ? [] : [change ? { ...note, ...change } : note]
        }),
      ),
    [list.data, ahead],
  )
  useFollow(CONCERNS, readInbox)
  return { notes, list }
}

/** How much is unread, and whether nothing is left to do. */
export const useSummary = () => useAsk('inbox.summary', {}).data

/** All that were read and are asked for, however many. */
export async function allRead(asked: Asked): Promise<Note[]> {
  const found: Note[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: { cursor?: string } = cursor ? { cursor } : {}
    const answer = await ask('inbox.list', { ...asked, unread: false, limit: PAGE, ...more })
    found.push(...(answer.items as Note[]))
    cursor = answer.page.next_cursor
  }
  return found
}
