import { and, asc, count, eq, inArray, min } from 'drizzle-orm'
import type { Context, Server, Tx } from '../../../../kernel/caller.ts'
import type { ChangeType } from '../../../../kernel/changes.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { type ActorRow, actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { picturesIn } from './pictures.ts'
import { changeTeamBytes } from './quota.ts'
import type { ReceivedFile } from './receive.ts'
import type { Attachment } from './schema.ts'
import { attachments } from './tables.ts'

export type AttachmentRow = typeof attachments.$inferSelect
type Reader = Pick<Context, 'tx' | 'server'>

/** The task or comment that files are attached to. */
export interface AttachmentTarget {
  team_id: number
  project_id: number
  task_id: number
  comment_id?: number | null
}
type TaskRef = Pick<AttachmentTarget, 'team_id' | 'task_id'>

const ofTask = ({ team_id, task_id }: TaskRef) =>
  and(eq(attachments.team_id, team_id), eq(attachments.task_id, task_id))

export async function insertAttachments(
  ctx: Context,
  target: AttachmentTarget,
  received: readonly ReceivedFile[],
): Promise<AttachmentRow[]> {
  const { team_id, task_id, comment_id = null } = target
  const created: AttachmentRow[] = []
  if (received.length) await changeTeamBytes(ctx, team_id, sizeOf(received))
  for (const file of received) {
    const [row] = await ctx.tx
      .insert(attachments)
      .values({
        team_id,
        task_id,
        comment_id,
        ...file,
        created_by: ctx.caller.actor_id,
        created_at: ctx.now,
      })
      .returning()
    emitChange(ctx, 'attachment.created', target, row!)
    created.push(row!)
  }
  return created
}

/** Deletes the rows of all files of a task that is itself deleted, so it emits nothing. */
export async function deleteAttachmentsOf(ctx: Context, task: TaskRef): Promise<void> {
  await changeTeamBytes(ctx, task.team_id, 0)
  const deleted = await ctx.tx.delete(attachments).where(ofTask(task)).returning()
  if (deleted.length) await changeTeamBytes(ctx, task.team_id, -sizeOf(deleted))
}

/** Deletes the rows. The next sweep deletes the bytes. */
export async function deleteAttachments(
  ctx: Context,
  target: AttachmentTarget,
  selector: { comment_id: number } | { attachment_id: number },
): Promise<AttachmentRow[]> {
  const condition =
    'comment_id' in selector
      ? eq(attachments.comment_id, selector.comment_id)
      : eq(attachments.attachment_id, selector.attachment_id)
  // If the team was never counted, this counts it while its files still exist.
  await changeTeamBytes(ctx, target.team_id, 0)
  const deleted = await ctx.tx
    .delete(attachments)
    .where(and(ofTask(target), condition))
    .returning()
  if (deleted.length) await changeTeamBytes(ctx, target.team_id, -sizeOf(deleted))
  for (const row of deleted) emitChange(ctx, 'attachment.deleted', target, row)
  return deleted
}

const sizeOf = (files: readonly { size: number }[]) =>
  files.reduce((total, { size }) => total + size, 0)

function emitChange(
  ctx: Context,
  type: ChangeType<'attachment'>,
  { team_id, project_id, task_id }: AttachmentTarget,
  row: AttachmentRow,
) {
  const { attachment_id, filename, size, comment_id } = row
  ctx.emit(
    type,
    { team_id, project_id, task_id },
    { attachment_id, filename, size, ...(comment_id !== null && { comment_id }) },
  )
}

export async function countAttachments(tx: Tx, task: TaskRef): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(attachments).where(ofTask(task))
  return Number(row!.total)
}

/** Returns the hashes that no attachment and no avatar refers to. */
export async function unreferencedFiles(tx: Tx, sha256s: readonly string[]): Promise<string[]> {
  if (!sha256s.length) return []
  const rows = await tx
    .selectDistinct({ sha256: attachments.sha256 })
    .from(attachments)
    .where(inArray(attachments.sha256, [...sha256s]))
  const pictured = await picturesIn(tx, sha256s)
  const referenced = new Set([...rows, ...pictured].map(({ sha256 }) => sha256))
  return sha256s.filter((sha256) => !referenced.has(sha256))
}

/** Finds attachments whose bytes are missing or incomplete. `sizes` maps stored hashes to sizes. */
export async function findMissingFiles(tx: Tx, sizes: ReadonlyMap<string, number>) {
  const rows = await tx
    .select({ sha256: attachments.sha256, size: attachments.size, name: min(attachments.filename) })
    .from(attachments)
    .groupBy(attachments.sha256, attachments.size)
  const pictures = await picturesIn(tx)
  rows.push(...pictures.map((picture) => ({ ...picture, name: 'a picture of a profile' })))
  const missing = rows.filter(({ sha256, size }) => sizes.get(sha256) !== size)
  return {
    known: rows.length,
    missing: missing.length,
    names: missing.map(({ name }) => name ?? '').sort(),
  }
}

/** Returns all attachments of a task, including those on its comments, oldest first. */
export async function attachmentsOf(ctx: Reader, task: TaskRef): Promise<Attachment[]> {
  const rows = await ctx.tx
    .select()
    .from(attachments)
    .where(ofTask(task))
    .orderBy(asc(attachments.attachment_id))
  return toAttachments(ctx, rows)
}

/** Returns attachments by comment. Comments without attachments are left out. */
export async function attachmentsOfComments(
  ctx: Reader,
  team_id: number,
  comment_ids: readonly number[],
): Promise<ReadonlyMap<number, Attachment[]>> {
  if (!comment_ids.length) return new Map()
  const rows = await selectOfComments(ctx.tx).execute({ team_id, ids: idList(comment_ids) })
  return Map.groupBy(await toAttachments(ctx, rows), ({ comment_id }) => comment_id!)
}

const selectOfComments = prepared((tx) =>
  tx
    .select()
    .from(attachments)
    .where(
      and(
        eq(attachments.team_id, param('team_id')),
        isInIdList(attachments.comment_id, param('ids')),
      ),
    )
    .orderBy(asc(attachments.attachment_id))
    .prepare('attachments_of_comments'),
)

export async function toAttachments(
  { tx, server }: Reader,
  rows: readonly AttachmentRow[],
): Promise<Attachment[]> {
  const creators = await actorsOf(
    tx,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map((row) => toAttachment(server, row, creators.get(row.created_by)!))
}

function toAttachment(
  { url }: Pick<Server, 'url'>,
  row: AttachmentRow,
  creator: ActorRow,
): Attachment {
  const { attachment_id, task_id, comment_id, filename, content_type, size, sha256 } = row
  return {
    attachment_id,
    task_id,
    comment_id,
    filename,
    content_type,
    size,
    sha256,
    url: `${url}/api/v1/attachments/${attachment_id}/content`,
    created_by: asActor(creator),
    created_at: row.created_at.toISOString(),
  }
}
