import { and, eq, inArray } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { Task } from '../../tasks/model/index.ts'
import { taskWatchers } from './tables.ts'

type TaskRef = Pick<Task, 'team_id' | 'task_id'>

const selectChoices = prepared((tx) =>
  tx
    .select({ actor_id: taskWatchers.actor_id, watching: taskWatchers.watching })
    .from(taskWatchers)
    .where(
      and(eq(taskWatchers.team_id, param('team_id')), eq(taskWatchers.task_id, param('task_id'))),
    )
    .prepare('task_watchers_of'),
)

/** Those who take part, without those who have stopped watching, and those who have started. */
export async function watchersAmong(
  tx: Tx,
  { team_id, task_id }: TaskRef,
  participants: readonly number[],
): Promise<number[]> {
  const ids = new Set(participants)
  for (const { actor_id, watching } of await selectChoices(tx).execute({ team_id, task_id }))
    if (watching) ids.add(actor_id)
    else ids.delete(actor_id)
  return [...ids]
}

/** These actors, without those who have stopped watching. */
export async function withoutUnwatching(
  tx: Tx,
  { team_id, task_id }: TaskRef,
  ids: readonly number[],
): Promise<number[]> {
  const choices = await selectChoices(tx).execute({ team_id, task_id })
  return ids.filter((id) => !choices.some((one) => one.actor_id === id && !one.watching))
}

/** A subquery for the ids of the tasks that the caller chose to watch, or not to watch. */
export const tasksWithChoice = (
  { tx, caller }: Pick<Context, 'tx' | 'caller'>,
  watching: boolean,
) =>
  tx
    .select({ task_id: taskWatchers.task_id })
    .from(taskWatchers)
    .where(
      and(
        inArray(taskWatchers.team_id, [...caller.teams.keys()]),
        eq(taskWatchers.actor_id, caller.actor_id),
        eq(taskWatchers.watching, watching),
      ),
    )

export async function setWatching(
  tx: Tx,
  { team_id, task_id }: TaskRef,
  actor_id: number,
  watching: boolean,
): Promise<void> {
  const { team_id: team, task_id: task, actor_id: actor } = taskWatchers
  await tx
    .insert(taskWatchers)
    .values({ team_id, task_id, actor_id, watching })
    .onConflictDoUpdate({ target: [team, task, actor], set: { watching } })
}
