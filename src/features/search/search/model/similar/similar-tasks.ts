import type { Context } from '../../../../../kernel/caller.ts'
import type { Passage } from '../../../../../kernel/services.ts'
import type { SimilarTask } from '../../../../tasks/records/model/index.ts'
import { type Task, tasksById } from '../../../../tasks/tasks/model/index.ts'
import { roundScore } from '../semantic/visible-passages.ts'

const MAX_SIMILAR = 3

/** The tasks of the candidates that are still on the board of a new task, best first. */
export async function similarTasksOf(
  { tx }: Context,
  { task_id, project_id }: Pick<Task, 'task_id' | 'project_id'>,
  candidates: readonly Passage[],
): Promise<SimilarTask[]> {
  if (!candidates.length) return []
  const scores = new Map<number, number>()
  for (const { task_id: id, score } of candidates)
    scores.set(id, Math.max(score, scores.get(id) ?? 0))
  const found = await tasksById(tx, [...scores.keys()])
  return [...found.values()]
    .filter((task) => task.project_id === project_id && task.status === 'Normal')
    .filter((task) => task.task_id !== task_id)
    .sort((a, b) => scores.get(b.task_id)! - scores.get(a.task_id)! || b.task_id - a.task_id)
    .slice(0, MAX_SIMILAR)
    .map(({ ticket_number, title, task_id: id, completed_at }) => ({
      ...{ ticket_number, title },
      score: roundScore(scores.get(id)!),
      done: completed_at !== null,
    }))
}
