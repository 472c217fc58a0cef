import { and, eq } from 'drizzle-orm'
import { truncate } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { findProject, placeOf } from '../../../boards/projects/model/index.ts'
import { checkSelected } from './rules.ts'
import type { DecisionRow, Found } from './store.ts'
import { decisionRequests } from './tables.ts'

interface Answer {
  selected_option: string
  note?: string
}

export async function answer(ctx: Context, found: Found, { selected_option, note }: Answer) {
  const { request, project } = found
  if (ctx.caller.kind !== 'person')
    throw fault.forbidden(
      'Only people can answer decision requests',
      'Wait for the answer: svc_decision_requests get shows it',
    )
  checkSelected(request.options, selected_option)
  const answered = { selected_option, answer_note: note ?? null }
  await close(ctx, found, { status: 'answered', ...answered })
  const { decision_request_id, question, created_by: asker_id } = request
  ctx.emit(
    'decision.answered',
    { ...placeOf(project), task_id: request.task_id },
    {
      decision_request_id,
      ticket_number: found.task.ticket_number,
      question: truncate(question),
      selected_option,
      asker_id,
    },
  )
}

export async function cancel(ctx: Context, found: Found): Promise<void> {
  const { request, project } = found
  await checkCanCancel(ctx, found)
  await close(ctx, found, { status: 'cancelled' })
  const { decision_request_id, question, created_by: asker_id, asked } = request
  ctx.emit(
    'decision.cancelled',
    { ...placeOf(project), task_id: request.task_id },
    {
      decision_request_id,
      ticket_number: found.task.ticket_number,
      question: truncate(question),
      asker_id,
      asked,
    },
  )
}

/**
 * The author, the owner of an agent that is the author, and those who manage the board may cancel
 * it.
 */
async function checkCanCancel(ctx: Context, { request, project }: Found): Promise<void> {
  const { tx, caller } = ctx
  if (caller.actor_id === request.created_by) return
  const [asker] = await tx.select().from(agents).where(eq(agents.actor_id, request.created_by))
  if (asker?.owner_id === caller.actor_id) return
  const needs = 'projects:manage'
  if (!caller.scopes.has(needs)) throw missingScope(needs)
  await findProject({ ...ctx, needs }, project.project_id)
}

type Closing = Pick<DecisionRow, 'status'> &
  Partial<Pick<DecisionRow, 'selected_option' | 'answer_note'>>

/**
 * A single statement checks that it is pending and closes it, so that one of two concurrent calls
 * fails.
 */
async function close(ctx: Context, { request }: Found, closing: Closing): Promise<void> {
  const one = eq(decisionRequests.decision_request_id, request.decision_request_id)
  const closed = await ctx.tx
    .update(decisionRequests)
    .set({ ...closing, closed_by: ctx.caller.actor_id, closed_at: ctx.now })
    .where(and(one, eq(decisionRequests.status, 'pending')))
    .returning({ decision_request_id: decisionRequests.decision_request_id })
  if (closed.length) return
  const [now] = await ctx.tx.select().from(decisionRequests).where(one)
  const { decision_request_id, status, selected_option } = now!
  throw fault.conflict(
    `This decision request is already ${status}`,
    {
      field: 'decision_request_id',
      value: decision_request_id,
      status,
      ...(selected_option !== null && { selected_option }),
    },
    'This is final; create a new one with svc_decision_requests create',
  )
}
