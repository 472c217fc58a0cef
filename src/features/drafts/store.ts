import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { snippetOf } from '../../content/index.ts'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { seenProject } from '../projects/index.ts'
import { type Located, type Task, taskById, tasksById } from '../tasks/index.ts'
import type { DraftReceipt, DraftRow } from './schema.ts'
import { drafts } from './tables.ts'

export type Draft = typeof drafts.$inferSelect
/** A row without its text, which is read only where it is shown. */
export type Listed = Omit<Draft, 'text'> & { text?: string }

export interface Found extends Located {
  draft: Draft
}

export const isOwn = ({ caller }: Context, draft_id: number): SQL | undefined =>
  and(eq(drafts.draft_id, draft_id), eq(drafts.author_id, caller.actor_id))

/** One's own draft, about a task that one can still see. */
export async function findDraft(ctx: Context, draft_id: number): Promise<Found> {
  const [draft] = await ctx.tx.select().from(drafts).where(isOwn(ctx, draft_id))
  const task = draft && (await taskById(ctx.tx, draft.task_id))
  const project = task && (await seenProject(ctx, task.project_id))
  if (!project) throw unknown(draft_id)
  return { draft: draft!, task: task!, project }
}

/** Takes the draft out: of two who publish it at once, one finds it gone. */
export async function takeDraft(ctx: Context, draft_id: number): Promise<void> {
  const taken = await ctx.tx.delete(drafts).where(isOwn(ctx, draft_id)).returning()
  if (!taken.length) throw unknown(draft_id)
}

export const unknown = (draft_id: number) =>
  fault.notFound(
    'draft_id',
    `You have no draft ${draft_id}`,
    draft_id,
    'List your drafts: svc_drafts list, or GET /api/v1/drafts',
  )

/** Without a place, so that it is told to its author and to nobody who watches the board. */
export function tell(
  ctx: Context,
  what: 'created' | 'updated' | 'deleted' | 'published',
  receipt: DraftReceipt,
): void {
  const { draft_id, draft_type, task_id, ticket_number } = receipt
  ctx.emit(`draft.${what}`, {}, { draft_id, draft_type, task_id, ticket_number })
}

type Of = Pick<Task, 'ticket_number'>

export const receiptOf = (draft: Listed, { ticket_number }: Of): DraftReceipt => ({
  draft_id: draft.draft_id,
  draft_type: draft.draft_type,
  task_id: draft.task_id,
  ticket_number,
  content_type: 'html',
})

/** Enough for an excerpt, whatever tags the text begins with. */
const BEGINNING = 2000

/** As lists show them, which do not read whole texts to show how they begin. */
export async function shownDrafts(tx: Tx, rows: readonly Listed[]): Promise<DraftRow[]> {
  const about = await tasksById(
    tx,
    rows.map(({ task_id }) => task_id),
  )
  const begun = await beginnings(
    tx,
    rows.map(({ draft_id }) => draft_id),
  )
  return rows.map((draft) => ({
    ...receiptOf(draft, about.get(draft.task_id)!),
    excerpt: snippetOf(begun.get(draft.draft_id)!.beginning, 'html'),
    length: begun.get(draft.draft_id)!.length,
    ...(draft.text !== undefined && { text: draft.text }),
    created_at: draft.created_at.toISOString(),
    updated_at: draft.updated_at.toISOString(),
  }))
}

async function beginnings(tx: Tx, ids: number[]) {
  const found = await tx
    .select({
      draft_id: drafts.draft_id,
      beginning: sql<string>`substr(${drafts.text}, 1, ${BEGINNING})`,
      length: sql<number>`length(${drafts.text})`,
    })
    .from(drafts)
    .where(inArray(drafts.draft_id, ids))
  return new Map(found.map((one) => [one.draft_id, one]))
}
