import { and, asc, count, eq, inArray, min, type SQL } from 'drizzle-orm'
import type { Context, Server, Tx } from '../../kernel/caller.ts'
import { type ActorRow, actorsOf, asActor } from '../people/index.ts'
import { changeTeamBytes } from './quota.ts'
import type { Received } from './receive.ts'
import type { Attachment } from './schema.ts'
import { attachments } from './tables.ts'

export type AttachmentRow = typeof attachments.$inferSelect
type Reader = Pick<Context, 'tx' | 'server'>

/** Where files are attached. */
export interface On {
  team_id: number
  project_id: number
  task_id: number
  comment_id?: number | null
}
type OfTask = Pick<On, 'team_id' | 'task_id'>

const ofTask = ({ team_id, task_id }: OfTask) =>
  and(eq(attachments.team_id, team_id), eq(attachments.task_id, task_id))

export async function insertAttachments(
  ctx: Context,
  on: On,
  received: readonly Received[],
): Promise<AttachmentRow[]> {
  const { team_id, task_id, comment_id = null } = on
  const made: AttachmentRow[] = []
  if (received.length) await changeTeamBytes(ctx, team_id, sizeOf(received))
  for (const file of received) {
    const [row] = await ctx.tx
      .insert(attachments)
      .values({
        ...{ team_id, task_id, comment_id, ...file },
        created_by: ctx.caller.actor_id,
        created_at: ctx.now,
      })
      .returning()
    tell(ctx, 'attachment.created', on, row!)
    made.push(row!)
  }
  return made
}

/** Takes the rows away; their bytes go with the next sweep. */
export async function deleteAttachments(
  ctx: Context,
  on: On,
  which: { comment_id: number } | { attachment_id: number },
): Promise<AttachmentRow[]> {
  const one =
    'comment_id' in which
      ? eq(attachments.comment_id, which.comment_id)
      : eq(attachments.attachment_id, which.attachment_id)
  // The team is counted while its files are still there.
  await changeTeamBytes(ctx, on.team_id, 0)
  const gone = await ctx.tx
    .delete(attachments)
    .where(and(ofTask(on), one))
    .returning()
  if (gone.length) await changeTeamBytes(ctx, on.team_id, -sizeOf(gone))
  for (const row of gone) tell(ctx, 'attachment.deleted', on, row)
  return gone
}

const sizeOf = (files: readonly { size: number }[]) =>
  files.reduce((total, { size }) => total + size, 0)

function tell(
  ctx: Context,
  type: string,
  { team_id, project_id, task_id }: On,
  row: AttachmentRow,
) {
  const { attachment_id, filename, size, comment_id } = row
  ctx.emit(
    type,
    { team_id, project_id, task_id },
    { attachment_id, filename, size, ...(comment_id !== null && { comment_id }) },
  )
}

export async function countAttachments(tx: Tx, task: OfTask): Promise<number> {
  const [row] = await tx.select({ many: count() }).from(attachments).where(ofTask(task))
  return Number(row!.many)
}

/** Those of them that no attachment has. */
export async function withoutRow(tx: Tx, sha256s: readonly string[]): Promise<string[]> {
  if (!sha256s.length) return []
  const rows = await tx
    .selectDistinct({ sha256: attachments.sha256 })
    .from(attachments)
    .where(inArray(attachments.sha256, [...sha256s]))
  const known = new Set(rows.map(({ sha256 }) => sha256))
  return sha256s.filter((sha256) => !known.has(sha256))
}

/** Files that are attached, but whose bytes are not all there; the size of each that is, is given. */
export async function filesMissing(tx: Tx, sizes: ReadonlyMap<string, number>) {
  const rows = await tx
    .select({ sha256: attachments.sha256, size: attachments.size, name: min(attachments.filename) })
    .from(attachments)
    .groupBy(attachments.sha256, attachments.size)
  const missing = rows.filter(({ sha256, size }) => sizes.get(sha256) !== size)
  return {
    known: rows.length,
    missing: missing.length,
    names: missing.map(({ name }) => name ?? '').sort(),
  }
}

/** All of a task, those on its comments too, in the order in which they came. */
export const attachmentsOf = (ctx: Reader, task: OfTask): Promise<Attachment[]> =>
  selected(ctx, ofTask(task))

/** By comment; one that has none is left out. */
export async function attachmentsOfComments(
  ctx: Reader,
  team_id: number,
  comment_ids: readonly number[],
): Promise<ReadonlyMap<number, Attachment[]>> {
  if (!comment_ids.length) return new Map()
  const shown = await selected(
    ctx,
    and(eq(attachments.team_id, team_id), inArray(attachments.comment_id, [...comment_ids])),
  )
  return Map.groupBy(shown, ({ comment_id }) => comment_id!)
}

async function selected(ctx: Reader, where: SQL | undefined): Promise<Attachment[]> {
  const rows = await ctx.tx
    .select()
    .from(attachments)
    .where(where)
    .orderBy(asc(attachments.attachment_id))
  return shownAttachments(ctx, rows)
}

export async function shownAttachments(
  { tx, server }: Reader,
  rows: readonly AttachmentRow[],
): Promise<Attachment[]> {
  const creators = await actorsOf(
    tx,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map((row) => shown(server, row, creators.get(row.created_by)!))
}

function shown({ url }: Pick<Server, 'url'>, row: AttachmentRow, creator: ActorRow): Attachment {
  const { attachment_id, task_id, comment_id, filename, content_type, size, sha256 } = row
  return {
    ...{ attachment_id, task_id, comment_id, filename, content_type, size, sha256 },
    url: `${url}/api/v1/attachments/${attachment_id}/content`,
    created_by: asActor(creator),
    created_at: row.created_at.toISOString(),
  }
}
