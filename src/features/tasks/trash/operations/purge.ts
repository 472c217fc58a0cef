import { and, eq, inArray, lt } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../../../kernel/caller.ts'
import { deleteCascading } from '../../../../store/cascade.ts'
import { forDelete } from '../../../../store/columns.ts'
import { removeTexts } from '../../../../store/fulltext.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { lastSeq } from '../../../../store/log.ts'
import { changes } from '../../../../store/tables.ts'
import { messages } from '../../../agents/messages/model/index.ts'
import { comments } from '../../../conversation/comments/model/index.ts'
import { pages } from '../../../pages/pages/model/index.ts'
import { Edit, save } from '../../edits/model/index.ts'
import { attachments, deleteAttachmentsOf } from '../../files/model/index.ts'
import { deleteRelationsOf } from '../../relations/model/index.ts'
import { type TextKind, textChanges } from '../../shared_texts/model/index.ts'
import { type Task, tasks } from '../../tasks/model/index.ts'

/**
 * Deletes tasks and everything that belongs to them. Subtasks stay, without a parent. Rows of
 * imports stay, so that importing again does not bring the tasks back.
 */
export async function purge(ctx: Context, found: readonly Task[]): Promise<number> {
  let deleted = 0
  for (const { task_id } of found) {
    const [task] = await forDelete(
      ctx.tx
        .select()
        .from(tasks)
        .where(and(eq(tasks.task_id, task_id), eq(tasks.status, 'Deleted'))),
    )
    if (!task) continue
    await purgeTask(ctx, task)
    deleted++
  }
  return deleted
}

async function purgeTask(ctx: Context, task: Task): Promise<void> {
  const { tx } = ctx
  const { team_id, project_id, task_id, ticket_number } = task
  const texts = await textsOf(ctx, task)
  await detachSubtasks(ctx, task)
  await deleteRelationsOf(ctx, task)
  await deleteAttachmentsOf(ctx, task)
  await deleteTextChanges(ctx, team_id, 'task', [task_id])
  await deleteTextChanges(ctx, team_id, 'page', texts.page)
  await deleteChanges(ctx, task)
  await removeTexts(tx, [task_id])
  await deleteCascading(tx, team_id, tasks.task_id, [task_id])
  ctx.emit('task.deleted', { team_id, project_id, task_id }, { ticket_number, texts })
}

/** The ids of its texts, which the search index may still hold. */
async function textsOf({ tx }: Context, { team_id, task_id }: Task) {
  const idsIn = async (
    table: typeof comments | typeof pages | typeof attachments,
    id: PgColumn,
  ): Promise<number[]> => {
    const isOfTask = and(eq(table.team_id, team_id), eq(table.task_id, task_id))
    const rows = await tx.select({ id }).from(table).where(isOfTask)
    return rows.map((row) => Number(row.id))
  }
  return {
    description: [task_id],
    comment: await idsIn(comments, comments.comment_id),
    page: await idsIn(pages, pages.page_id),
    file: await idsIn(attachments, attachments.attachment_id),
  }
}

async function detachSubtasks(ctx: Context, { team_id, task_id }: Task): Promise<void> {
  const isSubtask = and(eq(tasks.team_id, team_id), eq(tasks.parent_task_id, task_id))
  for (const subtask of await ctx.tx.select().from(tasks).where(isSubtask)) {
    const edit = new Edit(ctx, subtask)
    edit.put('parent_task_id', null)
    await save(edit)
  }
}

const deleteTextChanges = (
  { tx }: Context,
  team_id: number,
  kind: TextKind,
  ids: readonly number[],
) =>
  tx
    .delete(textChanges)
    .where(
      and(
        eq(textChanges.team_id, team_id),
        eq(textChanges.kind, kind),
        isOneOf(textChanges.text_id, ids),
      ),
    )

/**
 * Deletes what the change log says about a task, and the messages about that. The newest entry of
 * the log stays: the search index recognizes its database by the last entry that it has read.
 */
async function deleteChanges({ tx }: Context, { team_id, task_id }: Task): Promise<void> {
  const isOld = and(
    eq(changes.team_id, team_id),
    eq(changes.task_id, task_id),
    lt(changes.seq, await lastSeq(tx)),
  )
  const seqs = tx.select({ seq: changes.seq }).from(changes).where(isOld)
  await tx.delete(messages).where(and(eq(messages.team_id, team_id), inArray(messages.seq, seqs)))
  await tx.delete(changes).where(isOld)
}
