import type { WarningOwner } from '../../../../content/storable.ts'
import type { Context, RequestContext } from '../../../../kernel/caller.ts'
import { attachFiles } from '../../attachments/model/index.ts'
import { type DescriptionDraft, prepareDescription } from '../../descriptions/model/index.ts'
import type { Draft } from '../../edits/model/index.ts'
import { type ReceivedFile, receiveFiles } from '../../files/model/index.ts'
import type { TaskReceipt } from '../../records/model/index.ts'
import type { Task } from '../model/address.ts'

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
