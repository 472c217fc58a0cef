import { count } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import type { Project } from '../projects/index.ts'
import {
  type RelationRow,
  type RelationType,
  relationConditions,
  toRelationRows,
} from '../relations/index.ts'
import { relations, type Task, type TaskRow, taskById, toTaskRows } from '../tasks/index.ts'
import type { Counts } from './schema.ts'

const MOST_LINKS = 50

/** The tasks that a task is related to by one type, oldest first. */
export async function relatedTasks(
  ctx: Context,
  task: Task,
  type: RelationType,
): Promise<RelationRow[]> {
  const rows = await ctx.tx
    .select()
    .from(relations)
    .where(relationConditions(ctx, task, type))
    .orderBy(relations.relation_id)
    .limit(MOST_LINKS)
  return toRelationRows(ctx, task, rows)
}

export async function parentOf(ctx: Context, { parent_task_id }: Task): Promise<TaskRow | null> {
  const parent = parent_task_id === null ? undefined : await taskById(ctx.tx, parent_task_id)
  return parent ? (await toTaskRows(ctx, [parent]))[0]! : null
}

/** The counts of the lists that are shown in part. */
export async function countsOf(
  ctx: Context,
  task: Task,
  { subtask_count }: TaskRow,
  pending_decisions: number,
): Promise<Counts> {
  const [links] = await ctx.tx
    .select({ many: count() })
    .from(relations)
    .where(relationConditions(ctx, task))
  return {
    comments: task.comment_count,
    subtasks: subtask_count,
    relations: Number(links!.many),
    attachments: task.attachment_count,
    pages: task.page_count,
    pending_decisions,
  }
}

export const boardOf = ({ project_id, key, title }: Project) => ({ project_id, key, title })
