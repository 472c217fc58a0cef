import { Type as t } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { address, locateTask, type Task } from '../../tasks/model/index.ts'
import {
  type Ends,
  RelationReceipt,
  RelationRow,
  RelationType,
  source,
  target,
  Unlinked,
} from '../model/schema.ts'
import {
  link,
  lockRelations,
  type Relation,
  relationConditions,
  toRelationRows,
  unlink,
} from '../model/store.ts'
import { relations } from '../model/tables.ts'

export const create = operation({
  name: 'relations.create',
  summary: 'Link two tasks of one team: related, or one blocked by the other',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/relations',
    mcp: 'svc_tasks.link',
    cli: {
      usage: 'tasks link <source_ticket_number> <relation_type> <target_ticket_number>',
      example: 'HOM-1 BlockedBy HOM-2',
    },
    chat: true,
  },
  input: t.Object({ ...source, ...target, relation_type: RelationType, ...leaseInput }),
  output: RelationReceipt,
  guard: { by: 'lease', tasks: sourceTaskId },
  async run({ relation_type, ...ends }, ctx) {
    await lockRelations(ctx)
    const [from, to] = [await locateEnd(ctx, 'source', ends), await locateEnd(ctx, 'target', ends)]
    const { relation_id } = await link(ctx, from, to, relation_type)
    return { relation_id, relation_type, ...endFields(from, to) }
  },
})

export const list = operation({
  name: 'relations.list',
  summary: 'Relations of a task, from its point of view',
  needs: 'tasks:read',
  dependsOn: [{ about: 'tasks', changes: ['relation', 'task'] }],
  on: {
    rest: 'GET /api/v1/tasks/:task/relations',
    mcp: 'svc_tasks.links',
    cli: { usage: 'tasks links <task>', example: 'HOM-1' },
    chat: true,
  },
  input: listInput({ ...address, ...source, ...target, relation_type: t.Optional(RelationType) }, [
    'createdAt',
  ]),
  output: listOf(RelationRow),
  async run(input, ctx) {
    const task = await locateTaskOfList(ctx, input)
    const to = hasAddress('target', input) ? await locateEnd(ctx, 'target', input) : undefined
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: `relations of ${task.task_id}`,
      from: relations,
      columns: getTableColumns(relations),
      where: relationConditions(ctx, task, input.relation_type, to),
      sorts: { createdAt: { key: relations.created_at } },
      manualSort: { key: relations.relation_id },
      id: 'relation_id',
    })
    return { items: await toRelationRows(ctx, task, rows as Relation[]), page }
  },
})

export const remove = operation({
  name: 'relations.delete',
  summary: 'Unlink two tasks: one relation_type, or all relations between them',
  needs: 'tasks:write',
  on: {
    rest: 'DELETE /api/v1/relations',
    mcp: 'svc_tasks.unlink',
    cli: {
      usage: 'tasks unlink <source_ticket_number> <target_ticket_number>',
      example: 'HOM-1 HOM-3',
    },
    chat: true,
  },
  input: t.Object({ ...source, ...target, relation_type: t.Optional(RelationType), ...leaseInput }),
  output: Unlinked,
  guard: { by: 'lease', tasks: sourceTaskId },
  async run({ relation_type, ...ends }, ctx) {
    const [from, to] = [await locateEnd(ctx, 'source', ends), await locateEnd(ctx, 'target', ends)]
    return { ...endFields(from, to), removed: await unlink(ctx, from, to, relation_type) }
  },
})

const endFields = (from: Task, to: Task) => ({
  source_task_id: from.task_id,
  source_ticket_number: from.ticket_number,
  target_task_id: to.task_id,
  target_ticket_number: to.ticket_number,
})

type RelationEnd = 'source' | 'target'
type TaskAddress = Parameters<typeof locateTask>[1]

const addressOf = (end: RelationEnd, ends: Ends): TaskAddress => ({
  task_id: ends[`${end}_task_id`],
  ticket_number: ends[`${end}_ticket_number`],
  unique_index: ends[`${end}_unique_index`],
  project_id: ends[`${end}_project_id`],
})

const hasAddress = (end: RelationEnd, ends: Ends) =>
  Object.values(addressOf(end, ends)).some((part) => part !== undefined)

/** Finds the source or the target. Faults name the prefixed input fields. */
async function locateEnd(ctx: Context, end: RelationEnd, ends: Ends): Promise<Task> {
  const { task_id, ticket_number, unique_index, ...rest } = addressOf(end, ends)
  if (task_id === undefined && ticket_number === undefined && unique_index === undefined)
    throw fault.invalid(
      `${end}_ticket_number`,
      'required',
      `The ${end} task is required: ${end}_ticket_number, ${end}_task_id, or ${end}_unique_index with ${end}_project_id`,
    )
  try {
    return (await locateTask(ctx, { task_id, ticket_number, unique_index, ...rest })).task
  } catch (error) {
    if (!(error instanceof Fault) || !error.details.field) throw error
    const details = { ...error.details, field: `${end}_${error.details.field}` }
    throw new Fault(error.code, `The ${end}: ${error.message}`, details, error.hint)
  }
}

/** The lease guard covers the source only: the relation counts as a change of the source. */
async function sourceTaskId(ends: Ends, ctx: Context): Promise<[number]> {
  return [(await locateEnd(ctx, 'source', ends)).task_id]
}

/** The task whose relations are listed, by its own address or as the source; both must agree. */
async function locateTaskOfList(ctx: Context, input: TaskAddress & Ends): Promise<Task> {
  const { task_id, ticket_number, unique_index, project_id } = input
  const ownAddress = { task_id, ticket_number, unique_index, project_id }
  if (!hasAddress('source', input)) return (await locateTask(ctx, ownAddress)).task
  const task = await locateEnd(ctx, 'source', input)
  const hasOwnAddress =
    task_id !== undefined || ticket_number !== undefined || unique_index !== undefined
  if (hasOwnAddress && (await locateTask(ctx, ownAddress)).task.task_id !== task.task_id)
    throw fault.invalid(
      'source_ticket_number',
      'conflict',
      'The source and the address name different tasks',
      task.ticket_number,
      'Send only one of them',
    )
  return task
}
