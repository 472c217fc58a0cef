import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, gte, inArray, isNotNull, min, or } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import type { Project } from '../projects/index.ts'
import type { SectionRole } from '../sections/index.ts'
import { taskMoves, tasks } from '../tasks/index.ts'
import { type Step, secondsBetween } from './rules.ts'

export interface Move extends Step {
  task_id: number
  completes: boolean
}

/** So many at a time, and between them others have their turn. */
const PIECE = 500

/** What happened on a board since a moment, in order. */
export async function* movesSince({ tx }: Context, board: Project, since: Date) {
  const { team_id, project_id, moved_at, move_id, ...rest } = taskMoves
  const here = and(eq(team_id, board.team_id), eq(project_id, board.project_id))
  const { task_id, from_id, to_id, completes } = rest
  for (let last = { at: since, id: 0 }; ; ) {
    const rows = await tx
      .select({ move_id, task_id, from_id, to_id, completes, moved_at })
      .from(taskMoves)
      .where(and(here, gte(moved_at, last.at), or(gt(moved_at, last.at), gt(move_id, last.id))))
      .orderBy(asc(moved_at), asc(move_id))
      .limit(PIECE)
    for (const row of rows) yield { ...row, moved_at: row.moved_at.getTime() }
    const end = rows.at(-1)
    if (!end || rows.length < PIECE) return
    last = { at: end.moved_at, id: end.move_id }
    await setImmediate()
  }
}

const WORK: readonly SectionRole[] = ['building', 'verify']

/** When the work on each began: in a column of work, or else where it was taken on. */
export async function begunAt({ tx }: Context, { team_id }: Project, ids: readonly number[]) {
  const begun = new Map<number, { at: Date; isWork: boolean }>()
  const { task_id, role, moved_at } = taskMoves
  for (let at = 0; at < ids.length; at += PIECE) {
    const rows = await tx
      .select({ task_id, role, at: min(moved_at) })
      .from(taskMoves)
      .where(
        and(
          eq(taskMoves.team_id, team_id),
          inArray(task_id, ids.slice(at, at + PIECE)),
          inArray(role, [...WORK, 'committed']),
        ),
      )
      .groupBy(task_id, role)
    for (const row of rows) {
      const isWork = row.role !== 'committed'
      const before = begun.get(row.task_id)
      const isFirst = !before || (isWork === before.isWork ? row.at! < before.at : isWork)
      if (isFirst) begun.set(row.task_id, { at: row.at!, isWork })
    }
    await setImmediate()
  }
  return begun
}

/** What got done and still is, once each: as it was done last. */
export async function doneOf(ctx: Context, board: Project, moves: readonly Move[]) {
  const { task_id, ticket_number, title, status, project_id, created_at, completed_at } = tasks
  const found = []
  for (let at = 0; at < moves.length; at += PIECE) {
    const some = moves.slice(at, at + PIECE)
    const rows = await ctx.tx
      .select({ task_id, ticket_number, title, status, project_id, created_at, completed_at })
      .from(tasks)
      .where(
        and(
          inArray(
            task_id,
            some.map((move) => move.task_id),
          ),
          isNotNull(completed_at),
        ),
      )
    const byId = new Map(rows.map((row) => [row.task_id, row]))
    for (const { task_id, moved_at } of some) {
      const task = byId.get(task_id)
      if (task?.completed_at?.getTime() === moved_at) found.push(task)
    }
    await setImmediate()
  }
  const begun = await begunAt(
    ctx,
    board,
    found.map((task) => task.task_id),
  )
  return found.map(({ status, project_id, created_at, completed_at, ...task }) => {
    const isHere = project_id === board.project_id && status !== 'Deleted'
    const start = begun.get(task.task_id)?.at
    const end = completed_at!
    return {
      task_id: task.task_id,
      ticket_number: isHere ? task.ticket_number : null,
      title: isHere ? task.title : null,
      ...{ at: end.getTime(), completed_at: end.toISOString() },
      cycle_seconds: start && start <= end ? secondsBetween(start, end) : null,
      lead_seconds: secondsBetween(created_at, end),
    }
  })
}

/** More than so many are in work nowhere; of the rest only the number is known. */
const MOST_GOING = 2000

/** What is being worked on now, the longest first. */
export async function goingOn(
  ctx: Context,
  board: Project,
  columns: readonly number[],
  most: number,
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
    .limit(MOST_GOING)
  const begun = await begunAt(
    ctx,
    board,
    rows.map((row) => row.task_id),
  )
  return rows
    .map(({ created_at, ...row }) => {
      const since = begun.get(row.task_id)?.at ?? created_at
      return { ...row, since: since.toISOString(), age_seconds: secondsBetween(since, ctx.now) }
    })
    .sort((a, b) => b.age_seconds - a.age_seconds || a.task_id - b.task_id)
    .slice(0, most)
}
