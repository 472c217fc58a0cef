import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import { hasNewPlace, type Task } from '../../../tasks/tasks/model/index.ts'
import type { Label } from './store.ts'
import { labels, taskLabels } from './tables.ts'

const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(taskLabels.team_id, team_id), eq(taskLabels.task_id, task_id))

export async function labelsOn(tx: Tx, task: Pick<Task, 'team_id' | 'task_id'>): Promise<Label[]> {
  const rows = await tx
    .select({ label: labels })
    .from(taskLabels)
    .innerJoin(labels, eq(labels.label_id, taskLabels.label_id))
    .where(ofTask(task))
    .orderBy(labels.label_id)
  return rows.map(({ label }) => label)
}

/** Replaces the labels of a task. Returns whether that changed anything. */
export async function replaceLabels(
  tx: Tx,
  task: Task,
  before: readonly Label[],
  after: readonly Label[],
): Promise<boolean> {
  const previousIds = new Set(before.map(({ label_id }) => label_id))
  if (previousIds.size === after.length && after.every(({ label_id }) => previousIds.has(label_id)))
    return false
  if (before.length) await tx.delete(taskLabels).where(ofTask(task))
  const { team_id, task_id, project_id, status } = task
  for (const { label_id } of after)
    await send(tx, insertLabel(tx).execute({ team_id, task_id, label_id, project_id, status }))
  return true
}

const insertLabel = prepared((tx) =>
  tx
    .insert(taskLabels)
    .values({
      team_id: param('team_id'),
      task_id: param('task_id'),
      label_id: param('label_id'),
      project_id: param('project_id'),
      status: param('status'),
    })
    .prepare('task_label_insert'),
)

/** Copies board and status of a task to its label rows when it was archived or moved. */
export async function syncLabelRows(tx: Tx, before: Task, after: Task): Promise<void> {
  const { team_id, task_id, project_id, status } = after
  if (hasNewPlace(before, after))
    await send(tx, updateLabelRows(tx).execute({ team_id, task_id, project_id, status }))
}

const updateLabelRows = prepared((tx) =>
  tx
    .update(taskLabels)
    .set({ project_id: param('project_id'), status: param('status') })
    .where(and(eq(taskLabels.team_id, param('team_id')), eq(taskLabels.task_id, param('task_id'))))
    .prepare('task_labels_update'),
)
