import { briefly } from '../../content/index.ts'
import type { Context } from '../../kernel/caller.ts'
import { actorsOf, asActor } from '../people/index.ts'
import { shownTasks, subtasksOf, type Task, type TaskRow, tasksById } from '../tasks/index.ts'
import type { NearTask, RunRow, Session } from './schema.ts'
import type { Run } from './store.ts'

const FIRST_WORDS = 500

/** The rows as lists show them, in their order. */
export async function shownRuns(ctx: Context, rows: readonly Run[]): Promise<RunRow[]> {
  const about = await tasksById(
    ctx.tx,
    rows.map(({ task_id }) => task_id),
  )
  const near = await nearTasks(ctx, [...about.values()])
  const actors = await actorsOf(
    ctx.tx,
    rows.flatMap(({ actor_id, created_by, prompted_by }) => [
      ...[actor_id, created_by, prompted_by ?? []].flat(),
    ]),
  )
  const actor = (id: number) => asActor(actors.get(id)!)
  return rows.map((run) => ({
    ...{ run_id: run.run_id, state: run.state, agent: actor(run.actor_id), origin: run.origin },
    task: near.get(run.task_id)!,
    prompt: run.prompt === null ? null : briefly(run.prompt, FIRST_WORDS),
    ...{ comment_id: run.comment_id, summary: run.summary, reason: run.reason },
    ...{ entry_count: run.entries, last_entry: run.last_entry },
    created_by: actor(run.created_by),
    prompted_by: run.prompted_by === null ? null : actor(run.prompted_by),
    created_at: run.created_at.toISOString(),
    updated_at: run.updated_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    ended_at: run.ended_at?.toISOString() ?? null,
  }))
}

/** The same with the tasks above and below their own. */
export async function shownSessions(ctx: Context, rows: readonly Run[]): Promise<Session[]> {
  const own = await tasksById(
    ctx.tx,
    rows.map(({ task_id }) => task_id),
  )
  const families = new Map<number, Pick<Session, 'parent_tasks' | 'subtasks'>>()
  for (const task of own.values())
    families.set(task.task_id, {
      parent_tasks: await ancestorsOf(ctx, task),
      subtasks: (await subtasksOf(ctx, task)).map(nearOf),
    })
  return (await shownRuns(ctx, rows)).map((row) => ({ ...row, ...families.get(row.task.task_id)! }))
}

/** Its parent first, the task at the top last. */
async function ancestorsOf(ctx: Context, { parent_task_id }: Task): Promise<NearTask[]> {
  const above: Task[] = []
  for (let next = parent_task_id; next !== null; next = above.at(-1)!.parent_task_id) {
    const parent = (await tasksById(ctx.tx, [next])).get(next)
    if (!parent) break
    above.push(parent)
  }
  return (await shownTasks(ctx, above)).map(nearOf)
}

async function nearTasks(ctx: Context, tasks: readonly Task[]) {
  const shown = await shownTasks(ctx, tasks)
  return new Map(shown.map((row) => [row.task_id, nearOf(row)]))
}

const nearOf = (row: TaskRow): NearTask => ({
  task_id: row.task_id,
  ticket_number: row.ticket_number,
  title: row.title,
  section: row.section,
  done: row.done,
  blocked: row.blocked,
  status: row.status,
})
