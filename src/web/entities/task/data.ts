import { useQuery } from '@tanstack/react-query'
import { cache, queryKeyOf, useOperation } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { t } from '../../messages/t.ts'
import { type Board, type Card, patchCards } from '../board/data.ts'
import { keyOf as keyOfActor } from '../user/actor.ts'
import { useMe } from '../user/me.ts'
import { TASK_FIELDS } from './task-fields.tsx'

export type Task = Exclude<Output<'tasks.get'>, unknown[]>
/** The reason shown where a deleted task cannot be edited. */
export const DELETED = t('task.restore_the_task_to_edit_it')

const taskQuery = (task_id: number) => ({ task_id, format: 'html' }) as const
const keyOfTask = (task_id: number) => queryKeyOf('tasks.get', taskQuery(task_id))

/** Looks a task's id up in the cached boards. */
function taskIdOnBoards(ticket: string): number | undefined {
  for (const [, board] of cache.getQueriesData<Board>({ queryKey: ['projects.board'] })) {
    const card = board?.cards.find(({ ticket_number }) => ticket_number === ticket)
    if (card) return card.task_id
  }
  return undefined
}

const taskIdQuery = (ticket: string) => ({
  queryKey: ['number', ticket],
  queryFn: async () => taskIdOnBoards(ticket) ?? (await loadTask(ticket)),
  initialData: () => taskIdOnBoards(ticket),
})

export const prefetchTask = (ticket: string) => cache.prefetchQuery(taskIdQuery(ticket))

/** The task of a key, if it is open or was opened before. */
export function cachedTask(ticket: string): Task | undefined {
  const task_id = cache.getQueryData<number>(taskIdQuery(ticket).queryKey)
  return task_id === undefined ? undefined : cache.getQueryData<Task>(keyOfTask(task_id))
}

/** Loads a task by its key. It is cached by id, because events name tasks by id. */
export function useTask(ticket: string): { task: Task | undefined; error: Error | null } {
  const taskId = useQuery(taskIdQuery(ticket))
  const taskResult = useOperation('tasks.get', taskQuery(taskId.data ?? 0), {
    enabled: taskId.data !== undefined,
  })
  const decisions = useOperation('decision_requests.list', decisionsQuery(taskId.data ?? 0), {
    enabled: taskId.data !== undefined,
  })
  // Decision requests are shown above the text; waiting for them keeps it from jumping.
  const isLoaded = decisions.isFetched || decisions.failureCount > 0
  return {
    task: isLoaded ? (taskResult.data as Task | undefined) : undefined,
    error: taskId.error ?? taskResult.error,
  }
}

export const decisionsQuery = (task_id: number) => ({ task_id, limit: 50 })

/** Loads a task and its decision requests in parallel, caches both, and returns the task's id. */
async function loadTask(ticket_number: string): Promise<number> {
  const decisionsRequest = callOperation('decision_requests.list', { ticket_number, limit: 50 })
  const [task, decisions] = await Promise.all([
    callOperation('tasks.get', { ticket_number, format: 'html' }) as Promise<Task>,
    decisionsRequest.catch(() => undefined),
  ])
  const { task_id } = task
  cache.setQueryData(keyOfTask(task_id), task)
  if (decisions)
    cache.setQueryData(queryKeyOf('decision_requests.list', decisionsQuery(task_id)), decisions)
  return task_id
}

/** Changes the cached task and its card on the board. Returns a function that reverts both. */
export function patchTask(
  { task_id, project_id }: Pick<Task, 'task_id' | 'project_id'>,
  change: Partial<Task>,
): () => void {
  const key = keyOfTask(task_id)
  void cache.cancelQueries({ queryKey: key })
  const apply = (fields: Partial<Task>) =>
    cache.setQueryData<Task>(key, (task) => task && { ...task, ...fields })
  const before = cache.getQueryData<Task>(key)
  apply(change)
  const cardChange = cardFields(change)
  const revertCards = Object.keys(cardChange).length
    ? patchCards(project_id, new Set([task_id]), (card) => ({ ...card, ...cardChange }))
    : undefined
  return () => {
    revertCards?.()
    if (before)
      apply(
        Object.fromEntries(Object.keys(change).map((field) => [field, before[field as 'title']])),
      )
    void cache.invalidateQueries({ queryKey: key })
  }
}

/** The fields of a change that a card has too. */
function cardFields(change: Partial<Task>): Partial<Card> {
  const { title, section_id, labels, assignees } = change
  const changed = TASK_FIELDS.filter(({ name }) => change[name] !== undefined)
  return {
    ...(section_id !== undefined && { section_id }),
    ...(title !== undefined && { title }),
    ...Object.fromEntries(changed.map(({ name }) => [name, change[name]])),
    ...(change.due_date !== undefined && { due_date: change.due_date ?? undefined }),
    ...(labels && { labels: labels.map(({ label_id }) => label_id) }),
    ...(assignees && { assignees: assignees.map(keyOfActor) }),
  }
}

export const reloadTask = (task_id: number) =>
  void cache.invalidateQueries({ queryKey: keyOfTask(task_id) })

/** Guests cannot start runs; members need the `agents:manage` scope. */
export function useCanStartRuns(project_id: number): boolean {
  const me = useMe()
  const board = me?.boards.find((one) => one.project_id === project_id)
  const role = me?.teams.find(({ team_id }) => team_id === board?.team_id)?.role
  const isOfTeam = role !== undefined && role !== 'guest'
  return isOfTeam && me!.permissions.includes('agents:manage')
}
