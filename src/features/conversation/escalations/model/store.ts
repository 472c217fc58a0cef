import { and, eq, isNull } from 'drizzle-orm'
import { truncate } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { findProject, placeOf } from '../../../boards/projects/model/index.ts'
import { boardActors, findBoardActor } from '../../../identity/members/model/index.ts'
import { type ActorRow, actorsOf, asActor } from '../../../identity/people/model/index.ts'
import type { Located, Task } from '../../../tasks/tasks/model/index.ts'
import type { EscalationRow } from './schema.ts'
import { escalations } from './tables.ts'

export type Escalation = typeof escalations.$inferSelect

export const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(escalations.team_id, team_id), eq(escalations.task_id, task_id))

export async function escalate(
  ctx: Context,
  located: Located,
  { reason, to_user_id }: { reason: string; to_user_id?: number },
): Promise<Escalation> {
  const { task, project } = located
  const to =
    to_user_id === undefined
      ? await defaultRecipient(ctx, located)
      : await findBoardActor(ctx, project, to_user_id, 'to_user_id')
  const { team_id, task_id, ticket_number, title } = task
  const [row] = await ctx.tx
    .insert(escalations)
    .values({
      team_id,
      task_id,
      reason: reason.trim(),
      to_id: to.actor_id,
      created_by: ctx.caller.actor_id,
      created_at: ctx.now,
    })
    .returning()
  const { escalation_id } = row!
  ctx.emit(
    'escalation.created',
    { ...placeOf(project), task_id },
    {
      escalation_id,
      ticket_number,
      title,
      reason: truncate(reason),
      to_user_id: to.actor_id,
    },
  )
  return row!
}

/**
 * The default recipient: the owner of the agent that escalates; otherwise the creator of the task,
 * or else of the board.
 */
async function defaultRecipient(ctx: Context, { task, project }: Located): Promise<ActorRow> {
  const { caller } = ctx
  const candidates =
    caller.kind === 'agent' ? [caller.person_id] : [task.created_by, project.created_by]
  const boardMembers = await boardActors(ctx, project)
  for (const id of candidates) {
    const found = boardMembers.find(({ actor_id, kind }) => actor_id === id && kind === 'person')
    if (found && found.actor_id !== caller.actor_id) return found
  }
  throw fault.invalid(
    'to_user_id',
    'required',
    'There is no default person to notify for this task: set to_user_id',
    undefined,
    'List who can see the board: svc_projects members',
  )
}

export async function findEscalation(ctx: Context, task: Task, escalation_id: number) {
  const one = and(ofTask(task), eq(escalations.escalation_id, escalation_id))
  const [row] = await ctx.tx.select().from(escalations).where(one)
  if (row) return row
  throw fault.notFound(
    'escalation_id',
    `${task.ticket_number} has no escalation ${escalation_id}`,
    escalation_id,
    'List its escalations: GET /api/v1/tasks/{task}/escalations',
  )
}

/**
 * A single statement checks that it is open and closes it, so that one of two concurrent calls
 * fails.
 */
export async function resolve(
  ctx: Context,
  { task, project }: Located,
  { escalation_id }: Escalation,
  note: string | undefined,
): Promise<Escalation> {
  const [row] = await ctx.tx
    .update(escalations)
    .set({ note: note ?? null, resolved_by: ctx.caller.actor_id, resolved_at: ctx.now })
    .where(and(eq(escalations.escalation_id, escalation_id), isNull(escalations.resolved_at)))
    .returning()
  if (!row)
    throw fault.conflict(
      'This escalation is already resolved',
      { field: 'escalation_id', value: escalation_id },
      'Create a new escalation if there is more to do',
    )
  const { task_id, ticket_number, title } = task
  const { to_id: to_user_id, created_by: author_id } = row
  ctx.emit(
    'escalation.resolved',
    { ...placeOf(project), task_id },
    {
      escalation_id,
      ticket_number,
      title,
      to_user_id,
      author_id,
      note: row.note === null ? null : truncate(row.note),
    },
  )
  return row
}

/** The recipient, the author and those who manage the board may resolve it. */
export async function checkCanResolve(ctx: Context, { project }: Located, row: Escalation) {
  const { caller } = ctx
  if (caller.actor_id === row.to_id || caller.actor_id === row.created_by) return
  const needs = 'projects:manage'
  if (!caller.scopes.has(needs)) throw missingScope(needs)
  await findProject({ ...ctx, needs }, project.project_id)
}

/** The records of the rows, in their order. */
export async function escalationRecords(
  { tx }: Context,
  { ticket_number }: Task,
  rows: readonly Escalation[],
): Promise<EscalationRow[]> {
  const known = await actorsOf(
    tx,
    rows.flatMap(({ to_id, created_by, resolved_by }) => [
      ...[to_id, created_by, resolved_by ?? []].flat(),
    ]),
  )
  const actor = (id: number) => asActor(known.get(id)!)
  return rows.map((row) => ({
    escalation_id: row.escalation_id,
    task_id: row.task_id,
    ticket_number,
    reason: row.reason,
    to: actor(row.to_id),
    state: row.resolved_at ? ('resolved' as const) : ('open' as const),
    note: row.note,
    created_by: actor(row.created_by),
    created_at: row.created_at.toISOString(),
    resolved_by: row.resolved_by === null ? null : actor(row.resolved_by),
    resolved_at: row.resolved_at?.toISOString() ?? null,
  }))
}
