import { Type as t } from '@sinclair/typebox'
import { and, getTableColumns, isNotNull, isNull } from 'drizzle-orm'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { UserId } from '../../../identity/people/model/index.ts'
import { address, locateTask } from '../../../tasks/tasks/model/index.ts'
import { EscalationId, EscalationRow, Note, Reason } from '../model/schema.ts'
import {
  checkCanResolve,
  type Escalation,
  escalate,
  escalationRecords,
  findEscalation,
  ofTask,
  resolve as resolved,
} from '../model/store.ts'
import { escalations } from '../model/tables.ts'

const PLACE = '/api/v1/tasks/:task/escalations'

export const create = operation({
  name: 'escalations.create',
  summary: 'Escalate a task to a person: appears as Important in their inbox',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: `POST ${PLACE}`,
    cli: {
      usage: 'escalations create <task> <reason>',
      example: "HOM-1 'The deploy key has expired' --to-user Cleo",
    },
  },
  input: t.Object({
    ...address,
    reason: Reason,
    to_user_id: t.Optional({
      ...UserId,
      description:
        'Who to notify; default: the owner of the calling agent, else the creator of the task',
    }),
  }),
  output: EscalationRow,
  async run({ reason, to_user_id, ...named }, ctx) {
    const located = await locateTask(ctx, named)
    const input = { reason, ...(to_user_id !== undefined && { to_user_id }) }
    const row = await escalate(ctx, located, input)
    return (await escalationRecords(ctx, located.task, [row]))[0]!
  },
})

export const list = operation({
  name: 'escalations.list',
  summary: 'Escalations of a task, newest first',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['escalation'] }],
  on: {
    rest: `GET ${PLACE}`,
    cli: { usage: 'escalations list <task>', example: 'HOM-1 --state open' },
  },
  input: listInput(
    {
      ...address,
      state: t.Optional(t.Union([t.Literal('open'), t.Literal('resolved')])),
    },
    ['createdAt'],
  ),
  output: listOf(EscalationRow),
  async run({ task_id, ticket_number, unique_index, project_id, state, ...paging }, ctx) {
    const { task } = await locateTask(ctx, { task_id, ticket_number, unique_index, project_id })
    const { resolved_at, reason, created_at } = escalations
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `escalations ${task.task_id} ${state ?? ''}`,
      from: escalations,
      columns: getTableColumns(escalations),
      where: and(
        ofTask(task),
        state && (state === 'open' ? isNull(resolved_at) : isNotNull(resolved_at)),
        matchesSearch(paging, [reason]),
      ),
      sorts: { createdAt: { key: created_at } },
      id: 'escalation_id',
    })
    return { items: await escalationRecords(ctx, task, rows as Escalation[]), page }
  },
})

export const resolve = operation({
  name: 'escalations.resolve',
  summary: 'Resolve an escalation',
  needs: 'tasks:write',
  on: {
    rest: `POST ${PLACE}/:escalation_id/resolve`,
    cli: {
      usage: 'escalations resolve <task> <escalation_id>',
      example: "HOM-1 1 --note 'Renewed it'",
    },
  },
  input: t.Object({ ...address, escalation_id: EscalationId, note: t.Optional(Note) }),
  output: EscalationRow,
  async run({ escalation_id, note, ...named }, ctx) {
    const located = await locateTask(ctx, named)
    const row = await findEscalation(ctx, located.task, escalation_id)
    await checkCanResolve(ctx, located, row)
    const after = await resolved(ctx, located, row, note)
    return (await escalationRecords(ctx, located.task, [after]))[0]!
  },
})
