import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { findProject, type Project } from '../../../boards/projects/model/index.ts'
import { type AttachmentRow, attachments } from '../../files/model/index.ts'
import { type Located, locateTask } from '../../tasks/model/index.ts'

/** Loads an attachment with its task if the caller can see the task. */
export async function findAttachment(
  ctx: Context,
  attachment_id: number,
): Promise<Located & { row: AttachmentRow }> {
  const [row] = await ctx.tx
    .select()
    .from(attachments)
    .where(eq(attachments.attachment_id, attachment_id))
  if (!row) throw attachmentNotFound(attachment_id)
  return { row, ...(await locateTaskOf(ctx, row, attachmentNotFound(attachment_id))) }
}

/** Replaces the fault of the task, which would reveal that the attachment exists. */
const locateTaskOf = (ctx: Context, { task_id }: { task_id: number }, notFound: Fault) =>
  locateTask(ctx, { task_id }).catch((error) => {
    throw error instanceof Fault && error.code === 'not_found' ? notFound : error
  })

/** The person who attached a file and people who manage the board may delete it. */
export async function checkMayDelete(ctx: Context, row: AttachmentRow, { project_id }: Project) {
  if (row.created_by === ctx.caller.actor_id) return
  const needs = 'projects:manage'
  if (!ctx.caller.scopes.has(needs)) throw missingScope(needs)
  await findProject({ ...ctx, needs }, project_id)
}

const attachmentNotFound = (attachment_id: number) =>
  fault.notFound(
    'attachment_id',
    `There is no attachment ${attachment_id} that you can see`,
    attachment_id,
    'List those of a task: svc_attachments list, or GET /api/v1/tasks/{task}/attachments',
  )
