import { and, eq, inArray, isNotNull, min, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { optimizeStatement } from '../../../../store/prepared-sqlite.ts'
import { people } from '../../../identity/people/model/index.ts'
import { dueAt, isDay } from '../../../time/dates/model/index.ts'
import { tasks } from '../../tasks/model/index.ts'
import { openTasksOfCaller } from './assignees.ts'
import { taskAssignees } from './tables.ts'

const BATCH_SIZE = 250

interface DueTimeChange {
  task_id: number
  due_date: string
  due_at: Date
}

/** Recomputes the due times of the caller's tasks after they changed their time zone. */
export async function shiftDueTimes(ctx: Context, zone: string): Promise<void> {
  const ends = new Map<string, Date>()
  const endOf = (day: string) => {
    const end = ends.get(day) ?? dueAt(day, zone)
    ends.set(day, end)
    return end
  }
  const changes = (await tasksDueOnDays(ctx)).flatMap(({ task_id, due_date, due_at }) => {
    const end = endOf(due_date!)
    return end.getTime() === due_at!.getTime()
      ? []
      : [{ task_id, due_date: due_date!, due_at: end }]
  })
  // Days that have passed in the new zone as well keep their reminder state, so nobody is notified
  // again.
  const pastDue = changes.filter(({ due_at }) => due_at < ctx.now)
  const stillDue = changes.filter(({ due_at }) => due_at >= ctx.now)
  await write(ctx.tx, pastDue, {})
  await write(ctx.tx, stillDue, { reminded: 0 })
}

/** The open tasks with a due day whose zone is the caller's: they are the first person assigned. */
async function tasksDueOnDays(ctx: Context) {
  const { tx, caller } = ctx
  const { task_id, due_date, due_at } = tasks
  const open = openTasksOfCaller(ctx)
  const first = tx
    .select({ actor_id: min(taskAssignees.actor_id) })
    .from(taskAssignees)
    .innerJoin(people, eq(people.actor_id, taskAssignees.actor_id))
    .where(and(eq(taskAssignees.team_id, tasks.team_id), eq(taskAssignees.task_id, tasks.task_id)))
  const rows = forUpdate(
    tx
      .select({ task_id, due_date, due_at })
      .from(tasks)
      .where(and(inArray(task_id, open), isNotNull(due_at), eq(sql`${first}`, caller.actor_id)))
      .orderBy(task_id),
  )
  const found = await optimizeStatement(rows.prepare('')).execute()
  return found.filter((row) => isDay(row.due_date!))
}

/**
 * Updates in batches, since a person may have thousands of tasks. Sorted, so that each batch has
 * few days.
 */
async function write(
  tx: Tx,
  changes: readonly DueTimeChange[],
  set: { reminded?: 0 },
): Promise<void> {
  const { due_date, due_at, task_id } = tasks
  const sorted = changes.toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime())
  for (let at = 0; at < sorted.length; at += BATCH_SIZE) {
    const batch = sorted.slice(at, at + BATCH_SIZE)
    const ends = new Map(batch.map((change) => [change.due_date, change.due_at]))
    const cases = [...ends].map(([day, end]) => sql`when ${day} then ${sql.param(end, due_at)}`)
    await tx
      .update(tasks)
      .set({ ...set, due_at: sql`case ${due_date} ${sql.join(cases, sql` `)} else ${due_at} end` })
      .where(
        inArray(
          task_id,
          batch.map((change) => change.task_id),
        ),
      )
  }
}
