import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Context, PrepareContext } from '../../../../../kernel/caller.ts'
import { Fault } from '../../../../../kernel/fault.ts'
import type { SimilarPair } from '../../../../../kernel/services.ts'
import { findProject } from '../../../../boards/projects/model/index.ts'
import { type Task, tasks, tasksById } from '../../../../tasks/tasks/model/index.ts'
import { readOnlyContext, unavailable } from '../semantic/search-passages.ts'
import { SIMILAR_SCORE } from './candidates.ts'

/** Only the newest open tasks of a board are compared. */
export const MAX_COMPARED_TASKS = 1000

/** Callers with a running comparison. Comparisons are expensive, so each caller has one at a time. */
const comparing = new Set<number>()

/** Compares the open tasks of a board in the search index. */
export async function findDuplicates(
  ask: PrepareContext,
  project_id: number,
): Promise<SimilarPair[]> {
  const { actor_id } = ask.caller
  if (comparing.has(actor_id)) throw alreadyComparing()
  comparing.add(actor_id)
  try {
    const ids = await ask.read((tx) => newestOpenTasks(readOnlyContext(ask, tx), project_id))
    if (ids.length > MAX_COMPARED_TASKS)
      ask.warn(
        'project_id',
        'too_many',
        `Only the newest ${MAX_COMPARED_TASKS} open tasks were compared`,
      )
    const compared = ids.slice(0, MAX_COMPARED_TASKS)
    const query = { project_id, tasks: compared, minScore: SIMILAR_SCORE }
    return await ask.server.searchIndex.duplicates(query).catch(unavailable)
  } finally {
    comparing.delete(actor_id)
  }
}

async function newestOpenTasks(ctx: Context, project_id: number): Promise<number[]> {
  const { team_id } = await findProject(ctx, project_id)
  const isOpen = and(
    ...[eq(tasks.team_id, team_id), eq(tasks.project_id, project_id)],
    ...[eq(tasks.status, 'Normal'), isNull(tasks.completed_at)],
  )
  const rows = await ctx.tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(isOpen)
    .orderBy(desc(tasks.created_at), desc(tasks.task_id))
    .limit(MAX_COMPARED_TASKS + 1)
  return rows.map(({ task_id }) => task_id)
}

const alreadyComparing = () =>
  new Fault(
    'unavailable',
    'Your previous comparison is still running',
    { retry_after: 2 },
    'Try again in a few seconds',
  )

/** The tasks of the pairs, without pairs of which a task was closed or moved meanwhile. */
export async function duplicatePairs(
  ctx: Context,
  project_id: number,
  pairs: readonly SimilarPair[],
): Promise<{ task: Task; similar: Task; score: number }[]> {
  await findProject(ctx, project_id)
  const ids = pairs.flatMap(({ task_id, similar_id }) => [task_id, similar_id])
  const found = await tasksById(ctx.tx, [...new Set(ids)])
  const openTask = (task_id: number) => {
    const task = found.get(task_id)
    const isOpen = task?.status === 'Normal' && task.completed_at === null
    return isOpen && task.project_id === project_id ? task : undefined
  }
  return pairs.flatMap(({ task_id, similar_id, score }) => {
    const [task, similar] = [openTask(task_id), openTask(similar_id)]
    return task && similar ? [{ task, similar, score }] : []
  })
}
