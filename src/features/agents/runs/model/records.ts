import { truncate } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { subtasksOf, type TaskRow, toTaskRows } from '../../../tasks/records/model/index.ts'
import { type Task, tasksById } from '../../../tasks/tasks/model/index.ts'
import { toUsd } from '../../agents/model/index.ts'
import type { NearTask, RunRow, Session } from './schema.ts'
import type { Run } from './store.ts'

const PROMPT_LENGTH = 500

/** The records of runs, in the order of the rows. */
export async function runRecords(ctx: Context, rows: readonly Run[]): Promise<RunRow[]> {
  const tasks = await tasksById(
    ctx.tx,
    rows.map(({ task_id }) => task_id),
  )
  const nearby = await nearTasks(ctx, [...tasks.values()])
  const actors = await actorsOf(
    ctx.tx,
    rows.flatMap(({ actor_id, created_by, prompted_by }) =>
      [actor_id, created_by, prompted_by ?? []].flat(),
    ),
  )
  const actor = (id: number) => asActor(actors.get(id)!)
  return rows.map((run) => ({
    run_id: run.run_id,
    state: run.state,
    agent: actor(run.actor_id),
    origin: run.origin,
    task: nearby.get(run.task_id)!,
    prompt: run.prompt === null ? null : truncate(run.prompt, PROMPT_LENGTH),
    comment_id: run.comment_id,
    summary: run.summary,
    reason: run.reason,
    entry_count: run.entries,
    last_entry: run.last_entry,
    input_tokens: run.input_tokens,
    output_tokens: run.output_tokens,
    cost_usd: run.cost_micro_usd === null ? null : toUsd(run.cost_micro_usd),
    created_by: actor(run.created_by),
    prompted_by: run.prompted_by === null ? null : actor(run.prompted_by),
    created_at: run.created_at.toISOString(),
    updated_at: run.updated_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    ended_at: run.ended_at?.toISOString() ?? null,
  }))
}

/** The records with the ancestors and subtasks of their tasks. */
export async function sessionRecords(ctx: Context, rows: readonly Run[]): Promise<Session[]> {
  const own = await tasksById(
    ctx.tx,
    rows.map(({ task_id }) => task_id),
  )
  const families = new Map<number, Pick<Session, 'parent_tasks' | 'subtasks'>>()
  for (const task of own.values())
    families.set(task.task_id, {
      parent_tasks: await ancestorsOf(ctx, task),
      subtasks: (await subtasksOf(ctx, task)).map(toNearTask),
    })
  return (await runRecords(ctx, rows)).map((row) => ({
    ...row,
    ...families.get(row.task.task_id)!,
  }))
}

/** The ancestors of a task, its parent first. */
async function ancestorsOf(ctx: Context, { parent_task_id }: Task): Promise<NearTask[]> {
  const ancestors: Task[] = []
  for (let next = parent_task_id; next !== null; next = ancestors.at(-1)!.parent_task_id) {
    const parent = (await tasksById(ctx.tx, [next])).get(next)
    if (!parent) break
    ancestors.push(parent)
  }
  return (await toTaskRows(ctx, ancestors)).map(toNearTask)
}

async function nearTasks(ctx: Context, tasks: readonly Task[]) {
  const rows = await toTaskRows(ctx, tasks)
  return new Map(rows.map((row) => [row.task_id, toNearTask(row)]))
}

const toNearTask = (row: TaskRow): NearTask => ({
  task_id: row.task_id,
  ticket_number: row.ticket_number,
  title: row.title,
  section: row.section,
  done: row.done,
  blocked: row.blocked,
  status: row.status,
})
