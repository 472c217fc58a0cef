import { and, count, eq, max } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { lacking } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { param, prepared } from '../../store/prepared.ts'
import { agents } from '../agents/index.ts'
import { type ActorRow, actors } from '../people/index.ts'
import { findProject, seenProject } from '../projects/index.ts'
import {
  concernedWith,
  type Located,
  locateTask,
  noteOn,
  type Task,
  taskById,
} from '../tasks/index.ts'
import { commentMentions, comments } from './tables.ts'

export type Comment = typeof comments.$inferSelect
export type Commented = Located & { comment: Comment }

/** The comment with its task, if the caller can see that. While it is changed the task is held. */
export async function findComment(ctx: Context, comment_id: number): Promise<Commented> {
  const named = await commentById(ctx.tx, comment_id)
  const task = named && (await taskById(ctx.tx, named.task_id))
  if (!task || !(await seenProject(ctx, task.project_id))) throw unknown(comment_id)
  const located = await locateTask(ctx, { task_id: task.task_id })
  // Whoever held the task before may have changed or deleted it.
  const comment = await commentById(ctx.tx, comment_id)
  if (!comment) throw unknown(comment_id)
  return { ...located, comment }
}

async function commentById(tx: Tx, comment_id: number): Promise<Comment | undefined> {
  const [comment] = await tx.select().from(comments).where(eq(comments.comment_id, comment_id))
  return comment
}

const unknown = (comment_id: number) =>
  fault.notFound(
    'comment_id',
    `There is no comment ${comment_id} that you can see`,
    comment_id,
    'List those of a task: svc_comments list, or GET /api/v1/tasks/{task}/comments',
  )

/** A comment that can be answered: one of the same task. */
export async function findAnswered(
  tx: Tx,
  { task_id }: Task,
  comment_id: number,
): Promise<Comment> {
  const answered = await commentById(tx, comment_id)
  if (answered?.task_id === task_id) return answered
  throw fault.invalid(
    'reply_to_comment_id',
    'not_found',
    `This task has no comment ${comment_id}`,
    comment_id,
    'List those it has: svc_comments list',
  )
}

const authors = prepared((tx) =>
  tx
    .selectDistinct({ author_id: comments.author_id })
    .from(comments)
    .where(and(eq(comments.team_id, param('team_id')), eq(comments.task_id, param('task_id'))))
    .prepare('comment_authors'),
)

/** Whoever has the task, created it, or wrote a comment on it. */
export async function participantsOf(tx: Tx, task: Task): Promise<number[]> {
  const { team_id, task_id } = task
  const wrote = await authors(tx).execute({ team_id, task_id })
  const ids = wrote.map(({ author_id }) => author_id)
  return [...new Set([...(await concernedWith(tx, task)), ...ids])]
}

export function checkAuthor({ caller }: Context, { author_id }: Comment): void {
  if (author_id === caller.actor_id) return
  throw fault.forbidden('Only who wrote a comment edits it', 'Answer it with one of your own')
}

/** One's own, one's agents', and any on a board that one manages. */
export async function checkMayDelete(ctx: Context, { comment, task }: Commented): Promise<void> {
  const { author_id } = comment
  if (author_id === ctx.caller.actor_id || (await isOwnAgent(ctx, author_id))) return
  const needs = 'projects:manage'
  if (!ctx.caller.scopes.has(needs)) throw lacking(needs)
  await findProject({ ...ctx, needs }, task.project_id)
}

async function isOwnAgent({ tx, caller }: Context, actor_id: number): Promise<boolean> {
  const own = and(eq(agents.actor_id, actor_id), eq(agents.owner_id, caller.actor_id))
  return (await tx.select({ id: agents.actor_id }).from(agents).where(own)).length > 0
}

export async function mentionedIn(tx: Tx, { team_id, comment_id }: Comment): Promise<ActorRow[]> {
  const here = and(eq(commentMentions.team_id, team_id), eq(commentMentions.comment_id, comment_id))
  const rows = await tx
    .select({ actor: actors })
    .from(commentMentions)
    .innerJoin(actors, eq(actors.actor_id, commentMentions.actor_id))
    .where(here)
    .orderBy(actors.actor_id)
  return rows.map(({ actor }) => actor)
}

export const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(comments.team_id, team_id), eq(comments.task_id, task_id))

const counts = prepared((tx) =>
  tx
    .select({ comment_count: count(), last_comment_at: max(comments.created_at) })
    .from(comments)
    .where(and(eq(comments.team_id, param('team_id')), eq(comments.task_id, param('task_id'))))
    .prepare('comments_counted'),
)

/** Keeps with the task how many comments it has and when the last one was made. */
export async function countComments(tx: Tx, { team_id, task_id }: Task): Promise<void> {
  const [row] = await counts(tx).execute({ team_id, task_id })
  await noteOn(tx, task_id, row!)
}
