import type { Context } from '../../../../kernel/caller.ts'
import { findVisibleProject, type Project } from '../../../boards/projects/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { tasksById } from '../../../tasks/tasks/model/index.ts'
import { INTERRUPTED, interruptedParts, isDead, publicPart } from './rules.ts'
import type { Message, ThreadRow } from './schema.ts'
import type { Row, Thread } from './store.ts'

/** The board and task of a thread, if its person can still see them. */
export async function aboutOf(ctx: Context, threads: readonly Thread[]) {
  const ids = new Set(threads.flatMap(({ project_id }) => project_id ?? []))
  const boards = new Map<number, Project>()
  for (const project_id of ids) {
    const project = await findVisibleProject(ctx, project_id)
    if (project) boards.set(project_id, project)
  }
  const tasks = await tasksById(
    ctx.tx,
    threads.flatMap(({ task_id }) => task_id ?? []),
  )
  return (thread: Thread) => {
    const task = thread.task_id === null ? undefined : tasks.get(thread.task_id)
    // The task may have moved to another board since; then it is not shown.
    const project = thread.project_id === null ? undefined : boards.get(thread.project_id)
    return { project, task: task?.project_id === project?.project_id ? task : undefined }
  }
}

export async function threadRecords(
  ctx: Context,
  threads: readonly Thread[],
): Promise<ThreadRow[]> {
  const about = await aboutOf(ctx, threads)
  return threads.map((thread) => {
    const { project, task } = about(thread)
    return {
      thread_id: thread.thread_id,
      title: thread.title,
      project: project
        ? { project_id: project.project_id, key: project.key, title: project.title }
        : null,
      task: task
        ? { task_id: task.task_id, ticket_number: task.ticket_number, title: task.title }
        : null,
      allow_writes: thread.allow_writes,
      state: isDead(thread, ctx.now) ? 'idle' : thread.state,
      messages: thread.messages,
      created_at: thread.created_at.toISOString(),
      updated_at: thread.updated_at.toISOString(),
    }
  })
}

/** An answer whose server is gone is shown as failed. */
export async function messageRecords(
  ctx: Context,
  thread: Thread,
  rows: readonly Row[],
): Promise<Message[]> {
  const writers = await actorsOf(
    ctx.tx,
    rows.flatMap(({ actor_id }) => actor_id ?? []),
  )
  const dead = isDead(thread, ctx.now)
  return rows.map((row) => ({
    ...messageRecord(row, dead && row.state === 'answering'),
    author: row.actor_id === null ? null : asActor(writers.get(row.actor_id)!),
  }))
}

function messageRecord(row: Row, dead: boolean): Omit<Message, 'author'> {
  const parts = dead ? interruptedParts(row.parts) : row.parts
  return {
    number: row.number,
    role: row.role,
    parts: parts.map(publicPart),
    state: dead ? 'failed' : row.state,
    trouble: dead ? INTERRUPTED : row.trouble,
    tokens_in: row.tokens_in,
    tokens_out: row.tokens_out,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
