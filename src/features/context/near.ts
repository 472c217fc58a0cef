import { count } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import type { Project } from '../projects/index.ts'
import { linksOf, type RelationRow, type RelationType, shownRelations } from '../relations/index.ts'
import { relations, shownTasks, type Task, type TaskRow, taskById } from '../tasks/index.ts'
import type { Counts } from './schema.ts'

const MOST_LINKS = 50

/** What a task is linked with in one way, oldest first. */
export async function linked(ctx: Context, task: Task, type: RelationType): Promise<RelationRow[]> {
  const rows = await ctx.tx
    .select()
    .from(relations)
    .where(linksOf(ctx, task, type))
    .orderBy(relations.relation_id)
    .limit(MOST_LINKS)
  return shownRelations(ctx, task, rows)
}

export async function parentOf(ctx: Context, { parent_task_id }: Task): Promise<TaskRow | null> {
  const parent = parent_task_id === null ? undefined : await taskById(ctx.tx, parent_task_id)
  return parent ? (await shownTasks(ctx, [parent]))[0]! : null
}

/** How much there is of what is shown in part. */
export async function countsOf(
  ctx: Context,
  task: Task,
  { subtask_count }: TaskRow,
  pending_decisions: number,
): Promise<Counts> {
  const [links] = await ctx.tx.select({ many: count() }).from(relations).where(linksOf(ctx, task))
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
