import type { WarningOwner } from '../../content/storable.ts'
import type { Context, RequestContext } from '../../kernel/caller.ts'
import {
  countAttachments,
  deleteAttachments,
  insertAttachments,
  type ReceivedFile,
  receiveFiles,
} from '../files/index.ts'
import type { Task } from './address.ts'
import { updateDerivedColumns } from './derived.ts'
import { type DescriptionDraft, prepareDescription } from './description/descriptions.ts'
import type { Draft, TaskReceipt } from './schema.ts'

type TaskRef = Pick<Task, 'team_id' | 'project_id' | 'task_id'>

/**
 * The slow part of an input, done before the transaction: cleaning the text and receiving the
 * files.
 */
export const prepareInput = async (
  input: DescriptionDraft & Pick<Draft, 'attachments'>,
  ask: RequestContext & WarningOwner,
) => ({
  described: await prepareDescription(ask, input),
  received: await receiveFiles(ask, input.attachments),
})

/** Attaches the received files and returns the receipt that mentions them. */
export async function attachToTask(
  ctx: Context,
  { team_id, task_id }: Task,
  receipt: TaskReceipt,
  received: readonly ReceivedFile[],
): Promise<TaskReceipt> {
  if (!received.length) return receipt
  await attachFiles(ctx, { team_id, task_id, project_id: receipt.project_id }, received)
  return { ...receipt, changed: [...receipt.changed, 'attachments'] }
}

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
