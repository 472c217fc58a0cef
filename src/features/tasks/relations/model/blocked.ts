import { aliasedTable, and, eq, exists, isNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { tasks, tasksById } from '../../tasks/model/index.ts'
import { relations } from './tables.ts'

const other = aliasedTable(tasks, 'other')

/** Open tasks. Archived, deleted and completed tasks block nothing. */
const isOpen = (task: typeof tasks) => and(eq(task.status, 'Normal'), isNull(task.completed_at))

/** Tasks that an open task blocks. Completed tasks are never blocked. */
export const isBlocked = (tx: Tx): SQL =>
  and(
    isNull(tasks.completed_at),
    exists(linkedOpenTask(tx, relations.first_id, relations.second_id)),
  )!

/**
 * Tasks that no open task blocks. Written with values instead of `not exists` and a join, because
 * PostgreSQL would join all relations and tasks to find the first few tasks of a queue.
 */
export const isUnblocked = (tx: Tx): SQL => {
  const isBlockerOpen = tx
    .select({ isOpen: sql`${isOpen(other)}` })
    .from(other)
    .where(eq(other.task_id, relations.first_id))
  const openBlocker = tx
    .select({ one: sql`1` })
    .from(relations)
    .where(and(isLinkOf(relations.second_id), sql`(${isBlockerOpen})`))
  return sql`(${openBlocker.limit(1)}) is null`
}

/** Open tasks that block an open task. */
export const isBlocking = (tx: Tx): SQL =>
  and(isOpen(tasks), exists(linkedOpenTask(tx, relations.second_id, relations.first_id)))!

type RelationColumn = typeof relations.first_id | typeof relations.second_id

const linkedOpenTask = (tx: Tx, otherEnd: RelationColumn, ownEnd: RelationColumn) =>
  tx
    .select({ one: sql`1` })
    .from(relations)
    .innerJoin(other, eq(other.task_id, otherEnd))
    .where(and(isLinkOf(ownEnd), isOpen(other)))

const isLinkOf = (ownEnd: RelationColumn) =>
  and(eq(relations.team_id, tasks.team_id), eq(ownEnd, tasks.task_id), eq(relations.kind, 'blocks'))

const none: ReadonlySet<number> = new Set()

/**
 * The ids of the open tasks among these. They are loaded apart from the relations, so that a
 * completed task does not invalidate the cached details of every task it blocks.
 */
export async function openAmong(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!ids.length) return none
  const found = [...(await tasksById(tx, ids)).values()]
  const open = found.filter(({ status, completed_at }) => status === 'Normal' && !completed_at)
  return new Set(open.map(({ task_id }) => task_id))
}
