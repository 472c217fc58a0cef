import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { snippetOf } from '../../../../content/index.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { type Located, type Task, taskById, tasksById } from '../../tasks/model/index.ts'
import type { DraftReceipt, DraftRow } from './schema.ts'
import { drafts } from './tables.ts'

export type Draft = typeof drafts.$inferSelect
/** A row without its text, which is loaded only if it is shown. */
export type DraftSummary = Omit<Draft, 'text'> & { text?: string }

export interface LocatedDraft extends Located {
  draft: Draft
}

export const ownDraft = ({ caller }: Context, draft_id: number): SQL | undefined =>
  and(eq(drafts.draft_id, draft_id), eq(drafts.author_id, caller.actor_id))

/** Loads a draft of the caller whose task the caller can still see. */
export async function findDraft(ctx: Context, draft_id: number): Promise<LocatedDraft> {
  const [draft] = await ctx.tx.select().from(drafts).where(ownDraft(ctx, draft_id))
  const task = draft && (await taskById(ctx.tx, draft.task_id))
  const project = task && (await findVisibleProject(ctx, task.project_id))
  if (!project) throw draftNotFound(draft_id)
  return { draft: draft!, task: task!, project }
}

/** Deletes a draft. Of two concurrent publications, one finds it deleted and fails. */
export async function deleteDraft(ctx: Context, draft_id: number): Promise<void> {
  const deleted = await ctx.tx.delete(drafts).where(ownDraft(ctx, draft_id)).returning()
  if (!deleted.length) throw draftNotFound(draft_id)
}

export const draftNotFound = (draft_id: number) =>
  fault.notFound(
    'draft_id',
    `You have no draft ${draft_id}`,
    draft_id,
    'List your drafts: svc_drafts list, or GET /api/v1/drafts',
  )

/** Emits a change without a place, so that only the author receives it, not the board. */
export function emitDraftChange(
  ctx: Context,
  action: 'created' | 'updated' | 'deleted' | 'published',
  receipt: DraftReceipt,
): void {
  const { draft_id, draft_type, task_id, ticket_number } = receipt
  ctx.emit(`draft.${action}`, {}, { draft_id, draft_type, task_id, ticket_number })
}

type TaskRef = Pick<Task, 'ticket_number'>

export const receiptOf = (draft: DraftSummary, { ticket_number }: TaskRef): DraftReceipt => ({
  draft_id: draft.draft_id,
  draft_type: draft.draft_type,
  task_id: draft.task_id,
  ticket_number,
  content_type: 'html',
})

/** Number of characters loaded for an excerpt, enough even if the text begins with tags. */
const EXCERPT_SOURCE_LENGTH = 2000

/** Turns rows into API records. Only the beginning of each text is loaded for the excerpt. */
export async function toDraftRows(tx: Tx, rows: readonly DraftSummary[]): Promise<DraftRow[]> {
  const taskMap = await tasksById(
    tx,
    rows.map(({ task_id }) => task_id),
  )
  const beginningsById = await loadBeginnings(
    tx,
    rows.map(({ draft_id }) => draft_id),
  )
  return rows.map((draft) => ({
    ...receiptOf(draft, taskMap.get(draft.task_id)!),
    excerpt: snippetOf(beginningsById.get(draft.draft_id)!.beginning, 'html'),
    length: beginningsById.get(draft.draft_id)!.length,
    ...(draft.text !== undefined && { text: draft.text }),
    created_at: draft.created_at.toISOString(),
    updated_at: draft.updated_at.toISOString(),
  }))
}

async function loadBeginnings(tx: Tx, ids: number[]) {
  const rows = await tx
    .select({
      draft_id: drafts.draft_id,
      beginning: sql<string>`substr(${drafts.text}, 1, ${EXCERPT_SOURCE_LENGTH})`,
      length: sql<number>`length(${drafts.text})`,
    })
    .from(drafts)
    .where(inArray(drafts.draft_id, ids))
  return new Map(rows.map((row) => [row.draft_id, row]))
}
