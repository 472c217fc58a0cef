import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { Actor, actorsOf, asActor, UserId } from '../../../identity/people/model/index.ts'
import { address, locateTask, onVisibleTask, tasks } from '../../../tasks/tasks/model/index.ts'
import * as closing from '../model/closing.ts'
import {
  DecisionReceipt,
  DecisionRequest,
  DecisionRequestId,
  DecisionStatus,
  Note,
  Option,
  Options,
  Question,
} from '../model/schema.ts'
import { createDecision, type DecisionRow, findDecision } from '../model/store.ts'
import { decisionRequests } from '../model/tables.ts'

export const create = operation({
  name: 'decision_requests.create',
  summary: 'Ask people to choose one of several options for a task',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/tasks/:task/decision-requests',
    mcp: 'svc_decision_requests.create',
    cli: {
      usage: 'decisions create <task> <question>',
      example: "HOM-1 'Ship it today?' --options Yes,No --users Cleo",
    },
    chat: true,
  },
  input: t.Object({
    ...address,
    question: Question,
    options: Options,
    note: t.Optional({ ...Note, description: 'Background for the decision' }),
    user_ids: t.Optional(
      t.Array(UserId, {
        minItems: 1,
        maxItems: 50,
        description: 'Who to ask; default: the assigned people, else the creator of the task',
      }),
    ),
  }),
  output: t.Object({
    ...DecisionReceipt.properties,
    asked: t.Array(Actor, { description: 'The people who were asked' }),
  }),
  async run({ task_id, ticket_number, unique_index, project_id, ...draft }, ctx) {
    const located = await locateTask(ctx, { task_id, ticket_number, unique_index, project_id })
    const { decision_request_id, people } = await createDecision(ctx, located, draft)
    return {
      decision_request_id,
      ticket_number: located.task.ticket_number,
      status: 'pending' as const,
      selected_option: null,
      asked: people.map(asActor),
    }
  },
})

/** The task is optional here. */
const { unique_index: _, ...where } = address

export const list = operation({
  name: 'decision_requests.list',
  summary: 'Decision requests you can see: of a task, a board, or all',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['decision'] }],
  on: {
    rest: 'GET /api/v1/decision-requests',
    mcp: 'svc_decision_requests.list',
    cli: { usage: 'decisions list', example: '--status pending' },
    chat: true,
  },
  input: listInput({ ...where, status: t.Optional(DecisionStatus) }, ['createdAt']),
  output: listOf(DecisionRequest),
  async run(input, ctx) {
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'decision_requests',
      from: decisionRequests,
      columns: getTableColumns(decisionRequests),
      where: and(
        await scopeCondition(ctx, input),
        input.status ? eq(decisionRequests.status, input.status) : undefined,
        matchesSearch(input, [decisionRequests.question]),
      ),
      sorts: { createdAt: { key: decisionRequests.created_at } },
      id: 'decision_request_id',
    })
    return { items: await decisionRecords(ctx, rows as DecisionRow[]), page }
  },
})

/** The filter: one task, one board, or every board that the caller can see. */
async function scopeCondition(
  ctx: Context,
  named: Parameters<typeof locateTask>[1],
): Promise<SQL | undefined> {
  const { task_id, ticket_number, project_id } = named
  if (task_id !== undefined || ticket_number !== undefined) {
    const { task } = await locateTask(ctx, { task_id, ticket_number, project_id })
    return and(
      eq(decisionRequests.team_id, task.team_id),
      eq(decisionRequests.task_id, task.task_id),
    )
  }
  const board = project_id === undefined ? undefined : await findProject(ctx, project_id)
  const teams = board ? [board.team_id] : [...ctx.caller.teams.keys()]
  return and(
    inArray(decisionRequests.team_id, teams),
    onVisibleTask(ctx, decisionRequests.task_id, board && eq(tasks.project_id, board.project_id)),
  )
}

export const get = operation({
  name: 'decision_requests.get',
  summary: 'One decision request with its options and its answer',
  needs: 'tasks:read',
  dependsOn: ['decision'],
  on: {
    rest: 'GET /api/v1/decision-requests/:decision_request_id',
    mcp: 'svc_decision_requests.get',
    cli: { usage: 'decisions get <decision_request_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ decision_request_id: DecisionRequestId }),
  output: DecisionRequest,
  async run({ decision_request_id }, ctx) {
    const { request } = await findDecision(ctx, decision_request_id)
    return (await decisionRecords(ctx, [request]))[0]!
  },
})

export const answer = operation({
  name: 'decision_requests.answer',
  summary: 'Answer a decision request with one of its options; this is final',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/decision-requests/:decision_request_id/answer',
    mcp: 'svc_decision_requests.answer',
    cli: { usage: 'decisions answer <decision_request_id> <selected_option>', example: '1 Yes' },
    chat: true,
  },
  input: t.Object({
    decision_request_id: DecisionRequestId,
    selected_option: { ...Option, description: 'Exactly one of the options' },
    note: t.Optional({ ...Note, description: 'Why' }),
  }),
  output: DecisionReceipt,
  async run({ decision_request_id, ...given }, ctx) {
    const found = await findDecision(ctx, decision_request_id)
    await closing.answer(ctx, found, given)
    const { ticket_number } = found.task
    const { selected_option } = given
    return { decision_request_id, ticket_number, status: 'answered' as const, selected_option }
  },
})

export const cancel = operation({
  name: 'decision_requests.cancel',
  summary: 'Cancel a pending decision request',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/decision-requests/:decision_request_id/cancel',
    mcp: 'svc_decision_requests.cancel',
    cli: { usage: 'decisions cancel <decision_request_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ decision_request_id: DecisionRequestId }),
  output: DecisionReceipt,
  async run({ decision_request_id }, ctx) {
    const found = await findDecision(ctx, decision_request_id)
    await closing.cancel(ctx, found)
    const { ticket_number } = found.task
    return {
      decision_request_id,
      ticket_number,
      status: 'cancelled' as const,
      selected_option: null,
    }
  },
})

/** The records of the rows, in their order. */
async function decisionRecords(
  ctx: Context,
  rows: readonly DecisionRow[],
): Promise<DecisionRequest[]> {
  if (!rows.length) return []
  const found = await ctx.tx
    .select({
      task_id: tasks.task_id,
      ticket_number: tasks.ticket_number,
      project_id: tasks.project_id,
    })
    .from(tasks)
    .where(
      inArray(
        tasks.task_id,
        rows.map(({ task_id }) => task_id),
      ),
    )
  const ticket = new Map(found.map((task) => [task.task_id, task]))
  const actors = await actorsOf(
    ctx.tx,
    rows.flatMap(({ asked, created_by, closed_by }) =>
      [...asked, created_by, closed_by ?? []].flat(),
    ),
  )
  const actor = (id: number) => asActor(actors.get(id)!)
  return rows.map(({ team_id: _, ...row }) => ({
    ...row,
    ...ticket.get(row.task_id)!,
    asked: row.asked.map(actor),
    created_by: actor(row.created_by),
    created_at: row.created_at.toISOString(),
    closed_by: row.closed_by === null ? null : actor(row.closed_by),
    closed_at: row.closed_at?.toISOString() ?? null,
  }))
}
