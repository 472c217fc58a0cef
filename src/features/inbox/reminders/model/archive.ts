import { and, eq, gt, gte, inArray, isNotNull, lt, or } from 'drizzle-orm'
import { type Change, emitInto, type Tx, type WriteContext } from '../../../../kernel/caller.ts'
import { forUpdateSkipLocked } from '../../../../store/columns.ts'
import { append } from '../../../../store/log.ts'
import { isPublished } from '../../../../store/published.ts'
import { leaseOf } from '../../../agents/leases/model/index.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { SYSTEM_ACTOR_ID } from '../../../identity/people/model/index.ts'
import { archiveTask } from '../../../tasks/edits/model/index.ts'
import { isFinished } from '../../../tasks/states/model/index.ts'
import { type Task, tasks } from '../../../tasks/tasks/model/index.ts'
import { untouchedBefore } from './rules.ts'
import { nextCursor, type Sweep } from './sweep.ts'

interface Cursor {
  updated_at: Date
  task_id: number
}

/** A board with auto-archive. */
interface AutoArchiveBoard {
  team_id: number
  project_id: number
  days: number | null
}

const isAutoArchived = and(isNotNull(projects.auto_archive_days), eq(projects.status, 'Normal'))
const { team_id, project_id, auto_archive_days: days } = projects
const { task_id, updated_at, last_comment_at } = tasks

/** A sweep per board with auto-archive: archives finished tasks that nobody touched for long enough. */
export async function archiveSweeps(tx: Tx): Promise<Sweep<Cursor>[]> {
  const boards = await tx
    .select({ team_id, project_id, days })
    .from(projects)
    .where(and(isAutoArchived, isPublished(tx, team_id)))
    .orderBy(project_id)
  return boards.map((board) => ({
    name: 'archive',
    find: (tx, now, limit, from) =>
      findCandidates(tx, board, untouchedBefore(board.days!, now), limit, from),
    run: (tx, now, ids) => archiveUntouched(tx, board, now, ids),
  }))
}

async function findCandidates(
  tx: Tx,
  board: AutoArchiveBoard,
  since: Date,
  limit: number,
  from?: Cursor,
) {
  const rows = await tx
    .select({ task_id, updated_at, last_comment_at })
    .from(tasks)
    .where(and(isFinishedOn(board), lt(updated_at, since), from && isAfter(from)))
    .orderBy(updated_at, task_id)
    .limit(limit)
  const untouched = rows.filter((row) => !row.last_comment_at || row.last_comment_at < since)
  return { ids: untouched.map((row) => row.task_id), ...nextCursor(rows, limit) }
}

const isFinishedOn = ({ team_id, project_id }: AutoArchiveBoard) =>
  and(eq(tasks.team_id, team_id), eq(tasks.project_id, project_id), isFinished(tasks))

const isAfter = (from: Cursor) =>
  and(
    gte(updated_at, from.updated_at),
    or(gt(updated_at, from.updated_at), gt(task_id, from.task_id)),
  )

/**
 * Archives candidates. Checks board and tasks again, since either may have changed since the search.
 */
async function archiveUntouched(
  tx: Tx,
  candidate: AutoArchiveBoard,
  now: Date,
  ids: readonly number[],
) {
  const [board] = await tx
    .select({ team_id, project_id, days })
    .from(projects)
    .where(and(eq(project_id, candidate.project_id), isAutoArchived))
  if (!board) return 0
  const since = untouchedBefore(board.days!, now)
  const locked: Task[] = await forUpdateSkipLocked(
    tx
      .select()
      .from(tasks)
      .where(inArray(task_id, [...ids]))
      // Locks in the order of columns, like moves between columns, to avoid deadlocks.
      .orderBy(tasks.section_id, task_id),
  )
  const rows = locked.filter(
    (task) => task.project_id === board.project_id && isUntouched(task, since),
  )
  const changes: Change[] = []
  const ctx: WriteContext = {
    tx,
    now,
    caller: { actor_id: SYSTEM_ACTOR_ID },
    emit: emitInto(changes),
  }
  for (const task of rows) if (!(await isLeased(tx, task, now))) await archiveTask(ctx, task)
  await append(tx, ctx.caller, now, changes)
  return changes.length
}

const isUntouched = ({ status, completed_at, updated_at, last_comment_at }: Task, since: Date) =>
  status === 'Normal' &&
  completed_at !== null &&
  updated_at < since &&
  (!last_comment_at || last_comment_at < since)

async function isLeased(tx: Tx, task: Task, now: Date): Promise<boolean> {
  const lease = task.leased_by === null ? undefined : await leaseOf({ tx }, task.task_id)
  return lease !== undefined && !lease.ended_at && lease.expires_at > now
}
