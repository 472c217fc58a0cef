import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { held, manyWriters, unheld } from '../../store/columns.ts'
import { param, prepared } from '../../store/prepared.ts'
import { quicken } from '../../store/quick.ts'
import { isUntaken, type Listed, listed, shownTasks, tasks } from '../tasks/index.ts'
import { free } from './lapsed.ts'
import { EARLIEST, isOf, type Queue, queued } from './queue.ts'
import type { Wanted } from './schema.ts'
import { shownLease, take } from './store.ts'

/** The first task of a queue becomes the caller's; nothing where none is left. */
export async function takeNext(ctx: Context, queue: Queue, { owner_id, ttl }: Wanted) {
  const { tx, caller, now } = ctx
  await free(tx, queue.team_id, now)
  const task = (await first(tx, queue)) ?? (await last(ctx, queue))
  if (!task) return undefined
  const by = { holder_id: caller.actor_id, owner_id: owner_id ?? null }
  const lease = shownLease(await take(ctx, task, by, ttl))
  const [row] = await shownTasks(ctx, [task])
  return { ...row!, lease }
}

/** Where nothing is left, what has lapsed is waited for as well, whoever is at it. */
async function last({ tx, now }: Context, queue: Queue): Promise<Listed | undefined> {
  if (!manyWriters) return undefined
  await free(tx, queue.team_id, now, held)
  return first(tx, queue)
}

/** What others are about to take is passed over, and waited for only where nothing else is left. */
async function first(tx: Tx, queue: Queue): Promise<Listed | undefined> {
  const isWhole = !queue.where && !queue.unblocked
  for (const hold of manyWriters ? [unheld, held] : [held]) {
    const found = isWhole
      ? await head(tx, queue, hold === held)
      : (await queued(tx, { ...queue, hold }, 1))[0]
    if (found) return found
  }
  return undefined
}

/** The same as the queue's first row, by statements that are planned once. */
async function head(tx: Tx, queue: Queue, waits: boolean): Promise<Listed | undefined> {
  const { team_id, project_id, columns } = queue
  const ids = columns.map(({ section_id }) => section_id)
  const statement = statements(tx)
  const asked = { team_id, project_id, ...Object.fromEntries(ids.map((id, i) => [`c${i}`, id])) }
  for (const urgency of [0, 1]) {
    if (!ids.length) break
    const [due] = await statement(urgency, waits, ids.length).execute(asked)
    if (due) return due
    for (const section_id of ids) {
      const [top] = await statement(urgency, waits).execute({ team_id, section_id })
      if (top) return top
    }
  }
  return undefined
}

const statements = prepared((tx) => {
  const made = new Map<string, ReturnType<typeof prepare>>()
  const prepare = (name: string, ...asked: Head) => headOf(tx, ...asked).prepare(name)
  return (...asked: Head) => {
    const name = `queue_head_${asked.join('_')}`
    const statement = made.get(name) ?? quicken(prepare(name, ...asked), tx)
    made.set(name, statement)
    return statement
  }
})

type Head = [urgency: number, waits: boolean, columns?: number]

/** Of so many columns what is due first; or, of one, what has no due date and stands highest. */
function headOf(tx: Tx, ...[urgency, waits, many]: Head) {
  const columns = Array.from({ length: many ?? 0 }, (_, i) => param(`c${i}`))
  const each = columns.map((column, i) => sql`when ${column} then ${sql.raw(String(i))}`)
  const place = sql`case ${tasks.section_id} ${sql.join(each, sql` `)} end`
  const open = and(eq(tasks.team_id, param('team_id')), isOf(urgency), isUntaken(tasks))
  const isDue = and(
    eq(tasks.project_id, param('project_id')),
    sql`${tasks.due_at} is not null`,
    gte(tasks.due_at, EARLIEST),
    inArray(tasks.section_id, columns.length ? columns : [0]),
  )
  const isHere = and(eq(tasks.section_id, param('section_id')), sql`${tasks.due_at} is null`)
  const rows = tx.select(listed).from(tasks)
  const sorted = many
    ? rows.where(and(open, isDue)).orderBy(tasks.due_at, place, tasks.rank, tasks.task_id)
    : rows.where(and(open, isHere)).orderBy(tasks.rank, tasks.task_id)
  return (waits ? held : unheld)(sorted.limit(1))
}
