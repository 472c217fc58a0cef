import { and, count, eq, inArray, max } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { findProject, findVisibleProject } from '../../../boards/projects/model/index.ts'
import { type ActorRow, actors } from '../../../identity/people/model/index.ts'
import { participantIds } from '../../../tasks/assignees/model/index.ts'
import {
  type Located,
  locateTask,
  type Task,
  taskById,
  updateDerivedColumns,
} from '../../../tasks/tasks/model/index.ts'
import { commentMentions, comments } from './tables.ts'

export type Comment = typeof comments.$inferSelect
export type LocatedComment = Located & { comment: Comment }

/** Loads a comment with its task if the caller can see the task. Writes lock the task. */
export async function findComment(ctx: Context, comment_id: number): Promise<LocatedComment> {
  const candidate = await commentById(ctx.tx, comment_id)
  const task = candidate && (await taskById(ctx.tx, candidate.task_id))
  if (!task || !(await findVisibleProject(ctx, task.project_id))) throw commentNotFound(comment_id)
  const located = await locateTask(ctx, { task_id: task.task_id })
  // Read again: before the lock was taken, another request may have changed or deleted the comment.
  const comment = await commentById(ctx.tx, comment_id)
  if (!comment) throw commentNotFound(comment_id)
  return { ...located, comment }
}

async function commentById(tx: Tx, comment_id: number): Promise<Comment | undefined> {
  const [comment] = await tx.select().from(comments).where(eq(comments.comment_id, comment_id))
  return comment
}

const commentNotFound = (comment_id: number) =>
  fault.notFound(
    'comment_id',
    `There is no comment ${comment_id} that you can see`,
    comment_id,
    'List those of a task: svc_comments list, or GET /api/v1/tasks/{task}/comments',
  )

/** Loads the comment that is replied to. It must be on the same task. */
export async function findReplyTarget(
  tx: Tx,
  { task_id }: Task,
  comment_id: number,
): Promise<Comment> {
  const target = await commentById(tx, comment_id)
  if (target?.task_id === task_id) return target
  throw fault.invalid(
    'reply_to_comment_id',
    'not_found',
    `This task has no comment ${comment_id}`,
    comment_id,
    'List its comments: svc_comments list',
  )
}

const selectAuthors = prepared((tx) =>
  tx
    .selectDistinct({ author_id: comments.author_id })
    .from(comments)
    .where(and(eq(comments.team_id, param('team_id')), eq(comments.task_id, param('task_id'))))
    .prepare('comment_authors'),
)

/** Returns the assignees and the creator of a task, and everybody who commented on it. */
export async function participantsOf(tx: Tx, task: Task): Promise<number[]> {
  const { team_id, task_id } = task
  const [authors, others] = await Promise.all([
    selectAuthors(tx).execute({ team_id, task_id }),
    participantIds(tx, task),
  ])
  return [...new Set([...others, ...authors.map(({ author_id }) => author_id)])]
}

/** A subquery for the ids of the tasks that the caller commented on. */
export const tasksCommentedByCaller = ({ tx, caller }: Pick<Context, 'tx' | 'caller'>) =>
  tx
    .select({ task_id: comments.task_id })
    .from(comments)
    .where(
      and(
        inArray(comments.team_id, [...caller.teams.keys()]),
        eq(comments.author_id, caller.actor_id),
      ),
    )

export function checkAuthor({ caller }: Context, { author_id }: Comment): void {
  if (author_id === caller.actor_id) return
  throw fault.forbidden('Only the author can edit a comment', 'Reply with a comment of your own')
}

/**
 * People may delete their own comments, those of their agents, and any comment on a board that they
 * manage.
 */
export async function checkMayDelete(
  ctx: Context,
  { comment, task }: LocatedComment,
): Promise<void> {
  const { author_id } = comment
  if (author_id === ctx.caller.actor_id || (await isOwnAgent(ctx, author_id))) return
  const needs = 'projects:manage'
  if (!ctx.caller.scopes.has(needs)) throw missingScope(needs)
  await findProject({ ...ctx, needs }, task.project_id)
}

async function isOwnAgent({ tx, caller }: Context, actor_id: number): Promise<boolean> {
  const ownAgent = and(eq(agents.actor_id, actor_id), eq(agents.owner_id, caller.actor_id))
  return (await tx.select({ id: agents.actor_id }).from(agents).where(ownAgent)).length > 0
}

export async function mentionedActors(
  tx: Tx,
  { team_id, comment_id }: Comment,
): Promise<ActorRow[]> {
  const ofComment = and(
    eq(commentMentions.team_id, team_id),
    eq(commentMentions.comment_id, comment_id),
  )
  const rows = await tx
    .select({ actor: actors })
    .from(commentMentions)
    .innerJoin(actors, eq(actors.actor_id, commentMentions.actor_id))
    .where(ofComment)
    .orderBy(actors.actor_id)
  return rows.map(({ actor }) => actor)
}

export const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(comments.team_id, team_id), eq(comments.task_id, task_id))

const selectCounts = prepared((tx) =>
  tx
    .select({ comment_count: count(), last_comment_at: max(comments.created_at) })
    .from(comments)
    .where(and(eq(comments.team_id, param('team_id')), eq(comments.task_id, param('task_id'))))
    .prepare('comments_counted'),
)

/** Stores with the task how many comments it has and when the last one was made. */
export async function updateCommentCount(tx: Tx, { team_id, task_id }: Task): Promise<void> {
  const [row] = await selectCounts(tx).execute({ team_id, task_id })
  await updateDerivedColumns(tx, task_id, row!)
}

/** The same for several tasks, with one query. */
export async function updateCommentCounts(
  tx: Tx,
  team_id: number,
  task_ids: readonly number[],
): Promise<void> {
  const counted = await tx
    .select({
      task_id: comments.task_id,
      comment_count: count(),
      last_comment_at: max(comments.created_at),
    })
    .from(comments)
    .where(and(eq(comments.team_id, team_id), isOneOf(comments.task_id, task_ids)))
    .groupBy(comments.task_id)
  for (const { task_id, ...row } of counted) await updateDerivedColumns(tx, task_id, row)
}
