import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { cache, useAsk } from '../data/cache.ts'
import { ask, type Input, type Output } from '../data/client.ts'
import type { Happening } from '../data/live.ts'
import { useHappenings } from '../frame/live.ts'
import { type Ahead, useAhead } from './ahead.ts'

const FIELDS = [
  ...(['task_id', 'ticket_number', 'project_id', 'section_id', 'title', 'done', 'group'] as const),
  ...(['due_date', 'overdue', 'priority', 'recurrence', 'snoozed_until'] as const),
  ...(['blocked', 'labels', 'subtask_count', 'comment_count'] as const),
] as const
export type MyTask = Pick<Output<'my_tasks.list'>['items'][number], (typeof FIELDS)[number]>
export type Group = Output<'my_tasks.groups'>['groups'][number]
export type MyView = Output<'my_views.list'>['items'][number]
export type Asked = Pick<
  Input<'my_tasks.groups'>,
  'view_id' | 'grouping' | 'include_done' | 'include_snoozed'
>

/** What the list shows: a group's title, or one of its tasks. */
export type Row =
  | { kind: 'group'; key: string; group: Group }
  | { kind: 'task'; key: number; task: MyTask }

const PAGE = 50

export function useMine(asked: Asked) {
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
  })
  const { data: kinds } = useAsk('my_tasks.groups', asked, { keep: true })
  const ahead = useAhead()
  const tasks = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data])
  const rows = useMemo(
    () => (tasks && kinds ? rowsOf(tasks, kinds.groups, ahead) : undefined),
    [tasks, kinds, ahead],
  )
  useFollow()
  return { rows, list, total: totalOf(kinds?.groups) }
}

const totalOf = (groups: readonly Group[] = []) => groups.reduce((sum, { total }) => sum + total, 0)

function rowsOf(
  tasks: readonly MyTask[],
  groups: readonly Group[],
  ahead: ReadonlyMap<number, Ahead>,
): Row[] {
  const byKey = new Map(groups.map((group) => [group.key, group]))
  const left = new Map(groups.map(({ key, total }) => [key, total]))
  for (const { task_id, group } of tasks)
    if (ahead.get(task_id) === null) left.set(group, left.get(group)! - 1)
  const rows: Row[] = []
  let last: string | undefined
  for (const found of tasks) {
    const change = ahead.get(found.task_id)
    if (change === null) continue
    const group = byKey.get(found.group)
    if (group && found.group !== last)
      rows.push({
        kind: 'group',
        key: found.group,
        group: { ...group, total: left.get(found.group)! },
      })
    last = found.group
    const task = change ? { ...found, ...change } : found
    rows.push({ kind: 'task', key: task.task_id, task })
  }
  return rows
}

/** Asks again for everything that is shown of My Tasks, and waits until it is there. */
export const readMine = () =>
  cache.invalidateQueries({ predicate: ({ queryKey: [name] }) => READS.test(String(name)) })

const READS = /^my_tasks\.(list|groups)$/
const CONCERNS = /^(task|relation|section|project|label|my_view)\./
/** Long lists are read page by page: however much happens, not more often than this. */
const SPACING_MS = 400

/** Keeps the list up with what people and agents do elsewhere. */
function useFollow() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOld = useRef(false)
  const follow = useCallback(async () => {
    timer.current = setTimeout(() => {
      timer.current = undefined
      if (isOld.current) void follow()
    }, SPACING_MS)
    isOld.current = false
    await readMine()
  }, [])
  const hear = useCallback(
    (happenings: readonly Happening[]) => {
      if (!happenings.some(({ type }) => CONCERNS.test(type))) return
      isOld.current = true
      if (timer.current === undefined) void follow()
    },
    [follow],
  )
  useHappenings(hear)
  useEffect(() => {
    // Groups are about today, and today ends while nobody looks.
    const back = () => document.visibilityState === 'visible' && void readMine()
    document.addEventListener('visibilitychange', back)
    return () => {
      document.removeEventListener('visibilitychange', back)
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [])
}
