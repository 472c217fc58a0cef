import { aliasedTable, and, eq, exists, isNull, notExists, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../kernel/caller.ts'
import { tasksById } from '../address.ts'
import { relations, tasks } from '../tables.ts'

const other = aliasedTable(tasks, 'other')

/** Work that is still to be done: what is archived, deleted or in a done column holds up nobody. */
const isOpen = (task: typeof tasks) => and(eq(task.status, 'Normal'), isNull(task.completed_at))

/** Tasks of a query that wait for another one. What is done itself waits for nothing. */
export const isBlocked = (tx: Tx): SQL =>
  and(isNull(tasks.completed_at), exists(across(tx, relations.first_id, relations.second_id)))!

/** Open tasks of a query that wait for none. Said by itself, it can be joined. */
export const isFree = (tx: Tx): SQL =>
  notExists(across(tx, relations.first_id, relations.second_id))

/** Tasks of a query that another one waits for. */
export const isBlocking = (tx: Tx): SQL =>
  and(isOpen(tasks), exists(across(tx, relations.second_id, relations.first_id)))!

type End = typeof relations.first_id | typeof relations.second_id

const across = (tx: Tx, there: End, here: End) =>
  tx
    .select({ one: sql`1` })
    .from(relations)
    .innerJoin(other, eq(other.task_id, there))
    .where(
      and(
        eq(relations.team_id, tasks.team_id),
        eq(here, tasks.task_id),
        eq(relations.kind, 'blocks'),
        isOpen(other),
      ),
    )

const none: ReadonlySet<number> = new Set()

/**
 * Which of these tasks are still to be done. They are asked for apart from the relations, so that
 * one that is finished need not be followed to all that wait for it.
 */
export async function openAmong(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!ids.length) return none
  const found = [...(await tasksById(tx, ids)).values()]
  const open = found.filter(({ status, completed_at }) => status === 'Normal' && !completed_at)
  return new Set(open.map(({ task_id }) => task_id))
}
