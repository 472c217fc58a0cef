import { and, desc, eq, inArray } from 'drizzle-orm'
import { truncate } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { type AttachmentRow, attachments, toAttachments } from '../../../tasks/files/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { addressOf } from './rules.ts'
import type { EvidenceRow } from './schema.ts'
import { evidence } from './tables.ts'

export type Evidence = typeof evidence.$inferSelect
export type Draft = Pick<Evidence, 'kind' | 'summary' | 'url' | 'attachment_id'>

export const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(evidence.team_id, team_id), eq(evidence.task_id, task_id))

export function urlIn(given: string): string {
  const url = addressOf(given)
  if (url !== undefined) return url
  throw fault.invalid(
    'url',
    'invalid_format',
    'url is not an http or https address that may be shown to people',
    given,
    'For example https://ci.example.com/build/12, without a password in it',
  )
}

/** A file must be attached to the same task. */
export async function checkAttached(ctx: Context, task: Task, attachment_id: number) {
  const found = await attachmentsById(ctx, task, [attachment_id])
  if (found.length) return
  throw fault.invalid(
    'attachment_id',
    'not_found',
    `${task.ticket_number} has no file ${attachment_id}`,
    attachment_id,
    'List its files: GET /api/v1/tasks/{task}/attachments',
  )
}

export async function add(ctx: Context, task: Task, draft: Draft): Promise<Evidence> {
  const { team_id, task_id } = task
  const [row] = await ctx.tx
    .insert(evidence)
    .values({ team_id, task_id, ...draft, created_by: ctx.caller.actor_id, created_at: ctx.now })
    .returning()
  emitEvidence(ctx, 'added', task, row!)
  return row!
}

/** All evidence of one kind. */
export const evidenceOf = ({ tx }: Context, task: Task, kind: Evidence['kind']) =>
  tx
    .select()
    .from(evidence)
    .where(and(ofTask(task), eq(evidence.kind, kind)))

/** Changes what a piece of evidence shows. */
export async function revise(
  ctx: Context,
  task: Task,
  { evidence_id }: Evidence,
  set: Pick<Draft, 'summary' | 'url'>,
): Promise<void> {
  const [row] = await ctx.tx
    .update(evidence)
    .set(set)
    .where(eq(evidence.evidence_id, evidence_id))
    .returning()
  emitEvidence(ctx, 'updated', task, row!)
}

export async function drop(ctx: Context, task: Task, row: Evidence): Promise<void> {
  await ctx.tx.delete(evidence).where(eq(evidence.evidence_id, row.evidence_id))
  emitEvidence(ctx, 'removed', task, row)
}

function emitEvidence(
  ctx: Context,
  verb: ChangeVerb<'evidence'>,
  task: Task,
  { evidence_id, kind, summary }: Evidence,
) {
  const { ticket_number, task_id } = task
  const data = { ticket_number, evidence_id, kind, summary: truncate(summary) }
  ctx.emit(`evidence.${verb}`, { ...placeOf(task), task_id }, data)
}

const selectRecent = prepared((tx) =>
  tx
    .select()
    .from(evidence)
    .where(ofTask({ team_id: param('team_id'), task_id: param('task_id') }))
    .orderBy(desc(evidence.created_at), desc(evidence.evidence_id))
    .limit(param('limit'))
    .prepare('evidence_recent'),
)

/** The newest evidence of a task, oldest first. */
export async function recentEvidence(ctx: Context, task: Task, limit: number) {
  const { team_id, task_id } = task
  const rows = await selectRecent(ctx.tx).execute({ team_id, task_id, limit })
  return evidenceRecords(ctx, task, rows.reverse())
}

/** The records of the rows, in their order. */
export async function evidenceRecords(
  ctx: Context,
  task: Task,
  rows: readonly Evidence[],
): Promise<EvidenceRow[]> {
  const ids = rows.flatMap(({ attachment_id }) => attachment_id ?? [])
  const files = await toAttachments(ctx, await attachmentsById(ctx, task, ids))
  const authors = await actorsOf(
    ctx.tx,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map(({ evidence_id, kind, summary, url, attachment_id, ...row }) => {
    const file = files.find((one) => one.attachment_id === attachment_id)
    return {
      evidence_id,
      kind,
      summary,
      url,
      attachment: file
        ? { attachment_id: file.attachment_id, filename: file.filename, url: file.url }
        : null,
      created_by: asActor(authors.get(row.created_by)!),
      created_at: row.created_at.toISOString(),
    }
  })
}

async function attachmentsById(
  { tx }: Context,
  { team_id, task_id }: Task,
  ids: readonly number[],
): Promise<AttachmentRow[]> {
  if (!ids.length) return []
  const own = and(eq(attachments.team_id, team_id), eq(attachments.task_id, task_id))
  return tx
    .select()
    .from(attachments)
    .where(and(own, inArray(attachments.attachment_id, [...ids])))
}
