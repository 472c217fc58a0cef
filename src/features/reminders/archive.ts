import { and, eq, gt, gte, inArray, isNotNull, lt, or } from 'drizzle-orm'
import { type Change, emitInto, type Tx, type Writer } from '../../kernel/caller.ts'
import { unheld } from '../../store/columns.ts'
import { published } from '../../store/imported.ts'
import { append } from '../../store/log.ts'
import { HOUSE } from '../people/index.ts'
import { projects } from '../projects/index.ts'
import { archiveTask, isFinished, leaseOf, type Task, tasks } from '../tasks/index.ts'
import { leftSince } from './rules.ts'
import { onward, type Sweep } from './sweep.ts'

interface Mark {
  updated_at: Date
  task_id: number
}

/** A board that asks for it. */
interface Board {
  team_id: number
  project_id: number
  days: number | null
}

const asking = and(isNotNull(projects.auto_archive_days), eq(projects.status, 'Normal'))
const { team_id, project_id, auto_archive_days: days } = projects
const { task_id, updated_at, last_comment_at } = tasks

/** For each board that asks for it: puts away what was finished and left alone long enough. */
export async function archivings(tx: Tx): Promise<Sweep<Mark>[]> {
  const boards = await tx
    .select({ team_id, project_id, days })
    .from(projects)
    .where(and(asking, published(tx, team_id)))
    .orderBy(project_id)
  return boards.map((board) => ({
    name: 'archive',
    look: (tx, now, most, from) => look(tx, board, leftSince(board.days!, now), most, from),
    act: (tx, now, ids) => archive(tx, board, now, ids),
  }))
}

async function look(tx: Tx, board: Board, since: Date, most: number, from?: Mark) {
  const rows = await tx
    .select({ task_id, updated_at, last_comment_at })
    .from(tasks)
    .where(and(finishedOn(board), lt(updated_at, since), from && beyond(from)))
    .orderBy(updated_at, task_id)
    .limit(most)
  const left = rows.filter((row) => !row.last_comment_at || row.last_comment_at < since)
  return { ids: left.map((row) => row.task_id), ...onward(rows, most) }
}

const finishedOn = ({ team_id, project_id }: Board) =>
  and(eq(tasks.team_id, team_id), eq(tasks.project_id, project_id), isFinished(tasks))

const beyond = (from: Mark) =>
  and(
    gte(updated_at, from.updated_at),
    or(gt(updated_at, from.updated_at), gt(task_id, from.task_id)),
  )

/** By now the board may ask for something else, and somebody may be at one of the tasks. */
async function archive(tx: Tx, asked: Board, now: Date, ids: readonly number[]) {
  const [board] = await tx
    .select({ team_id, project_id, days })
    .from(projects)
    .where(and(eq(project_id, asked.project_id), asking))
  if (!board) return 0
  const since = leftSince(board.days!, now)
  const found: Task[] = await unheld(
    tx
      .select()
      .from(tasks)
      .where(inArray(task_id, [...ids]))
      // Column by column, as those do who move a task between two of them.
      .orderBy(tasks.section_id, task_id),
  )
  const rows = found.filter((task) => task.project_id === board.project_id && isLeft(task, since))
  const changes: Change[] = []
  const ctx: Writer = {
    ...{ tx, now, caller: { actor_id: HOUSE } },
    emit: emitInto(changes),
  }
  for (const task of rows) if (!(await isTaken(tx, task, now))) await archiveTask(ctx, task)
  await append(tx, ctx.caller, now, changes)
  return changes.length
}

const isLeft = ({ status, completed_at, updated_at, last_comment_at }: Task, since: Date) =>
  status === 'Normal' &&
  completed_at !== null &&
  updated_at < since &&
  (!last_comment_at || last_comment_at < since)

async function isTaken(tx: Tx, task: Task, now: Date): Promise<boolean> {
  const lease = task.leased_by === null ? undefined : await leaseOf({ tx }, task.task_id)
  return lease !== undefined && !lease.ended_at && lease.expires_at > now
}
