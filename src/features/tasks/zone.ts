import { and, eq, inArray, isNotNull, min, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { held } from '../../store/columns.ts'
import { quicken } from '../../store/quick.ts'
import { people } from '../people/index.ts'
import { heldOpen } from './assignees.ts'
import { dueAt, isDay } from './rules.ts'
import { taskAssignees, tasks } from './tables.ts'

const AT_ONCE = 250

interface Moved {
  task_id: number
  due_date: string
  due_at: Date
}

/** In another time zone a person's days end at other moments, and their tasks are due then. */
export async function moveDays(ctx: Context, zone: string): Promise<void> {
  const ends = new Map<string, Date>()
  const endOf = (day: string) => {
    const end = ends.get(day) ?? dueAt(day, zone)
    ends.set(day, end)
    return end
  }
  const moved = (await daysOf(ctx)).flatMap(({ task_id, due_date, due_at }) => {
    const end = endOf(due_date!)
    return end.getTime() === due_at!.getTime()
      ? []
      : [{ task_id, due_date: due_date!, due_at: end }]
  })
  // Of a day that has passed there, too, all was told; it is no news that it ended at another hour.
  const passed = moved.filter(({ due_at }) => due_at < ctx.now)
  const coming = moved.filter(({ due_at }) => due_at >= ctx.now)
  await write(ctx.tx, passed, {})
  await write(ctx.tx, coming, { reminded: 0 })
}

/** What is open and due on a day that is theirs: they are the first person assigned. */
async function daysOf(ctx: Context) {
  const { tx, caller } = ctx
  const { task_id, due_date, due_at } = tasks
  const open = heldOpen(ctx)
  const first = tx
    .select({ actor_id: min(taskAssignees.actor_id) })
    .from(taskAssignees)
    .innerJoin(people, eq(people.actor_id, taskAssignees.actor_id))
    .where(and(eq(taskAssignees.team_id, tasks.team_id), eq(taskAssignees.task_id, tasks.task_id)))
  const rows = held(
    tx
      .select({ task_id, due_date, due_at })
      .from(tasks)
      .where(and(inArray(task_id, open), isNotNull(due_at), eq(sql`${first}`, caller.actor_id)))
      .orderBy(task_id),
  )
  const found = await quicken(rows.prepare('')).execute()
  return found.filter((row) => isDay(row.due_date!))
}

/** Many at once, for a person may have thousands; those of one day stand together. */
async function write(tx: Tx, moved: readonly Moved[], set: { reminded?: 0 }): Promise<void> {
  const { due_date, due_at, task_id } = tasks
  const sorted = moved.toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime())
  for (let at = 0; at < sorted.length; at += AT_ONCE) {
    const some = sorted.slice(at, at + AT_ONCE)
    const ends = new Map(some.map((one) => [one.due_date, one.due_at]))
    const cases = [...ends].map(([day, end]) => sql`when ${day} then ${sql.param(end, due_at)}`)
    await tx
      .update(tasks)
      .set({ ...set, due_at: sql`case ${due_date} ${sql.join(cases, sql` `)} else ${due_at} end` })
      .where(
        inArray(
          task_id,
          some.map((one) => one.task_id),
        ),
      )
  }
}
