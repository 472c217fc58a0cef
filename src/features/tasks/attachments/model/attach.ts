import type { Context } from '../../../../kernel/caller.ts'
import {
  countAttachments,
  deleteAttachments,
  insertAttachments,
  type ReceivedFile,
} from '../../files/model/index.ts'
import { type Task, updateDerivedColumns } from '../../tasks/model/index.ts'

type TaskRef = Pick<Task, 'team_id' | 'project_id' | 'task_id'>

/** Attaches files to a task, or to a comment of it, and updates the count on the task. */
export async function attachFiles(
  ctx: Context,
  target: TaskRef & { comment_id?: number | null },
  received: readonly ReceivedFile[],
) {
  if (!received.length) return []
  const rows = await insertAttachments(ctx, target, received)
  await updateAttachmentCount(ctx, target)
  return rows
}

/** Deletes one attachment of a task, or all attachments of a comment. */
export async function dropAttachments(
  ctx: Context,
  task: TaskRef,
  selection: { comment_id: number } | { attachment_id: number },
) {
  const removed = await deleteAttachments(ctx, task, selection)
  if (removed.length) await updateAttachmentCount(ctx, task)
  return removed
}

const updateAttachmentCount = async ({ tx }: Context, task: TaskRef) =>
  updateDerivedColumns(tx, task.task_id, { attachment_count: await countAttachments(tx, task) })
