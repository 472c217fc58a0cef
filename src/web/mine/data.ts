import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAsk } from '../data/cache.ts'
import { ask } from '../data/client.ts'
import { together } from '../parts/load-error.tsx'
import { type Ahead, useAhead } from './ahead.ts'
import { useKeepUp, useTurns } from './follow.ts'
import { FIELDS, type Group, type MyTask, type Row } from './shapes.ts'
import type { Asked } from './wanted.ts'

const PAGE = 50

/** Not `enabled`, it waits until what is asked for is known. */
export function useMine(asked: Asked, enabled: boolean) {
  const list = useInfiniteQuery({
    queryKey: ['my_tasks.list', asked],
    queryFn: ({ pageParam: cursor, signal }) =>
      ask(
        'my_tasks.list',
        { ...asked, limit: PAGE, fields: FIELDS.join(), ...(cursor && { cursor }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
    placeholderData: (before) => before,
    enabled,
  })
  const groups = useAsk('my_tasks.groups', asked, { keep: true, enabled })
  const { data: kinds } = groups
  const ahead = useAhead()
  const tasks = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data])
  const rows = useMemo(
    () => (tasks && kinds ? rowsOf(tasks, kinds.groups, ahead) : undefined),
    [tasks, kinds, ahead],
  )
  const asleep = useAsleep(asked, enabled)
  const wakes = useMemo(
    () => asleep?.items.map(({ snoozed_until }) => snoozed_until),
    [asleep?.items],
  )
  useKeepUp()
  const today = useTurns(tasks, wakes)
  return {
    rows,
    list,
    first: together([list, groups]),
    today,
    total: totalOf(kinds?.groups),
    asleep: asleep?.page.total ?? 0,
  }
}

const SNOOZED = { groups: [{ rules: [{ field: 'snoozed', op: 'is' as const, value: true }] }] }

/** Those that will come back by themselves: how many, and when the first ones do. */
function useAsleep({ view_id, project_ids }: Asked, enabled: boolean) {
  const { data } = useAsk(
    'my_tasks.list',
    {
      ...(view_id && { view_id }),
      ...(project_ids && { project_ids }),
      ...{ include_snoozed: true, include_done: false, board_filters: SNOOZED },
      ...{ limit: PAGE, fields: 'snoozed_until' },
    },
    { keep: true, enabled },
  )
  return data
}

const totalOf = (groups: readonly Group[] = []) => groups.reduce((sum, { total }) => sum + total, 0)

export function rowsOf(
  tasks: readonly MyTask[],
  groups: readonly Group[],
  ahead: ReadonlyMap<number, Ahead>,
): Row[] {
  const byKey = new Map(groups.map((group) => [group.key, group]))
  const left = new Map(groups.map(({ key, total }) => [key, total]))
  for (const { task_id, group } of tasks)
    if (ahead.get(task_id) === null) left.set(group, (left.get(group) ?? 1) - 1)
  const rows: Row[] = []
  let last: string | undefined
  for (const found of tasks) {
    const change = ahead.get(found.task_id)
    if (change === null) continue
    const group = byKey.get(found.group)
    if (group && found.group !== last) {
      const total = left.get(found.group)!
      rows.push({ kind: 'group', key: found.group, group: { ...group, total } })
    }
    last = found.group
    const task = change ? { ...found, ...change } : found
    rows.push({ kind: 'task', key: task.task_id, task })
  }
  return rows
}
