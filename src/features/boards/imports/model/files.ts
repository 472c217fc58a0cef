import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { attachFiles } from '../../../tasks/attachments/model/index.ts'
import { attachments, type ReceivedFile } from '../../../tasks/files/model/index.ts'
import { taskById } from '../../../tasks/tasks/model/index.ts'
import type { AttachmentRecord, Result } from './schema.ts'
import { KnownRows, type SourceImport } from './store.ts'
import { sourceImports } from './tables.ts'

/** Attaches a file of the source to its task or comment, with the author and time it has there. */
export async function importFile(
  ctx: Context,
  source: SourceImport,
  record: Static<typeof AttachmentRecord>,
  received: readonly ReceivedFile[],
): Promise<Static<typeof Result>> {
  const { tx } = ctx
  const known = new KnownRows(tx, source)
  await known.load('attachment', [record.id])
  const before = known.get('attachment', record.id)
  if (before) return { outcome: 'unchanged', row_id: before.row_id }
  await known.load('task', [record.task])
  await known.load('comment', record.comment ? [record.comment] : [])
  await known.load('person', record.created_by ? [record.created_by] : [])
  const task = await taskById(tx, known.get('task', record.task)?.row_id ?? 0)
  if (!task)
    throw fault.invalid(
      'attachment.task',
      'not_found',
      'No such task was imported before this file',
      record.task,
      'Send the task first',
    )
  const comment_id = record.comment ? known.get('comment', record.comment)?.row_id : undefined
  const [row] = await attachFiles(ctx, { ...task, comment_id }, received)
  const { attachment_id } = row!
  const author = record.created_by ? known.get('person', record.created_by) : undefined
  await tx
    .update(attachments)
    .set({
      created_by: author?.row_id ?? row!.created_by,
      created_at: record.created_at ? new Date(record.created_at) : row!.created_at,
    })
    .where(eq(attachments.attachment_id, attachment_id))
  await known.add('attachment', [
    { source_id: record.id, row_id: attachment_id, created: true, digests: null },
  ])
  const counts = { ...source.counts, attachments: source.counts.attachments + 1 }
  const own = eq(sourceImports.import_id, source.import_id)
  await tx.update(sourceImports).set({ counts, updated_at: ctx.now }).where(own)
  return { outcome: 'created', row_id: attachment_id }
}
