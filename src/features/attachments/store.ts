import { eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { lacking } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { findComment } from '../comments/index.ts'
import { type AttachmentRow, attachments } from '../files/index.ts'
import { findProject, type Project } from '../projects/index.ts'
import { type Located, locateTask, type Task } from '../tasks/index.ts'

/** A file with its task, if the caller can see that. */
export async function findAttachment(
  ctx: Context,
  attachment_id: number,
): Promise<Located & { row: AttachmentRow }> {
  const [row] = await ctx.tx
    .select()
    .from(attachments)
    .where(eq(attachments.attachment_id, attachment_id))
  if (!row) throw unknown(attachment_id)
  return { row, ...(await around(ctx, row, unknown(attachment_id))) }
}

/** A refusal that named the task would tell that there is one. */
const around = (ctx: Context, { task_id }: { task_id: number }, otherwise: Fault) =>
  locateTask(ctx, { task_id }).catch((error) => {
    throw error instanceof Fault && error.code === 'not_found' ? otherwise : error
  })

/** The task of a comment that the caller wrote: nobody else puts files on it. */
export async function findCommented(ctx: Context, comment_id: number): Promise<Task> {
  const { task, comment } = await findComment(ctx, comment_id)
  if (comment.author_id === ctx.caller.actor_id) return task
  throw fault.forbidden(
    'Only who wrote a comment puts files on it',
    'Put them on the task, or on a comment of your own',
  )
}

/** Whoever attached a file takes it away, and who manages the board may too. */
export async function checkMayDelete(ctx: Context, row: AttachmentRow, { project_id }: Project) {
  if (row.created_by === ctx.caller.actor_id) return
  const needs = 'projects:manage'
  if (!ctx.caller.scopes.has(needs)) throw lacking(needs)
  await findProject({ ...ctx, needs }, project_id)
}

const unknown = (attachment_id: number) =>
  fault.notFound(
    'attachment_id',
    `There is no attachment ${attachment_id} that you can see`,
    attachment_id,
    'List those of a task: svc_attachments list, or GET /api/v1/tasks/{task}/attachments',
  )
