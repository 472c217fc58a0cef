import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useOperation } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { reloadMyTasks, useToday } from './follow.ts'
import { type OptimisticChange, useOptimisticChanges } from './optimistic.ts'
import { FIELDS, type Group, type MyTask, type Row } from './types.ts'
import type { ListQuery } from './view-options.ts'

const PAGE = 50

/** Loads the list. `enabled` is false until the query is known. */
export function useMyTasks(query: ListQuery, enabled: boolean) {
  const list = useInfiniteQuery({
    queryKey: ['my_tasks.list', query],
    queryFn: ({ pageParam: cursor, signal }) => loadPage(query, cursor, signal),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
    placeholderData: (before) => before,
    enabled,
  })
  const changes = useOptimisticChanges()
  const tasks = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data])
  const groups = list.data?.pages[0]?.groups
  const rows = useMemo(
    () => (tasks && groups ? rowsOf(tasks, groups, changes) : undefined),
    [tasks, groups, changes],
  )
  const snoozed = useSnoozed(query, enabled)
  useReloadWhenAwake(query, snoozed?.items)
  const wakeTimes = useMemo(
    () => snoozed?.items.map(({ snoozed_until }) => snoozed_until),
    [snoozed?.items],
  )
  const today = useToday(tasks, wakeTimes)
  return {
    rows,
    list,
    today,
    total: totalOf(groups),
    snoozedCount: snoozed?.page.total ?? 0,
  }
}

/** A page of tasks. The first one has the groups too, so a task never appears without its heading. */
async function loadPage(query: ListQuery, cursor: string, signal: AbortSignal) {
  const input = { ...query, limit: PAGE, fields: FIELDS.join(), ...(cursor && { cursor }) }
  const [page, headings] = await Promise.all([
    callOperation('my_tasks.list', input, { signal }),
    cursor ? undefined : callOperation('my_tasks.groups', query, { signal }),
  ])
  return { ...page, groups: headings?.groups }
}

const SNOOZED = { groups: [{ rules: [{ field: 'snoozed', op: 'is' as const, value: true }] }] }

/** The snoozed tasks: how many, and when the first ones return. */
function useSnoozed({ view_id, project_ids, involvement }: ListQuery, enabled: boolean) {
  const { data } = useOperation(
    'my_tasks.list',
    {
      ...(view_id && { view_id }),
      ...(project_ids && { project_ids }),
      ...(involvement && { involvement }),
      ...{ include_snoozed: true, include_done: false, board_filters: SNOOZED },
      ...{ limit: PAGE, fields: 'task_id,snoozed_until' },
    },
    { keepPrevious: true, enabled },
  )
  return data
}

/**
 * Loads the list again when a task is no longer snoozed: if its snooze ends between the requests
 * for the list and for the snoozed tasks, it is in neither of them.
 */
function useReloadWhenAwake(query: ListQuery, items: readonly { task_id: number }[] | undefined) {
  const before = useRef({ query, items })
  useEffect(() => {
    const isAwake = ({ task_id }: { task_id: number }) =>
      !items?.some((item) => item.task_id === task_id)
    const last = before.current
    if (items && last.query === query && last.items?.some(isAwake)) void reloadMyTasks()
    before.current = { query, items }
  }, [query, items])
}

const totalOf = (groups: readonly Group[] = []) => groups.reduce((sum, { total }) => sum + total, 0)

export function rowsOf(
  tasks: readonly MyTask[],
  groups: readonly Group[],
  changes: ReadonlyMap<number, OptimisticChange>,
): Row[] {
  const byKey = new Map(groups.map((group) => [group.key, group]))
  const remaining = new Map(groups.map(({ key, total }) => [key, total]))
  for (const { task_id, group } of tasks)
    if (changes.get(task_id) === null) remaining.set(group, (remaining.get(group) ?? 1) - 1)
  const rows: Row[] = []
  let last: string | undefined
  for (const loaded of tasks) {
    const change = changes.get(loaded.task_id)
    if (change === null) continue
    const group = byKey.get(loaded.group)
    if (group && loaded.group !== last) {
      const total = remaining.get(loaded.group)!
      rows.push({ kind: 'group', key: loaded.group, group: { ...group, total } })
    }
    last = loaded.group
    const task = change ? { ...loaded, ...change } : loaded
    rows.push({ kind: 'task', key: task.task_id, task })
  }
  return rows
}
