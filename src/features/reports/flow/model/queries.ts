import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, gte, inArray, isNotNull, min, or } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import type { SectionRole } from '../../../boards/sections/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { type ColumnMove, secondsBetween } from './rules.ts'
import { taskMoves } from './tables.ts'

export interface Move extends ColumnMove {
  task_id: number
  completes: boolean
}

/** Rows per query. Between batches, other work of the process gets its turn. */
const BATCH_SIZE = 500

/** Yields the moves of tasks on a board since a time, in order. */
export async function* movesSince({ tx }: Context, board: Project, since: Date) {
  const { team_id, project_id, moved_at, move_id, ...rest } = taskMoves
  const onBoard = and(eq(team_id, board.team_id), eq(project_id, board.project_id))
  const { task_id, from_id, to_id, completes } = rest
  for (let last = { at: since, id: 0 }; ; ) {
    const rows = await tx
      .select({ move_id, task_id, from_id, to_id, completes, moved_at })
      .from(taskMoves)
      .where(and(onBoard, gte(moved_at, last.at), or(gt(moved_at, last.at), gt(move_id, last.id))))
      .orderBy(asc(moved_at), asc(move_id))
      .limit(BATCH_SIZE)
    for (const row of rows) yield { ...row, moved_at: row.moved_at.getTime() }
    const end = rows.at(-1)
    if (!end || rows.length < BATCH_SIZE) return
    last = { at: end.moved_at, id: end.move_id }
    await setImmediate()
  }
}

const WORK: readonly SectionRole[] = ['building', 'verify']

/**
 * Returns when work on each task began: its first move to a work column, or else to a committed
 * one.
 */
export async function workStarts({ tx }: Context, { team_id }: Project, ids: readonly number[]) {
  const starts = new Map<number, { at: Date; isWork: boolean }>()
  const { task_id, role, moved_at } = taskMoves
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const rows = await tx
      .select({ task_id, role, at: min(moved_at) })
      .from(taskMoves)
      .where(
        and(
          eq(taskMoves.team_id, team_id),
          inArray(task_id, ids.slice(at, at + BATCH_SIZE)),
          inArray(role, [...WORK, 'committed']),
        ),
      )
      .groupBy(task_id, role)
    for (const row of rows) {
      const isWork = row.role !== 'committed'
      const earlier = starts.get(row.task_id)
      const isFirst = !earlier || (isWork === earlier.isWork ? row.at! < earlier.at : isWork)
      if (isFirst) starts.set(row.task_id, { at: row.at!, isWork })
    }
    await setImmediate()
  }
  return starts
}

/** Each completed task counts once, at its last completion. Reopened tasks do not count. */
export async function completedTasks(ctx: Context, board: Project, moves: readonly Move[]) {
  const { task_id, ticket_number, title, status, project_id, created_at, completed_at } = tasks
  const found = []
  for (let at = 0; at < moves.length; at += BATCH_SIZE) {
    const batch = moves.slice(at, at + BATCH_SIZE)
    const rows = await ctx.tx
      .select({ task_id, ticket_number, title, status, project_id, created_at, completed_at })
      .from(tasks)
      .where(
        and(
          inArray(
            task_id,
            batch.map((move) => move.task_id),
          ),
          isNotNull(completed_at),
        ),
      )
    const byId = new Map(rows.map((row) => [row.task_id, row]))
    for (const { task_id, moved_at } of batch) {
      const task = byId.get(task_id)
      if (task?.completed_at?.getTime() === moved_at) found.push(task)
    }
    await setImmediate()
  }
  const starts = await workStarts(
    ctx,
    board,
    found.map((task) => task.task_id),
  )
  return found.map(({ status, project_id, created_at, completed_at, ...task }) => {
    const isOnBoard = project_id === board.project_id && status !== 'Deleted'
    const start = starts.get(task.task_id)?.at
    const end = completed_at!
    return {
      task_id: task.task_id,
      ticket_number: isOnBoard ? task.ticket_number : null,
      title: isOnBoard ? task.title : null,
      at: end.getTime(),
      completed_at: end.toISOString(),
      cycle_seconds: start && start <= end ? secondsBetween(start, end) : null,
      lead_seconds: secondsBetween(created_at, end),
    }
  })
}

/** At most this many tasks are loaded. The number of the others is still reported. */
const MAX_IN_PROGRESS = 2000

/** Returns the tasks that are in work now, oldest first. */
export async function tasksInProgress(
  ctx: Context,
  board: Project,
  columns: readonly number[],
  limit: number,
) {
  if (!columns.length) return []
  const { task_id, ticket_number, title, section_id, created_at } = tasks
  const rows = await ctx.tx
    .select({ task_id, ticket_number, title, section_id, created_at })
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, board.team_id),
        inArray(section_id, [...columns]),
        eq(tasks.status, 'Normal'),
      ),
    )
    .orderBy(asc(section_id), asc(tasks.rank))
    .limit(MAX_IN_PROGRESS)
  const starts = await workStarts(
    ctx,
    board,
    rows.map((row) => row.task_id),
  )
  return rows
    .map(({ created_at, ...row }) => {
      const since = starts.get(row.task_id)?.at ?? created_at
      return { ...row, since: since.toISOString(), age_seconds: secondsBetween(since, ctx.now) }
    })
    .sort((a, b) => b.age_seconds - a.age_seconds || a.task_id - b.task_id)
    .slice(0, limit)
}
