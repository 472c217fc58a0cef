import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { cache, queryKeyOf } from '../../../data/cache.ts'
import { callOperation, type Output } from '../../../data/client.ts'
import type { TaskDetails } from './types.ts'

type BoardDetails = Output<'projects.board_details'>
export type DetailsById = ReadonlyMap<number, TaskDetails>

const keyOf = (project_id: number) => queryKeyOf('projects.board_details', { project_id })
const EMPTY: DetailsById = new Map()

/** The details of the tasks of a board. Later only those of tasks that changed are loaded. */
export function useDetails(project_id: number, seq: number, isNeeded: boolean) {
  const { data, isPending } = useQuery<BoardDetails>({
    queryKey: keyOf(project_id),
    queryFn: ({ signal }) => callOperation('projects.board_details', { project_id }, { signal }),
    enabled: isNeeded,
  })
  const since = data?.seq
  useEffect(() => {
    if (!isNeeded || since === undefined || since >= seq) return
    void loadChanges(project_id, since).catch(() => {})
  }, [project_id, isNeeded, since, seq])
  const details = useMemo(
    (): DetailsById =>
      data ? new Map(data.tasks.map((details) => [details.task_id, details])) : EMPTY,
    [data],
  )
  return { details, isLoading: isNeeded && isPending }
}

async function loadChanges(project_id: number, since: number) {
  const change = await callOperation('projects.board_details', { project_id, since })
  cache.setQueryData<BoardDetails>(keyOf(project_id), (before) => {
    if (!before || before.seq !== since || change.whole) return change.whole ? change : before
    const changedIds = new Set(change.tasks.map(({ task_id }) => task_id))
    const others = before.tasks.filter(({ task_id }) => !changedIds.has(task_id))
    return { ...change, whole: true, tasks: [...others, ...change.tasks] }
  })
}

/** Loads the changes until the details are as new as the board. */
export async function refreshDetails(project_id: number) {
  const since = cache.getQueryData<BoardDetails>(keyOf(project_id))?.seq
  if (since !== undefined) await loadChanges(project_id, since)
}

export const currentDetails = (project_id: number): DetailsById =>
  new Map(
    cache
      .getQueryData<BoardDetails>(keyOf(project_id))
      ?.tasks.map((details) => [details.task_id, details]),
  )

/** Shows other values at once; returns a function that reverts them. */
export function patchDetails(
  project_id: number,
  change: (details: TaskDetails) => TaskDetails,
): () => void {
  const key = keyOf(project_id)
  const before = cache.getQueryData<BoardDetails>(key)
  if (!before) return () => {}
  cache.setQueryData<BoardDetails>(key, { ...before, tasks: before.tasks.map(change) })
  return () => void cache.invalidateQueries({ queryKey: key })
}
