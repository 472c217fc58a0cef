import {
  and,
  count,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { pack } from '../../store/mark.ts'
import { quicken } from '../../store/quick.ts'
import { beyondRow, type Key, stacked } from '../../store/stack.ts'
import { taskAssignees, tasks } from '../tasks/index.ts'
import { filterOf } from './chosen.ts'
import type { Finished, Found, Pile, Place, Placed } from './rules.ts'
import type { Asked } from './schema.ts'
import type { View } from './tables.ts'

/** What is asked for of the caller's tasks, open and finished ones alike. */
export async function wantedOf(ctx: Context, asked: Asked, view?: View): Promise<SQL | undefined> {
  const boards = asked.project_ids ?? view?.project_ids ?? []
  const hidden = view?.hidden_section_ids ?? []
  const awake = or(isNull(tasks.snoozed_until), lte(tasks.snoozed_until, ctx.now))
  return and(
    inArray(taskAssignees.team_id, [...ctx.caller.teams.keys()]),
    eq(taskAssignees.actor_id, ctx.caller.actor_id),
    eq(tasks.status, 'Normal'),
    boards.length ? inArray(tasks.project_id, [...new Set(boards)]) : undefined,
    hidden.length ? notInArray(tasks.section_id, [...new Set(hidden)]) : undefined,
    asked.include_snoozed ? undefined : awake,
    await filterOf(ctx, asked, view),
  )
}

const still = and(eq(taskAssignees.open, true), isNull(tasks.completed_at))
const finished = and(eq(taskAssignees.open, false), isNotNull(tasks.completed_at))
const same = eq(tasks.task_id, taskAssignees.task_id)

const marksOf = (keys: readonly Key[]) =>
  Object.fromEntries(
    keys.map(({ key, like }, at) => [markAt(at), sql`${key}`.mapWith(like)] as const),
  )
const markAt = (at: number) => `sorted_by_${at}`
const plain = (value: unknown) =>
  (value instanceof Date ? value.getTime() : value) as Found['marks'][number]

/** Every one that is open, as little of each as its place takes. */
export async function openOnes({ tx }: Context, where: SQL | undefined, keys: readonly Key[]) {
  const { task_id, project_id, due_date, due_at } = tasks
  const query = tx
    .select({ ...{ task_id, project_id, due_date, due_at }, ...marksOf(keys) })
    .from(taskAssignees)
    .innerJoin(tasks, same)
    .where(and(where, still))
    .prepare('')
  const rows = await quicken(query).execute()
  return rows.map((row: (typeof rows)[number] & Record<string, unknown>) =>
    Object.assign(row, { marks: keys.map((_, at) => plain(row[markAt(at)])) }),
  )
}

/** Of what somebody finished in all their time no more than how much there is. */
export async function finishedOn({ tx }: Context, where: SQL | undefined): Promise<Finished> {
  const rows = await tx
    .select({ project_id: tasks.project_id, many: count() })
    .from(taskAssignees)
    .innerJoin(tasks, same)
    .where(and(where, finished))
    .groupBy(tasks.project_id)
  return new Map(rows.map(({ project_id, many }) => [project_id, many]))
}

interface Part {
  where: SQL | undefined
  keys: readonly Key[]
  /** Where they stand, in order. */
  piles: readonly Pile[]
  after: { place: Place; task_id: number } | undefined
  limit: number
}

/** The next finished ones of these piles; the database sorts them, in the order asked for. */
export async function finishedAfter({ tx }: Context, part: Part): Promise<Placed[]> {
  const { where, piles, after, limit } = part
  const { task_id, project_id, due_at } = tasks
  const due: Key = { key: due_at, like: due_at, way: 'asc', nullable: true }
  const own = [...part.keys, due]
  const boards = piles.flatMap((pile) => pile.boards)
  const keys = piles.length > 1 ? [pileKey(piles), ...own] : own
  const past = after && [...(piles.length > 1 ? [0] : []), ...after.place]
  const rows: Record<string, unknown>[] = await tx
    .select({ task_id, project_id, ...marksOf(own) })
    .from(taskAssignees)
    .innerJoin(tasks, same)
    .where(
      and(
        where,
        finished,
        inArray(project_id, boards),
        after && beyondRow(keys, past, task_id, after.task_id),
      ),
    )
    .orderBy(...stacked(keys, task_id))
    .limit(limit)
  const pileOf = new Map(piles.flatMap((pile) => pile.boards.map((board) => [board, pile])))
  return rows.map((row) => {
    const { group, late, place } = pileOf.get(row.project_id as number)!
    const marks = own.map((_, at) => pack(row[markAt(at)]))
    return { task_id: row.task_id as number, group, late, place: [...place, ...marks] }
  })
}

/** Boards in the order in which they stand. */
function pileKey(piles: readonly Pile[]): Key {
  const cases = piles.flatMap(({ boards }, at) =>
    boards.map((board) => sql`when ${board} then ${sql.raw(`${at}`)}`),
  )
  const key = sql`case ${tasks.project_id} ${sql.join(cases, sql` `)} end`
  return { key, like: tasks.project_id, way: 'asc' }
}
