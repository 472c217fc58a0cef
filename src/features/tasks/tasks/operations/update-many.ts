import { type Static, Type as t } from '@sinclair/typebox'
import { readWords } from '../../../../content/index.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { findLabels, type Label, LabelRef, labelsOn } from '../../../boards/labels/model/index.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { isIndexedColumn } from '../../../search/text_index/model/index.ts'
import { revision, updateTask } from '../../edits/model/index.ts'
import { fieldInputs, pickFields } from '../../fields/model/index.ts'
import type { TaskReceipt } from '../../records/model/index.ts'
import { type Located, locateTask, taskById, taskIdOf, tasksById } from '../model/address.ts'
import {
  requireOneList,
  resolveTaskIds,
  type TaskReferences,
  withTaskInFault,
} from '../model/references.ts'
import { TaskId, TicketNumber } from '../model/schema.ts'
import { atomic, BulkResult, MAX_TASKS, resultOf } from './bulk.ts'

const listBounds = { minItems: 1, maxItems: MAX_TASKS }
const labelList = (description: string) =>
  t.Optional(t.Array(LabelRef, { minItems: 1, maxItems: 100, description }))

const { section_id, parent_task_id, due_date, labels, assignee_ids, status } = revision

const input = t.Object({
  task_ids: t.Optional(t.Array(TaskId, { ...listBounds, description: 'Ids of the tasks' })),
  ticket_numbers: t.Optional(
    t.Array(TicketNumber, { ...listBounds, description: 'Keys of the tasks, instead of task_ids' }),
  ),
  section_id,
  parent_task_id,
  ...pickFields('update_many', fieldInputs),
  due_date,
  labels,
  assignee_ids,
  status,
  project_id: t.Optional({ ...ProjectId, description: 'Moves the tasks to that board' }),
  add_labels: labelList('Ids or names of labels to add'),
  remove_labels: labelList('Ids or names of labels to remove'),
  atomic,
  ...leaseInput,
})
type Input = Static<typeof input>

/**
 * Applies the same changes to several tasks. Titles and descriptions are excluded; `tasks.update`
 * changes them.
 */
export const updateMany = operation({
  name: 'tasks.update_many',
  summary: 'Apply the same change to up to 200 tasks, by default all or none',
  needs: 'tasks:write',
  destroys: ({ status }) => status === 'Deleted',
  on: {
    rest: 'PATCH /api/v1/tasks',
    mcp: 'svc_tasks.update_many',
    cli: {
      usage: 'tasks update-many',
      example: '--ticket-numbers HOM-1,HOM-2 --priority High --add-labels bug',
    },
    chat: true,
  },
  input,
  output: t.Array(BulkResult, { description: 'In the order of the request' }),
  guard: {
    by: 'lease',
    // Otherwise each task is guarded apart.
    tasks: async ({ task_ids, ticket_numbers, atomic = true }, ctx) =>
      atomic ? resolveTaskIds(ctx, { task_ids, ticket_numbers }) : [],
  },
  async run({ task_ids, ticket_numbers, atomic = true, ...changes }, ctx) {
    refuseConflictingLabels(changes)
    return (atomic ? updateAll : updateEach)(ctx, { task_ids, ticket_numbers }, changes)
  },
})

type Changes = Omit<Input, 'task_ids' | 'ticket_numbers' | 'atomic' | 'lease_id'>

/** Updates all tasks or none. */
export async function updateAll(
  ctx: Context,
  references: TaskReferences,
  changes: Changes,
): Promise<TaskReceipt[]> {
  const ids = await resolveTaskIds(ctx, references)
  if (isIndexedColumn(changes)) readWords(ctx, ...(await tasksById(ctx.tx, ids)).values())
  const receipts: TaskReceipt[] = []
  for (const { task_id, at } of await parentsFirst(ctx, ids)) {
    const located = await locateTask(ctx, { task_id })
    receipts[at] = await withTaskInFault(located.task, () => updateOne(ctx, located, changes))
  }
  return receipts
}

/** Updates each task on its own, so that a refused one does not keep the others from changing. */
async function updateEach(
  ctx: Context,
  { task_ids, ticket_numbers }: TaskReferences,
  changes: Changes,
): Promise<BulkResult[]> {
  requireOneList({ task_ids, ticket_numbers })
  const addresses = [
    ...(task_ids ?? []).map((task_id) => ({ task_id })),
    ...(ticket_numbers ?? []).map((ticket_number) => ({ ticket_number })),
  ]
  const results: BulkResult[] = []
  for (const address of addresses) {
    const update = async () => updateOne(ctx, await locateTask(ctx, address), changes)
    const attempt = () => ctx.attempt(() => taskIdOf(address, ctx), update)
    results.push(await resultOf(address, attempt))
  }
  return results
}

async function updateOne(
  ctx: Context,
  located: Located,
  { add_labels, remove_labels, ...changes }: Changes,
): Promise<TaskReceipt> {
  if (isIndexedColumn(changes)) readWords(ctx, located.task)
  const labels = await labelsAfter(ctx, located, { add_labels, remove_labels })
  return updateTask(ctx, located, { ...changes, ...(labels && { labels }) })
}

function refuseConflictingLabels({ labels, project_id, add_labels, remove_labels }: Input): void {
  const field = add_labels ? 'add_labels' : 'remove_labels'
  if (!add_labels && !remove_labels) return
  if (labels)
    throw fault.invalid(
      field,
      'conflict',
      `${field} cannot be combined with labels, which replaces all labels`,
      undefined,
      'Send either labels, or add_labels and remove_labels',
    )
  if (project_id !== undefined)
    throw fault.invalid(
      field,
      'conflict',
      `${field} cannot be combined with project_id: each board has its own labels`,
      undefined,
      'Move the tasks first, then change their labels',
    )
}

/**
 * Orders parents before their subtasks, because a parent that moves to another board takes them
 * along.
 */
async function parentsFirst({ tx }: Context, ids: readonly number[]) {
  const ordered = []
  for (const [at, task_id] of ids.entries())
    ordered.push({ task_id, at, depth: await depthOf(tx, task_id) })
  return ordered.sort((a, b) => a.depth - b.depth)
}

async function depthOf(tx: Tx, task_id: number): Promise<number> {
  const parent = (await taskById(tx, task_id))?.parent_task_id ?? null
  return parent === null ? 0 : 1 + (await depthOf(tx, parent))
}

/** The resulting label ids of a task; undefined if none are added or removed. */
async function labelsAfter(
  ctx: Context,
  { task, project }: Located,
  { add_labels = [], remove_labels = [] }: Pick<Input, 'add_labels' | 'remove_labels'>,
): Promise<number[] | undefined> {
  if (!add_labels.length && !remove_labels.length) return undefined
  const added = await findLabels(ctx, project, add_labels, 'add_labels')
  const removed = idsOf(await findLabels(ctx, project, remove_labels, 'remove_labels'))
  const before = idsOf(await labelsOn(ctx.tx, task))
  return [...new Set([...before, ...idsOf(added)])].filter((id) => !removed.includes(id))
}

const idsOf = (found: readonly Label[]) => found.map(({ label_id }) => label_id)
