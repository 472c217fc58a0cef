import { and, eq, gt, gte, inArray, lte, or } from 'drizzle-orm'
import type { Change, Tx } from '../../../../kernel/caller.ts'
import { forUpdateSkipLocked } from '../../../../store/columns.ts'
import { append } from '../../../../store/log.ts'
import { isPublished } from '../../../../store/published.ts'
import { placeOf, projects } from '../../../boards/projects/model/index.ts'
import { SYSTEM_ACTOR_ID } from '../../../identity/people/model/index.ts'
import { assigneesOf } from '../../../tasks/assignees/model/index.ts'
import { isSnoozed, needsReminder } from '../../../tasks/states/model/index.ts'
import { type Task, tasks } from '../../../tasks/tasks/model/index.ts'
import { withoutUnwatching } from '../../../tasks/watchers/model/index.ts'
import { REMINDED, type Reminder, reminderOf, SOON_MS } from './rules.ts'
import { nextCursor, type Sweep } from './sweep.ts'

interface Cursor {
  due_at: Date | null
  task_id: number
}

const { task_id, team_id, project_id, ticket_number, title } = tasks
const { due_date, due_at, snoozed_until, reminded, created_by } = tasks

/** Sweeps that notify about due dates that are near (no reminder yet) or passed (one reminder yet). */
export const reminderSweeps: readonly Sweep<Cursor>[] = [sweepAfter(0), sweepAfter(1)]

function sweepAfter(sentCount: 0 | 1): Sweep<Cursor> {
  return {
    name: sentCount ? 'overdue' : 'due',
    async find(tx, now, limit, from) {
      const until = sentCount ? now : new Date(now.getTime() + SOON_MS)
      const rows = await tx
        .select({ task_id, due_at, snoozed_until })
        .from(tasks)
        .where(
          and(
            needsReminder(tasks),
            eq(reminded, sentCount),
            lte(due_at, until),
            isPublished(tx, team_id),
            from && isAfter(from.due_at!, from.task_id),
          ),
        )
        .orderBy(due_at, task_id)
        .limit(limit)
      const awake = rows.filter((row) => !isSnoozed(row, now))
      return { ids: awake.map((row) => row.task_id), ...nextCursor(rows, limit) }
    },
    run: remind,
  }
}

const isAfter = (at: Date, last: number) =>
  and(gte(due_at, at), or(gt(due_at, at), gt(task_id, last)))

/** Sends the reminders. Checks again, since another server or a person may have changed the task. */
async function remind(tx: Tx, now: Date, ids: readonly number[]): Promise<number> {
  const rows = await forUpdateSkipLocked(
    tx
      .select(COLUMNS)
      .from(tasks)
      .where(and(inArray(task_id, [...ids]), needsReminder(tasks)))
      .orderBy(task_id),
  )
  const dueTasks = rows.flatMap((row) => {
    const kind = isSnoozed(row, now) ? undefined : reminderOf(row, now)
    return kind ? [{ ...row, kind }] : []
  })
  for (const kind of ['overdue', 'due_soon'] as const) await setReminded(tx, kind, dueTasks)
  const activeBoards = await activeBoardsOf(tx, dueTasks)
  // Tasks of archived boards are marked as reminded without a notification, so that restoring the
  // board sends none either.
  const notified = dueTasks.filter((row) => activeBoards.has(row.project_id))
  const changes: Change[] = []
  for (const row of notified) changes.push(await changeOf(tx, row))
  await append(tx, { actor_id: SYSTEM_ACTOR_ID }, now, changes)
  return dueTasks.length
}

const COLUMNS = {
  task_id,
  team_id,
  project_id,
  ticket_number,
  title,
  due_date,
  due_at,
  snoozed_until,
  reminded,
  created_by,
}

type DueTask = Pick<Task, keyof typeof COLUMNS> & { kind: Reminder }

async function changeOf(tx: Tx, task: DueTask): Promise<Change> {
  const { kind, task_id, ticket_number, title, due_date, created_by } = task
  const assignees = (await assigneesOf(tx, task)).map(({ actor_id }) => actor_id)
  return {
    type: `task.${kind}`,
    place: { ...placeOf(task), task_id },
    data: { ticket_number, title, due_date },
    recipients: {
      participants: assignees.length ? assignees : await withoutUnwatching(tx, task, [created_by]),
    },
  }
}

async function setReminded(tx: Tx, kind: Reminder, due: readonly DueTask[]): Promise<void> {
  const ids = due.filter((row) => row.kind === kind).map((row) => row.task_id)
  if (!ids.length) return
  await tx.update(tasks).set({ reminded: REMINDED[kind] }).where(inArray(task_id, ids))
}

async function activeBoardsOf(tx: Tx, due: readonly DueTask[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(due.map((row) => row.project_id))]
  if (!ids.length) return new Set()
  const rows = await tx
    .select({ project_id: projects.project_id })
    .from(projects)
    .where(and(inArray(projects.project_id, ids), eq(projects.status, 'Normal')))
  return new Set(rows.map((row) => row.project_id))
}
