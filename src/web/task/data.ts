import { useQuery } from '@tanstack/react-query'
import { type Board, type Card, patchCards } from '../board/data.ts'
import { cache, keyOf, useAsk } from '../data/cache.ts'
import { ask, type Output } from '../data/client.ts'
import type { Actor } from '../parts/avatar.tsx'

export type Task = Exclude<Output<'tasks.get'>, unknown[]>
/** Why nothing is written there. */
export const DELETED = 'Restore the task to write here'
export type Member = Output<'projects.members'>['items'][number]

const whole = (task_id: number) => ({ task_id, format: 'html' }) as const
const keyOfTask = (task_id: number) => keyOf('tasks.get', whole(task_id))

/** Boards that are at hand know the number of a task without asking. */
function numberOf(ticket: string): number | undefined {
  for (const [, board] of cache.getQueriesData<Board>({ queryKey: ['projects.board'] })) {
    const card = board?.cards.find(({ ticket_number }) => ticket_number === ticket)
    if (card) return card.task_id
  }
  return undefined
}

const numbering = (ticket: string) => ({
  queryKey: ['number', ticket],
  queryFn: async () => numberOf(ticket) ?? (await read(ticket)),
  initialData: () => numberOf(ticket),
})

export const askForTask = (ticket: string) => cache.prefetchQuery(numbering(ticket))

/** A task by its key; what is told of changes names it by its number, so it is kept by that. */
export function useTask(ticket: string): { task: Task | undefined; error: Error | null } {
  const number = useQuery(numbering(ticket))
  const found = useAsk('tasks.get', whole(number.data ?? 0), {
    enabled: number.data !== undefined,
  })
  const asked = useAsk('decision_requests.list', decisionsOf(number.data ?? 0), {
    enabled: number.data !== undefined,
  })
  // They stand above the text, which does not jump for them.
  const isWhole = asked.isFetched || asked.failureCount > 0
  return {
    task: isWhole ? (found.data as Task | undefined) : undefined,
    error: number.error ?? found.error,
  }
}

export const decisionsOf = (task_id: number) => ({ task_id, limit: 50 })

/** Asks for a task by its key, and at once for what is shown with it; answers its number. */
async function read(ticket_number: string): Promise<number> {
  const questions = ask('decision_requests.list', { ticket_number, limit: 50 })
  const [task, asked] = await Promise.all([
    ask('tasks.get', { ticket_number, format: 'html' }) as Promise<Task>,
    questions.catch(() => undefined),
  ])
  const { task_id } = task
  cache.setQueryData(keyOfTask(task_id), task)
  if (asked) cache.setQueryData(keyOf('decision_requests.list', decisionsOf(task_id)), asked)
  return task_id
}

/** Shows a change of a task, here and on its board, and answers how it is taken back. */
export function patchTask(
  { task_id, project_id }: Pick<Task, 'task_id' | 'project_id'>,
  change: Partial<Task>,
): () => void {
  const key = keyOfTask(task_id)
  void cache.cancelQueries({ queryKey: key })
  const put = (fields: Partial<Task>) =>
    cache.setQueryData<Task>(key, (task) => task && { ...task, ...fields })
  const before = cache.getQueryData<Task>(key)
  put(change)
  const onBoard = cardOf(change)
  const back = Object.keys(onBoard).length
    ? patchCards(project_id, new Set([task_id]), (card) => ({ ...card, ...onBoard }))
    : undefined
  return () => {
    back?.()
    if (before)
      put(Object.fromEntries(Object.keys(change).map((one) => [one, before[one as 'title']])))
    void cache.invalidateQueries({ queryKey: key })
  }
}

const keyOfActor = ({ agent_id, user_id }: Actor) => agent_id ?? user_id ?? 0

/** What a card shows of that. */
function cardOf(change: Partial<Task>): Partial<Card> {
  const { title, priority, estimate, section_id, labels, assignees } = change
  return {
    ...(section_id !== undefined && { section_id }),
    ...(title !== undefined && { title }),
    ...(priority !== undefined && { priority }),
    ...(estimate !== undefined && { estimate }),
    ...(change.due_date !== undefined && { due_date: change.due_date ?? undefined }),
    ...(labels && { labels: labels.map(({ label_id }) => label_id) }),
    ...(assignees && { assignees: assignees.map(keyOfActor) }),
  }
}

export const readAgain = (task_id: number) =>
  void cache.invalidateQueries({ queryKey: keyOfTask(task_id) })

const NOBODY: readonly Member[] = []

/** The people and agents of a board: those who can be assigned and mentioned. */
export const useMembers = (project_id: number) =>
  useAsk('projects.members', { project_id, limit: 50 }).data?.items ?? NOBODY

export const useMe = () => useAsk('user_context.get', {}).data

/** A guest answers for no agent, so has none to set to work. */
export function useMaySetToWork(project_id: number): boolean {
  const me = useMe()
  const board = me?.boards.find((one) => one.project_id === project_id)
  const role = me?.teams.find(({ team_id }) => team_id === board?.team_id)?.role
  const isOfTeam = role !== undefined && role !== 'guest'
  return isOfTeam && me!.permissions.includes('agents:manage')
}
