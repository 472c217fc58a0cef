import type { Sender } from '../../content/storable.ts'
import type { Ask, Context } from '../../kernel/caller.ts'
import {
  countAttachments,
  deleteAttachments,
  insertAttachments,
  type Received,
  receiveFiles,
} from '../files/index.ts'
import type { Task } from './address.ts'
import { described, type Sent } from './description/descriptions.ts'
import { noteOn } from './notes.ts'
import type { Draft, TaskReceipt } from './schema.ts'

type OnTask = Pick<Task, 'team_id' | 'project_id' | 'task_id'>

/** What takes its time of what was sent: a text to be cleaned, files to be fetched. */
export const sent = async (given: Sent & Pick<Draft, 'attachments'>, ask: Ask & Sender) => ({
  described: await described(ask, given),
  received: await receiveFiles(ask, given.attachments),
})

/** The receipt, once the files are on the task as well. */
export async function attachTo(
  ctx: Context,
  { team_id, task_id }: Task,
  receipt: TaskReceipt,
  received: readonly Received[],
): Promise<TaskReceipt> {
  if (!received.length) return receipt
  await attachFiles(ctx, { team_id, task_id, project_id: receipt.project_id }, received)
  return { ...receipt, changed: [...receipt.changed, 'attachments'] }
}

/** Puts files on a task, or on a comment of it, and counts them on the task. */
export async function attachFiles(
  ctx: Context,
  on: OnTask & { comment_id?: number | null },
  received: readonly Received[],
) {
  if (!received.length) return []
  const rows = await insertAttachments(ctx, on, received)
  await countAnew(ctx, on)
  return rows
}

/** Takes one file off a task, or all that a comment had. */
export async function dropAttachments(
  ctx: Context,
  on: OnTask,
  which: { comment_id: number } | { attachment_id: number },
) {
  const gone = await deleteAttachments(ctx, on, which)
  if (gone.length) await countAnew(ctx, on)
  return gone
}

const countAnew = async ({ tx }: Context, on: OnTask) =>
  noteOn(tx, on.task_id, { attachment_count: await countAttachments(tx, on) })
